module example.org/elsewhere

go 1.26
