package libexec

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// serveLimit is how long a program takes for one answer at most: whoever started it may be gone.
const serveLimit = time.Minute

// Serve answers what Program.Ask asks, until the input ends. It reads at most so many bytes of one question.
func Serve[Question, Answer any](in io.Reader, out io.Writer, most int64,
	answer func(Question) Answer) error {
	bounded := &io.LimitedReader{R: in}
	from, to := json.NewDecoder(bounded), json.NewEncoder(out)
	for {
		bounded.N = most
		var q Question
		if err := from.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read a question: %w", err)
		}
		late := time.AfterFunc(serveLimit, func() {
			fmt.Fprintf(os.Stderr, "%s: no answer within %v\n", filepath.Base(os.Args[0]), serveLimit)
			os.Exit(1)
		})
		err := to.Encode(answer(q))
		late.Stop()
		if err != nil {
			return fmt.Errorf("print an answer: %w", err)
		}
	}
}
