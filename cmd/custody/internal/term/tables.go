package term

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// NewTable makes a table whose numbers stand to the right. It has no colours: those mean tenants.
func NewTable(w io.Writer, header ...any) table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
	style.Options = table.Options{SeparateHeader: true}
	style.Box.PaddingLeft = ""
	style.Box.PaddingRight = "  "
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	t.AppendHeader(header)
	return t
}

// Numbers sets columns, from 1, to the right.
func Numbers(t table.Writer, columns ...int) {
	var all []table.ColumnConfig
	for _, n := range columns {
		all = append(all, table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(all)
}

// Grouped writes a number in groups of three digits.
func Grouped[N int | int64 | uint64](n N) string {
	s := fmt.Sprint(n)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	var groups []string
	for ; len(s) > 3; s = s[:len(s)-3] {
		groups = append([]string{s[len(s)-3:]}, groups...)
	}
	return sign + strings.Join(append([]string{s}, groups...), ",")
}

// Plural writes a number with its noun.
func Plural[N int | int64 | uint64](n N, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + one + "s"
}

// Columns puts the cells of each column under one another.
func Columns(rows [][]string) (lines []string) {
	width := map[int]int{}
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], ansi.StringWidth(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", width[i]-ansi.StringWidth(cell)+2)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}
