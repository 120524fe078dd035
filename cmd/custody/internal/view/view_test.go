package view

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/fatih/color"
	"github.com/stretchr/testify/require"

	"custody/sim"
	"custody/sim/explain"
	"custody/traces"
)

// life is a prompt of nine tokens in chunks of at most four, and another tenant's request that is turned away because the
// queue is full. The first line is steps 1, the second 2, the third the rest.
const life = `config blocks=4 block=4 chunk=4 queue=1
submit r1 tenant=amber prompt="nine toks" max=3
submit r2 tenant=teal prompt="x"
drain
`

func viewOf(t *testing.T, text string) *view {
	t.Helper()
	s, err := traces.Parse("test", text)
	require.NoError(t, err)
	rec, err := explain.Record(s, sim.ExecuteOptions{})
	require.NoError(t, err)
	v := newView(s, rec)
	v.Update(tea.WindowSizeMsg{Width: 100, Height: 30})
	return v
}

// keys presses keys: names of keys in <>, anything else letter by letter.
func keys(v *view, text string) (quit bool) {
	codes := map[string]tea.Key{
		"right": {Code: tea.KeyRight}, "left": {Code: tea.KeyLeft}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
		"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown},
		"tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "esc": {Code: tea.KeyEscape},
		"enter": {Code: tea.KeyEnter}, "backspace": {Code: tea.KeyBackspace}, "space": {Code: ' ', Text: " "},
		"ctrl+c": {Code: 'c', Mod: tea.ModCtrl},
	}
	for text != "" {
		key := tea.Key{Code: rune(text[0]), Text: text[:1]}
		if name, rest, ok := strings.Cut(text[1:], ">"); text[0] == '<' && ok {
			key, text = codes[name], rest
		} else {
			text = text[1:]
		}
		_, cmd := v.Update(tea.KeyPressMsg(key))
		quit = cmd != nil
	}
	return quit
}

func screen(v *view) string { return v.View().Content }

func TestTheViewsKeys(t *testing.T) {
	for name, c := range map[string]struct {
		keys string
		want []string
		not  []string
	}{
		"it begins before the first step": {"", []string{"step 0 of 20, t=0: before the first step", "0-3  free  never written",
			"? help"}, []string{"requests"}},
		"right is a step forward": {"<right>",
			[]string{"step 1 of 20, t=0: submit", "> submit r1 of amber: 9 tokens, accepted", "r1 (amber)  waiting  9+0 tokens"}, nil},
		"and left one back":                {"<right><right><left>", []string{"step 1 of 20"}, []string{"r2"}},
		"there is nothing before 0":        {"<left>", []string{"step 0 of 20", "there is no step -1: the last step is 20"}, nil},
		"end is the last step":             {"<end>", []string{"step 20 of 20", "ended: r1 (amber)", "turned away: r2 (teal)"}, nil},
		"nothing is after it":              {"<end>l", []string{"step 20 of 20", "there is no step 21"}, nil},
		"home is the beginning":            {"<end><home>", []string{"step 0 of 20"}, nil},
		"an answer goes with the next key": {"<left><right>", []string{"? help"}, []string{"there is no step"}},
		"s asks for a step":                {"s8", []string{"step: 8_"}, nil},
		"and goes to it": {"s8<enter>", []string{
			"step 8 of 20, t=25: finish", "> finish op2: r1 computes", "held by r1, findable", "r1 writes [0,4), reads [0,4)",
			"planned 8, settled 4, good 8, blocks [0 1], row 0", "bound to r1  computed 8, blocks [0 1]", "op2, a pass of r1, finished",
			"running r1", "free, next first [2 3]",
		}, nil},
		"a step that is no number":     {"sx<enter>", []string{"step 0 of 20", `found "x", expected the number of a step`}, nil},
		"a step beyond the end":        {"s99<enter>", []string{"step 0 of 20", "there is no step 99: the last step is 20"}, nil},
		"a mistyped step is corrected": {"s9<backspace>2<enter>", []string{"step 2 of 20"}, nil},
		"a question is given up":       {"s9<esc>", []string{"step 0 of 20", "? help"}, []string{"step: "}},
		"q in an answer is a letter":   {"fq", []string{"follow (request, tenant or block): q_"}, nil},
		"f follows a request": {"<end>fr2<enter>", []string{"following r2", "turned away: r2 (teal)"},
			[]string{"amber", "free, next", "poisoned"}},
		"its steps are found": {"fr2<enter>n", []string{"step 2 of 20", "submit r2 is turned away: queue-full"}, nil},
		"and no others":       {"fr2<enter>nn", []string{"step 2 of 20", "no step after this one concerns r2"}, nil},
		"backwards too":       {"fr2<enter><end>p", []string{"step 2 of 20"}, nil},
		"and no others back":  {"fr2<enter>p", []string{"step 0 of 20", "no step before this one concerns r2"}, nil},
		"f follows a tenant":  {"fteal<enter><end>", []string{"following tenant teal", "r2 (teal)"}, []string{"amber"}},
		"f follows a block": {"f2<enter>n", []string{
			"following block 2", "step 10 of 20", "plan op3, due t=35: r1 [8,9) blocks +[2]",
			"2  held by r1  never written  < r1 gets it", "r1 (amber)  prefill",
		}, []string{"findable"}},
		"nobody is called so": {"fr3<enter>",
			[]string{`nothing is called "r3": expected a request, a tenant, or a block from 0 to 3 (tab goes through them)`},
			[]string{"following"}},
		"esc follows all again":         {"fr2<enter><esc>", []string{"step 0"}, []string{"following"}},
		"tab follows the first":         {"<tab>", []string{"following r1"}, nil},
		"then the next":                 {"<tab><tab><tab>", []string{"following tenant amber"}, nil},
		"shift+tab the last":            {"<shift+tab>", []string{"following block 3"}, nil},
		"without following n is a step": {"nn", []string{"step 2 of 20"}, nil},
		"b says that nothing broke":     {"b", []string{"step 0 of 20", "every promise was kept in this run"}, nil},
		"? is the help":                 {"?", []string{"to the breach; once more: to the next one"}, []string{"never written"}},
		"any other key ends it":         {"?<right>", []string{"step 1 of 20", "blocks"}, []string{"to the breach"}},
	} {
		t.Run(name, func(t *testing.T) {
			v := viewOf(t, life)
			require.False(t, keys(v, c.keys))
			for _, want := range c.want {
				require.Contains(t, screen(v), want)
			}
			for _, not := range c.not {
				require.NotContains(t, screen(v), not)
			}
		})
	}
}

func TestTheViewEndsWithQOrCtrlC(t *testing.T) {
	require.True(t, keys(viewOf(t, life), "q"))
	require.True(t, keys(viewOf(t, life), "<ctrl+c>"))
	require.True(t, keys(viewOf(t, life), "s<ctrl+c>"), "while it asks, too")
	require.True(t, viewOf(t, life).View().AltScreen)
}

// However small the window, no line is wider and there are no more lines; what does not fit scrolls.
func TestTheViewFitsItsWindow(t *testing.T) {
	for _, size := range []tea.WindowSizeMsg{{Width: 40, Height: 10}, {Width: 10, Height: 3}, {Width: 3, Height: 2},
		{Width: 1, Height: 1}, {}} {
		v := viewOf(t, life)
		v.Update(size)
		for _, press := range []string{"", "s12<enter>", "<down><down>", "<pgdown><pgdown>", "<pgup>", "?", "<up>", "f", "r1<enter>",
			"b"} {
			keys(v, press)
			lines := v.lines()
			require.LessOrEqual(t, len(lines), size.Height)
			for _, line := range lines {
				require.LessOrEqual(t, ansi.StringWidth(line), size.Width, line)
			}
		}
	}
}

func TestTheViewScrollsAsFarAsThereIsSomething(t *testing.T) {
	v := viewOf(t, life)
	v.Update(tea.WindowSizeMsg{Width: 40, Height: 8})
	keys(v, "s8<enter>")
	require.Contains(t, screen(v), "↑/↓ scroll")
	require.Contains(t, screen(v), "drain")
	require.NotContains(t, screen(v), "free, next first")
	keys(v, "<pgdown><pgdown><pgdown><pgdown>")
	require.Contains(t, screen(v), "free, next first")
	keys(v, "<up>")
	require.NotContains(t, screen(v), "free, next first", "pgdn has not gone beyond the end")
	keys(v, "<down>")
	require.Contains(t, screen(v), "free, next first")
}

// Two hundred events: the last step is shown at once, and a step back is too.
func TestTheViewOfALongScript(t *testing.T) {
	var text strings.Builder
	text.WriteString("config blocks=16 block=4 rows=4\n")
	for i := range 100 {
		tenant := []string{"amber", "teal"}[i%2]
		text.WriteString("submit r" + string(rune('a'+i%10)) + string(rune('a'+i/10)) + " tenant=" + tenant +
			" prompt=\"some words\" max=12\nrun 30\n")
	}
	text.WriteString("drain\n")
	v := viewOf(t, text.String())
	require.Greater(t, v.rec.Last, int64(2000))
	keys(v, "<end>")
	last := screen(v)
	require.Contains(t, last, "drained: 16 of 16 blocks free")
	keys(v, "<left><right>")
	require.Equal(t, last, screen(v))
	keys(v, "<home><end>")
	require.Equal(t, last, screen(v))
}

func TestALongListIsCutShort(t *testing.T) {
	v := viewOf(t, "config blocks=30\nsubmit r1 tenant=amber prompt=\"a\"\ndrain\n")
	require.Contains(t, screen(v), "free, next first [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23] and 6 more")
}

// Colours mean tenants, here as everywhere: whatever is a request's is printed in its tenant's colour, cut lines included.
func TestTheViewsColoursAreTheTenants(t *testing.T) {
	defer func(was bool) { color.NoColor = was }(color.NoColor)
	color.NoColor = false
	v := viewOf(t, life)
	keys(v, "s8<enter>")
	require.Contains(t, screen(v), "held by \x1b[33mr1\x1b[0m, findable")
	require.Contains(t, screen(v), "\x1b[33mr1\x1b[0m (\x1b[33mamber\x1b[0m)")
	keys(v, "<end>")
	require.Contains(t, screen(v), "turned away: \x1b[36mr2\x1b[0m (\x1b[36mteal\x1b[0m)")
}
