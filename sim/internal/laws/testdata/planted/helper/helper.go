// Package helper is in the module but not among the six packages.
package helper

import "os"

func Home() string { return os.Getenv("HOME") }
