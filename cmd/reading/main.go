// Command reading takes memories out of Markdown. `keepsake records import` starts it as
// bin/libexec/reading, so that nothing else links the parsers of Markdown and YAML,
// whose tables slow every start. It reads exchange.Text, one JSON object after the
// other, and prints one exchange.Reading for each, until its input ends. It opens no
// file.
package main

import (
	"fmt"
	"io"
	"os"

	"keepsake/pkg/importer/exchange"
	"keepsake/pkg/importer/reading"
	"keepsake/pkg/libexec"
)

// most is the longest JSON that is read of one text, in bytes: in base64 its bytes
// are a third more.
const most = 2 * exchange.MaxText

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "reading: %v; hint: `keepsake records import` runs this\n", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error { return libexec.Serve(in, out, most, reading.Read) }
