module custody

go 1.26

require example.org/elsewhere v0.0.0

replace example.org/elsewhere => ./elsewhere
