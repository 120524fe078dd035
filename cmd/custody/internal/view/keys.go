package view

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
)

const helpText = `→ l space     one step forward       ← h        one step back
n             to the next step of what is followed
p             to the step before
home g        to the beginning       end G      to the last step
s             to a step by its number
b             to the breach; once more: to the next one
f             follow a request, a tenant, or a block by its number
tab shift+tab follow the next, the one before
esc           follow everything again
↑ ↓ pgup pgdn scroll
?             this help              q          quit`

// press does what a key says.
func (v *view) press(key tea.KeyPressMsg) tea.Cmd {
	v.answer = ""
	if key.String() == "ctrl+c" {
		return tea.Quit
	}
	if v.question != noQuestion {
		v.ask(key)
		return nil
	}
	if key.String() == "q" {
		return tea.Quit
	}
	if key.String() == "?" {
		v.help, v.scroll = !v.help, 0
		return nil
	}
	if !v.scrolls(key.String()) {
		v.help = false
		v.moves(key.String())
	}
	return nil
}

// scrolls does what a key says if it scrolls.
func (v *view) scrolls(key string) bool {
	switch key {
	case "up", "k":
		v.scroll--
	case "down", "j":
		v.scroll++
	case "pgup":
		v.scroll -= v.room()
	case "pgdown":
		v.scroll += v.room()
	default:
		return false
	}
	return true
}

// moves does what a key says if it goes to another step, or follows something else.
func (v *view) moves(key string) {
	switch key {
	case "right", "l", "space":
		v.step(v.frame.Step + 1)
	case "left", "h":
		v.step(v.frame.Step - 1)
	case "n":
		v.search(1)
	case "p":
		v.search(-1)
	case "home", "g":
		v.step(0)
	case "end", "G":
		v.step(v.rec.Last)
	case "b":
		v.toBreach()
	case "s":
		v.question, v.typed = whichStep, ""
	case "f":
		v.question, v.typed = whomToFollow, ""
	case "tab":
		v.cycle(1)
	case "shift+tab":
		v.cycle(-1)
	case "esc":
		v.focus = focus{}
	}
}

// step goes to a step, or says that there is none.
func (v *view) step(n int64) {
	if err := v.goTo(n); err != nil {
		v.answer = err.Error()
	}
}

// search goes to the nearest step, forwards or backwards, that concerns what is followed.
func (v *view) search(by int64) {
	for n := v.frame.Step + by; n >= 1 && n <= v.rec.Last; n += by {
		if notes, touches := v.rec.Happened(n); v.focus.happensIn(v.script, notes, touches) {
			v.step(n)
			return
		}
	}
	v.answer = "no step after this one concerns " + v.focus.String()
	if by < 0 {
		v.answer = "no step before this one concerns " + v.focus.String()
	}
}

// toBreach goes to the next step that breaks a promise, and from the last one to the first.
func (v *view) toBreach() {
	all := v.rec.Result.Breaches
	if len(all) == 0 {
		v.answer = "every promise was kept in this run"
		return
	}
	to := all[0].Step
	for i := range all {
		if all[i].Step > v.frame.Step {
			to = all[i].Step
			break
		}
	}
	v.scroll = 0
	v.step(to)
}

// cycle follows the next of all that can be followed.
func (v *view) cycle(by int) {
	list := focusable(v.script)
	at := slices.Index(list, v.focus) + by
	v.focus = list[(at+len(list))%len(list)]
}

// ask takes in a key of an answer.
func (v *view) ask(key tea.KeyPressMsg) {
	switch key.String() {
	case "esc":
		v.question = noQuestion
	case "backspace":
		if r := []rune(v.typed); len(r) > 0 {
			v.typed = string(r[:len(r)-1])
		}
	case "enter":
		if err := v.answered(); err != nil {
			v.answer = err.Error()
		}
		v.question = noQuestion
	default:
		v.typed += key.Text
	}
}

// answered does what was asked for.
func (v *view) answered() error {
	if v.question == whichStep {
		n, err := stepTyped(v.typed)
		if err != nil {
			return err
		}
		return v.goTo(n)
	}
	who, err := parseFocus(v.script, v.typed)
	if err != nil {
		return fmt.Errorf("%w (tab goes through them)", err)
	}
	v.focus = who
	return nil
}
