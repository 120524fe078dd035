module custody

go 1.26
