package part

var X int
