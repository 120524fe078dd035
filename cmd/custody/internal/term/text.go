package term

import "strings"

// What people type and read.

// ShellWord quotes a word for a shell if it must be.
func ShellWord(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:@%+,"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// OneLine keeps a message on its line.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
