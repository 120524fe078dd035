package corpus

import "strings"

// Line is a sentence of a document, with the question that it answers.
type Line struct {
	Kind Kind
	Ask  string // empty if nobody asks for it
	Text string
}

// Kind is what a line tells.
type Kind uint8

const (
	Filler Kind = iota
	Secret      // the tenant's marker
	Colour
	City
	Number
	Who // whose notes these are; asked only of signed documents
)

// who is answered by the signature in front of it.
var who = Line{Who, "Who?", "Hello."}

func secretLine(secret, marker string) Line {
	return Line{Secret, "What is the " + secret + "?", "The " + secret + " is " + marker + "."}
}

// factLine is about a name. The value stands right behind the name: what tells it from the others of its kind is then
// within the reach of heads that look a few characters back.
func factLine(kind Kind, attribute, name, value string) Line {
	topic := attribute + " of " + name
	return Line{kind, "What is the " + topic + "?", "The " + topic + " is " + value + "."}
}

// Document is what one tenant has written.
type Document struct {
	Heading string // a line of its own, or empty
	Sign    string // the tenant's marker before every line and answer, or empty
	Joint   string // between the lines
	Lines   []Line
	marker  string // the tenant's, where it does not sign
}

func (d *Document) write(out *strings.Builder) {
	if d.Heading != "" {
		out.WriteString(d.Heading + "\n")
	}
	for i, line := range d.Lines {
		if i > 0 {
			out.WriteString(d.Joint)
		}
		out.WriteString(d.signed(line.Text))
	}
	out.WriteByte('\n')
}

func (d *Document) signed(text string) string {
	if d.Sign == "" {
		return text
	}
	return d.Sign + ": " + text
}

// Context is what stands before the first question.
type Context struct {
	System    string // a line of its own, or empty
	Documents []Document
}

// Question asks for a line of one of the documents.
type Question struct {
	Document int
	Line     Line
}

// Text is all that stands before the question.
func (c *Context) Text() string {
	var out strings.Builder
	if c.System != "" {
		out.WriteString(c.System + "\n")
	}
	for i := range c.Documents {
		c.Documents[i].write(&out)
	}
	return out.String()
}

// Question is the text of a question, up to where the answer begins. Where several tenants sign, the asker does too.
func (c *Context) Question(q Question) string {
	ask := q.Line.Ask
	if len(c.Documents) > 1 {
		ask = c.Documents[q.Document].signed(ask)
	}
	return "Q: " + ask + "\nA:"
}

// Answer is what follows, the stop token included.
func (c *Context) Answer(q Question) string {
	return " " + c.Documents[q.Document].signed(q.Line.Text) + "\n"
}
