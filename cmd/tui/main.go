// Command tui draws the page of keepsake review at the controlling terminal. keepsake starts it as
// bin/libexec/tui, so that no other start pays for the libraries that draw. It decides nothing and reads no
// memories: it gets a libexec.Review on its standard input, one JSON object after the other, and prints a
// libexec.ReviewAnswer for each. keepsake carries out the answers.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	tea "charm.land/bubbletea/v2"

	"keepsake/pkg/libexec"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "tui: %v; hint: `keepsake review` runs this; ACCESSIBLE=1 does without it\n",
			err)
		os.Exit(1)
	}
}

// A keepsake carries out answers. It returns what to show next.
type keepsake interface {
	Answer(libexec.ReviewAnswer) (libexec.Review, error)
}

// A pipe is the keepsake that started this program.
type pipe struct {
	in  *json.Decoder
	out *json.Encoder
}

func (p pipe) Answer(a libexec.ReviewAnswer) (r libexec.Review, err error) {
	if err = p.out.Encode(a); err == nil {
		err = p.in.Decode(&r)
	}
	return r, err
}

func run(in io.Reader, out io.Writer) error {
	p := pipe{json.NewDecoder(in), json.NewEncoder(out)}
	var first libexec.Review
	if err := p.in.Decode(&first); err != nil {
		return fmt.Errorf("read what to show: %w", err)
	}
	from, to, err := tea.OpenTTY()
	if err != nil {
		return err
	}
	defer from.Close()
	defer to.Close()
	last, err := tea.NewProgram(newModel(p, first), tea.WithInput(from), tea.WithOutput(to)).Run()
	if m, ok := last.(model); err == nil && ok {
		err = m.err
	}
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil // keepsake has ended
		}
		return err
	}
	// The terminal is as it was now: keepsake may print.
	return p.out.Encode(libexec.ReviewAnswer{Key: libexec.ReviewQuit})
}
