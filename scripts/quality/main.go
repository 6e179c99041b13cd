// Quality prints one table of how good Keepsake's judgement is on a directory of data with known answers, and
// says what it skipped for want of data. It is run by `make quality QUALITY=DIR`; docs/quality.md says what
// the data looks like and what the figures mean.
package main

import (
	"fmt"
	"os"
	"strings"

	"keepsake/pkg/eval"
	"keepsake/pkg/project/config"
	"keepsake/pkg/text"
)

func main() {
	dir := ""
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	defaults, _ := config.Parse(nil, nil)
	lines, err := eval.Overview(dir, eval.Options{Triage: defaults.TriageOptions()})
	if err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
	fmt.Println(text.Clean(strings.Join(lines, "\n")))
}
