package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// A key is an answer of the person. They are the same wherever one is asked for.
type key byte

// The keys. noAnswer is the end of the input.
const (
	noAnswer key = 0
	yes      key = 'y'
	no       key = 'n'
	edit     key = 'e'
	later    key = 'l'
	quit     key = 'q'
)

var keyWords = map[key]string{yes: "yes", no: "no", edit: "edit", later: "later", quit: "quit"}

// yesOrNo are the keys of a question that has two answers.
var yesOrNo = []key{yes, no}

// ask asks the person a question until they answer with one of the keys or its word:
// what is none of them is no answer, and never a no.
func ask(tty io.Writer, answers *bufio.Reader, question string, keys ...key) key {
	choices := make([]string, len(keys))
	for i, k := range keys {
		choices[i] = "[" + string(k) + "]" + keyWords[k][1:]
	}
	asked := strings.Join(choices, ", ") + ": "
	fmt.Fprint(tty, question+" "+asked)
	for {
		line, ok := readLine(answers)
		if !ok {
			return noAnswer
		}
		for _, k := range keys {
			if strings.EqualFold(line, string(k)) || strings.EqualFold(line, keyWords[k]) {
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
