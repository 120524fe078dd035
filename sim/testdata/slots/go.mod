module slots

go 1.26.8

require custody v0.0.0

require golang.org/x/sys v0.48.0 // indirect

replace custody => ../../..
