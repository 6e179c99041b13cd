// Command reading takes memories out of Markdown. `keepsake records import` starts it as
// bin/libexec/reading, so that nothing else links the parsers of Markdown and YAML,
// whose tables slow every start. It reads exchange.Text, one JSON object after the
// other, and prints one exchange.Reading for each, until its input ends. It opens no
// file.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"keepsake/pkg/importer/exchange"
	"keepsake/pkg/importer/reading"
)

// limit is how long one text may take: whoever started this may be gone.
const limit = time.Minute

// most is the longest JSON that is read of one text, in bytes: in base64 its bytes
// are a third more.
const most = 2 * exchange.MaxText

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "reading: %v; hint: `keepsake records import` runs this\n", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	bounded := &io.LimitedReader{R: in}
	from, to := json.NewDecoder(bounded), json.NewEncoder(out)
	for {
		bounded.N = most
		var t exchange.Text
		if err := from.Decode(&t); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read a text: %w", err)
		}
		late := time.AfterFunc(limit, func() {
			fmt.Fprintf(os.Stderr, "reading: %s was not read within %v\n", t.File, limit)
			os.Exit(1)
		})
		err := to.Encode(reading.Read(t))
		late.Stop()
		if err != nil {
			return fmt.Errorf("print what %s has: %w", t.File, err)
		}
	}
}
