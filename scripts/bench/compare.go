package main

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// other is the folder of the programs that those of bin are compared with.
func (w *world) other() string { return filepath.Join(w.dir, "other", "bin") }

// compare runs the rows that match a regular expression with both folders of programs and the empty program,
// each in turn, and prints what processor time they take: on a machine that others use too, a wall clock
// tells of these.
func (w *world) compare(to io.Writer, benches []bench, row *regexp.Regexp, runs int) error {
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	defer out.Flush()
	fmt.Fprintln(out, "CPU ms, median (quarter)\tempty\tagainst\tbin\tratio\twas\taim")
	for _, b := range benches {
		if !row.MatchString(b.name) || b.inside != nil || b.base != nil {
			continue
		}
		here := w
		if b.world != nil {
			here = b.world
		}
		var took [3][]time.Duration
		for i := range runs + 2 {
			for n, folder := range []string{"", w.other(), w.bin} {
				argv := slices.Clone(b.argv)
				for i := range argv {
					argv[i] = strings.ReplaceAll(argv[i], w.bin, folder)
				}
				if n == 0 {
					argv = []string{w.empty}
				} else if b.prepare != nil {
					if err := b.prepare(); err != nil {
						return err
					}
				}
				_, used, err := here.once(argv, b.stdin)
				if err != nil {
					return fmt.Errorf("%s: %w", b.name, err)
				}
				if i >= 2 { // warm
					took[n] = append(took[n], time.Duration(used.Utime.Nano()+used.Stime.Nano()))
				}
			}
		}
		fmt.Fprint(out, b.name)
		for _, t := range took {
			fmt.Fprintf(out, "\t%.2f (%.2f)", ms(median(t)), ms(t[len(t)/4]))
		}
		empty := ms(median(took[0]))
		fmt.Fprintf(out, "\t%.2f\t%.2f\t%s\n", ms(median(took[2]))/empty, ms(median(took[1]))/empty, b.aim)
	}
	return nil
}
