package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"keepsake/pkg/project/session"
)

// person is where the answers of the person come from: the controlling terminal
// of a process that no client runs. Tests put another in its place.
type person struct {
	alone    func() error
	terminal func() (io.ReadWriteCloser, error)
	client   func() string // the folder of the client that runs this, if one does
}

// atTerminal is the real one. Standard input is never asked: whoever starts a
// program can write to it.
func atTerminal() person {
	// Once for a call: a list asks for each record, and finding out reads about every process above.
	return person{alone: sync.OnceValue(session.Alone), client: session.ClientDir,
		terminal: func() (io.ReadWriteCloser, error) {
			f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
			if err != nil {
				return nil, err
			}
			return terminal{f}, nil
		}}
}

// yourself is the hint where nobody is at a terminal.
const yourself = "type the command yourself in a terminal outside of Claude Code"

// asks reports whether a person runs this, and no client does.
func (p person) asks() bool { return p.alone() == nil }

// open returns the terminal if a person is at it, or an error with these hints.
func (p person) open(hints ...string) (io.ReadWriteCloser, error) {
	if err := p.alone(); err != nil {
		return nil, &failure{exitPerson, fmt.Errorf("only a person answers: %w", err), hints}
	}
	tty, err := p.terminal()
	if err != nil {
		return nil, &failure{exitPerson, fmt.Errorf("only a person at a terminal answers: %w", err), hints}
	}
	return tty, nil
}

// agrees shows what is to be changed, and reports whether the person at the controlling terminal says yes to
// each question. A dry run only prints it.
func (c *call) agrees(shown string, dryRun bool, questions ...string) (bool, error) {
	if dryRun {
		c.line("%s\nnothing was changed", shown)
		return false, nil
	}
	tty, err := c.person.open(yourself)
	if err != nil {
		return false, err
	}
	defer tty.Close()
	fmt.Fprintln(tty, shown)
	answers := bufio.NewReader(tty)
	for _, question := range questions {
		if ask(tty, answers, question, yesOrNo...) != yes {
			c.line("nothing was changed")
			return false, nil
		}
	}
	return true, nil
}

// A key is an answer of the person. They are the same wherever one is asked for.
type key byte

// The keys. noAnswer is the end of the input.
const (
	noAnswer key = 0
	yes      key = 'y'
	no       key = 'n'
	edit     key = 'e'
	later    key = 'l'
	undo     key = 'u'
	quit     key = 'q'
	explain  key = '?'
)

var keyWords = map[key]string{yes: "yes", no: "no", edit: "edit", later: "later", undo: "undo", quit: "quit",
	explain: "?"}

// keyHelp says what each key does in a review.
const keyHelp = `y  yes: carry out what the question asks
n  no: it is not offered again
e  edit: change the text in your editor first
l  later: it goes on waiting; a candidate until tomorrow
u  undo: take the last answer back
q  quit: what is not answered goes on waiting
`

// yesOrNo are the keys of a question that has two answers.
var yesOrNo = []key{yes, no}

// ask asks the person a question until they answer with one of the keys or its word:
// what is none of them is no answer, and never a no. The key for help says what the others do, and asks
// again.
func ask(tty io.Writer, answers *bufio.Reader, question string, keys ...key) key {
	choices := make([]string, len(keys))
	for i, k := range keys {
		choices[i] = "[" + string(k) + "]" + keyWords[k][1:]
	}
	asked := strings.Join(choices, ", ") + ": "
	fmt.Fprint(tty, question+" "+asked)
reading:
	for {
		line, ok := readLine(answers)
		if !ok {
			return noAnswer
		}
		for _, k := range keys {
			if strings.EqualFold(line, string(k)) || strings.EqualFold(line, keyWords[k]) {
				if k == explain {
					fmt.Fprint(tty, keyHelp+question+" "+asked)
					continue reading
				}
				return k
			}
		}
		if strings.EqualFold(line, string(quit)) || strings.EqualFold(line, keyWords[quit]) {
			return noAnswer // whoever wants to leave is not asked again
		}
		fmt.Fprint(tty, "Please answer with one letter. "+asked)
	}
}

// maxAnswer bounds an answer, in bytes.
const maxAnswer = 1024

// readLine reads one line of the person's; ok is false where the input ends before it
// does.
func readLine(r *bufio.Reader) (line string, ok bool) {
	var b []byte
	for len(b) < maxAnswer {
		ch, err := r.ReadByte()
		if err != nil {
			return "", false
		}
		if ch == '\n' || ch == '\r' {
			break
		}
		b = append(b, ch)
	}
	return strings.TrimSpace(string(b)), true
}
