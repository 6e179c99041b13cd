// Bench times whole hook processes as a client would start them, each beside
// an empty Go program that runs alternately in the same loop. What counts is
// the ratio: a machine's mood changes both. It is run by `make bench` after
// `make build`, judges nothing, and touches only a temporary folder.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"text/tabwriter"
	"time"

	"keepsake/internal/listing"
)

// A bench is one command with the input it reads. prepare runs before each
// timed run, outside the clock.
type bench struct {
	name    string
	aim     string // the project's own target, as printed
	argv    []string
	stdin   []byte
	prepare func() error
	base    []string // compared with; nil means the empty program
	// pre runs before each run of base.
	pre   func() error
	world *world // where it runs; nil means where everything does

	// inside is timed in this process, in the place of argv, and goes through size bytes.
	inside func() (time.Duration, error)
	size   int64
}

func main() {
	runs := flag.Int("n", 40, "runs of each")
	bin := flag.String("bin", "bin", "folder with the built programs")
	against := flag.String("against", "", "folder of another build, to compare the processor time of both")
	large := flag.Int64("large", 500<<20, "size of the large transcript, in bytes")
	rows := flag.String("rows", "", "only rows whose name matches this regular expression")
	records := flag.String("records", "100,10000", "numbers of records for scale")
	people := flag.String("people", "2,20", "numbers of people for scale")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(),
			"usage: bench [flags] "+
				"[hooks|precompact|listen|palace|drawers|recall|capture|given|findings|team|notes|lint|"+
				"memories|checks|branches|save|"+
				"where|why|status|recall-large|listing]..., or bench [flags] scale")
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx := untilStopped()
	var err error
	if flag.Arg(0) == "scale" {
		err = measureScale(ctx, *bin, *records, *people)
	} else {
		err = measure(ctx, *bin, *against, *runs, *large, *rows, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// measureScale prints what docs/scale.md says. It is no set: a million records take an hour.
func measureScale(ctx context.Context, bin, records, people string) error {
	sizes, err := numbers(records)
	if err != nil {
		return err
	}
	teams, err := numbers(people)
	if err != nil {
		return err
	}
	bin, err = filepath.Abs(bin)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "keepsake-scale-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w, err := newWorld(ctx, dir, bin)
	if err != nil {
		return err
	}
	return w.scale(os.Stdout, sizes, teams)
}

// measure runs the rows that match a regular expression, of the sets that are named or of all.
func measure(ctx context.Context, bin, against string, runs int, large int64, rows string,
	only []string) (err error) {
	row, err := regexp.Compile(rows)
	if err != nil {
		return fmt.Errorf("-rows: %w", err)
	}
	bin, err = filepath.Abs(bin)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "keepsake-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w, err := newWorld(ctx, dir, bin)
	if err != nil {
		return err
	}
	if against != "" {
		if err := os.CopyFS(w.other(), os.DirFS(against)); err != nil {
			return err
		}
	} else if slices.Contains(only, "listing") || len(only) == 0 {
		if err := printListing(os.Stdout); err != nil {
			return err
		}
	}
	// A set is run as soon as it is made, and one that can't be made takes nothing from the others.
	var errs []error
	for _, set := range w.sets(large) {
		if len(only) > 0 && !slices.Contains(only, set.name) {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		benches, err := set.make()
		if err == nil && against != "" {
			err = w.compare(os.Stdout, benches, row, runs)
		} else if err == nil {
			err = w.table(os.Stdout, benches, row, runs)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", set.name, err))
		}
	}
	return errors.Join(errs...)
}

// table runs the rows that match a regular expression and prints them.
func (w *world) table(to io.Writer, benches []bench, row *regexp.Regexp, runs int) error {
	benches = slices.DeleteFunc(benches, func(b bench) bool { return !row.MatchString(b.name) })
	if len(benches) == 0 {
		return nil
	}
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	defer out.Flush()
	fmt.Fprintln(out, "what\tmedian ms\tbase ms\tratio\taim\tCPU ms\tpeak MB")
	for _, b := range benches {
		if b.inside != nil {
			r, err := runInside(b, runs)
			if err != nil {
				return fmt.Errorf("%s: %w", b.name, err)
			}
			fmt.Fprintf(out, "%s\t%.2f\t\t%.0f MB/s\t%s\t\t\n", b.name, ms(r.median),
				float64(b.size)/1e6/r.median.Seconds(), b.aim)
			continue
		}
		r, err := w.run(b, runs)
		if err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		fmt.Fprintf(out, "%s\t%.2f\t%.2f\t%.2f\t%s\t%.2f\t%.0f\n", b.name, ms(r.median), ms(r.base), r.ratio,
			b.aim, ms(r.cpu), float64(r.peak)/1024)
	}
	return nil
}

// printListing prints how much of every session the descriptions of skills and agents take.
func printListing(out io.Writer) error {
	skills, agents, err := listing.Lines(".")
	if err != nil {
		return err
	}
	for _, part := range []struct {
		name  string
		lines []string
	}{{"skills", skills}, {"agents", agents}, {"both", append(skills, agents...)}} {
		fmt.Fprintf(out, "every session, %s: %d lines, about %d tokens\n", part.name, len(part.lines),
			listing.Tokens(part.lines))
	}
	_, err = fmt.Fprintf(out, "aim: <= %d tokens (a token is 3.5 characters of ASCII, or one other)\n\n",
		listing.Limit)
	return err
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

type result struct {
	median, base time.Duration
	ratio        float64       // median of the ratios pair by pair
	cpu          time.Duration // median of what all threads took, in the program and in the system
	peak         int64         // largest resident set of some runs, in KiB
}

func (w *world) run(b bench, runs int) (result, error) {
	if b.world != nil {
		w = b.world
	}
	var mine, base, cpus []time.Duration
	var ratios []float64
	var r result
	other := b.base
	if other == nil {
		other = []string{w.empty}
	}
	for i := range runs + 2 {
		if b.pre != nil {
			if err := b.pre(); err != nil {
				return r, err
			}
		}
		t0, _, err := w.once(other, b.stdin)
		if err != nil {
			return r, err
		}
		if b.prepare != nil {
			if err := b.prepare(); err != nil {
				return r, err
			}
		}
		t1, used, err := w.once(b.argv, b.stdin)
		if err != nil {
			return r, err
		}
		if i < 2 { // warm-up
			continue
		}
		base, mine = append(base, t0), append(mine, t1)
		cpus = append(cpus, time.Duration(used.Utime.Nano()+used.Stime.Nano()))
		ratios = append(ratios, float64(t1)/float64(t0))
	}
	for range min(runs, 3) { // apart, since what starts the program in between takes time
		if b.prepare != nil {
			if err := b.prepare(); err != nil {
				return r, err
			}
		}
		peak, err := w.weighed(b.argv, b.stdin)
		if err != nil {
			return r, err
		}
		r.peak = max(r.peak, peak)
	}
	r.median, r.base, r.cpu, r.ratio = median(mine), median(base), median(cpus), median(ratios)
	return r, nil
}

func median[T int64 | float64 | time.Duration](xs []T) T {
	slices.Sort(xs)
	return xs[len(xs)/2]
}

// weighed runs a process to its end and returns its largest resident set, in KiB: see the program peak.
func (w *world) weighed(argv []string, stdin []byte) (int64, error) {
	file := filepath.Join(w.dir, "peak-of")
	if _, _, err := w.once(append([]string{w.peak, file}, argv...), stdin); err != nil {
		return 0, err
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(string(b), 10, 64)
}

// once runs a process to its end and returns how long it took and what it used. Input comes from a file, so
// that no copying is timed.
func (w *world) once(argv []string, stdin []byte) (time.Duration, *syscall.Rusage, error) {
	in := filepath.Join(w.dir, "stdin")
	if err := os.WriteFile(in, stdin, 0o600); err != nil {
		return 0, nil, err
	}
	f, err := os.Open(in)
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	cmd := w.command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Env, cmd.Dir = f, w.env, w.project
	var said bytes.Buffer
	cmd.Stderr = &said
	start := time.Now()
	err = cmd.Run()
	took := time.Since(start)
	if w.ctx.Err() != nil {
		return 0, nil, context.Cause(w.ctx)
	}
	if err != nil || said.Len() > 0 {
		return 0, nil, fmt.Errorf("%v: %v %s", argv, err, said.Bytes())
	}
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return took, usage, nil
}
