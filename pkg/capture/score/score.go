// Package score says how likely a statement of a conversation is worth keeping, and as what.
//
// The model is linear: every feature of a statement, named ones and hashed words, adds its weight to each of
// six columns, none and the five categories of statements, and the columns become probabilities. The weights
// were fitted on labelled sessions by internal/train and lie in weights.bin; weights.md says on which data.
// There is nothing to load and nothing to build: a hook reads the weights where the linker put them.
//
// A judgement can be taken apart: Explain says what each feature adds. Words are hashed, and weights of
// words are kept in steps, so that the whole is small. CONTRIBUTING.md has a recipe for a feature, and one
// for fitting the weights again, which a feature that is added or taken away needs.
//
// The package is pure.
package score

import (
	"cmp"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"keepsake/pkg/memory"
)

// Columns of the model: none, and the categories of Categories.
const columns = 1 + len(Categories)

// Categories are the categories that the model tells apart, in its order.
var Categories = [...]memory.Category{memory.Decision, memory.Runbook, memory.Constraint, memory.TechDebt,
	memory.Preference}

// buckets is how many buckets the words are hashed into.
const buckets = 1 << 14

// A Model has the weights of the features.
type Model struct {
	named [][columns]float32 // by feature
	words string             // int8, columns of a bucket side by side
	scale [columns]float32   // what one step of words is worth
}

//go:embed weights.bin
var weights string

// shipped is where the weights of this build were decoded to. A hook decodes them when it needs them.
var shipped *Model

// Shipped returns the model of this build.
func Shipped() *Model {
	if shipped == nil {
		m, err := Decode(weights)
		if err != nil { // a test holds that it never is
			m = &Model{named: make([][columns]float32, named), words: strings.Repeat("\x00", buckets*columns)}
		}
		shipped = m
	}
	return shipped
}

// Use makes Shipped return another model until restore is called, so that a cross-validation can run the
// hooks' own path with each of its models.
func Use(m *Model) (restore func()) {
	old := Shipped()
	shipped = m
	return func() { shipped = old }
}

// Worth returns the probability that a statement with these features is worth keeping.
func (m *Model) Worth(named []Value, words []uint32, share float32) float64 {
	return 1 - m.odds(&Features{Named: named, Words: words, Share: share})[0]
}

// Odds are the probabilities of a statement, by column: of none, then of Categories.
type Odds [columns]float64

// Worth returns the probability that a statement is worth keeping in a category that is not off, and the
// likeliest of those.
func (o Odds) Worth(off map[memory.Category]bool) (c memory.Category, p float64) {
	best := 0.0
	for i, cat := range Categories {
		if off[cat] {
			continue
		}
		if p += o[i+1]; o[i+1] > best {
			c, best = cat, o[i+1]
		}
	}
	return c, p
}

// Judge returns the odds of a statement.
func (m *Model) Judge(in *Input) Odds {
	f := lent.Get().(*Features)
	defer lent.Put(f)
	f.Extract(in)
	return m.odds(f)
}

// lent has features for one statement after the other, as a conversation has thousands.
var lent = sync.Pool{New: func() any {
	return &Features{Named: make([]Value, 0, 64), Words: make([]uint32, 0, 2*maxWords)}
}}

func (m *Model) odds(f *Features) Odds {
	var sum [columns]float64
	for _, x := range f.Named {
		w := &m.named[x.At]
		for c := range sum {
			sum[c] += float64(w[c] * x.Value)
		}
	}
	var steps [columns]int
	for _, at := range f.Words {
		w := m.words[int(at)*columns:][:columns]
		for c := range steps {
			steps[c] += int(int8(w[c]))
		}
	}
	for c := range sum {
		sum[c] += float64(float32(steps[c]) * m.scale[c] * f.Share)
	}
	return softmax(sum)
}

func softmax(sum [columns]float64) (o Odds) {
	most, total := slices.Max(sum[:]), 0.0
	for c, s := range sum {
		o[c] = math.Exp(s - most)
		total += o[c]
	}
	for c := range o {
		o[c] /= total
	}
	return o
}

// A Reason is what one feature adds to the log odds of a column against none.
type Reason struct {
	Name string
	Adds float64
}

// Explain returns the odds of a statement and what its features add to those of a category, against none:
// the strongest first. events are the names of the bits of Input.Events.
func (m *Model) Explain(in *Input, c memory.Category, events []string) (Odds, []Reason) {
	var f Features
	f.texts = map[uint32]string{}
	f.Extract(in)
	col := slices.Index(Categories[:], c) + 1
	var all []Reason
	for _, x := range f.Named {
		w := m.named[x.At]
		all = append(all, Reason{name(int(x.At), events), float64((w[col] - w[0]) * x.Value)})
	}
	for _, at := range f.Words {
		w := m.words[int(at)*columns:][:columns]
		adds := float32(int8(w[col]))*m.scale[col] - float32(int8(w[0]))*m.scale[0]
		all = append(all, Reason{`"` + f.texts[at] + `"`, float64(adds * f.Share)})
	}
	slices.SortStableFunc(all, func(x, y Reason) int {
		return cmp.Compare(math.Abs(y.Adds), math.Abs(x.Adds))
	})
	return m.odds(&f), all
}

// Strongest returns the n named features that speak most for a category, against none, the strongest first.
// events are as in Explain.
func (m *Model) Strongest(c memory.Category, n int, events []string) (all []Reason) {
	col := slices.Index(Categories[:], c) + 1
	for at, w := range m.named {
		if adds := float64(w[col] - w[0]); adds > 0 {
			all = append(all, Reason{name(at, events), adds})
		}
	}
	slices.SortStableFunc(all, func(x, y Reason) int { return cmp.Compare(y.Adds, x.Adds) })
	return all[:min(n, len(all))]
}

// magic begins a file of weights. Its number rises when the form of the file or a feature changes.
const magic = "keepsake weights 1\n"

// Encode returns a model in the form of weights.bin: the magic line, how many named features there are, their
// weights, the scales and the weights of the words.
func (m *Model) Encode() []byte {
	out := []byte(magic)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(m.named)))
	for _, w := range m.named {
		for _, x := range w {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	for _, x := range m.scale {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return append(out, m.words...)
}

// Decode returns the model that Encode wrote. It is an error if the weights are of other features.
func Decode(data string) (*Model, error) {
	rest, ok := strings.CutPrefix(data, magic)
	if !ok {
		return nil, errors.New("these are no weights of this version: fit them again (internal/train)")
	}
	if want := 4 + 4*columns*(named+1) + buckets*columns; len(rest) != want {
		return nil, fmt.Errorf("weights of %d bytes, and these features need %d: fit them again "+
			"(internal/train)", len(rest), want)
	}
	number := func() float32 {
		v := uint32(rest[0]) | uint32(rest[1])<<8 | uint32(rest[2])<<16 | uint32(rest[3])<<24
		rest = rest[4:]
		return math.Float32frombits(v)
	}
	rest = rest[4:]
	m := &Model{named: make([][columns]float32, named)}
	for i := range m.named {
		for c := range m.named[i] {
			m.named[i][c] = number()
		}
	}
	for c := range m.scale {
		m.scale[c] = number()
	}
	m.words = rest
	return m, nil
}

// New returns a model with the weights of named features and of words, each by column, as fitted. The words
// are stored in steps of a 127th of the greatest weight of their column.
func New(byName, byWord [][columns]float64) *Model {
	m := &Model{named: make([][columns]float32, len(byName))}
	for i, w := range byName {
		for c, x := range w {
			m.named[i][c] = float32(x)
		}
	}
	for _, w := range byWord {
		for c, x := range w {
			m.scale[c] = max(m.scale[c], float32(math.Abs(x))/127)
		}
	}
	words := make([]byte, 0, len(byWord)*columns)
	for _, w := range byWord {
		for c, x := range w {
			step := 0.0
			if m.scale[c] > 0 {
				step = math.Round(x / float64(m.scale[c]))
			}
			words = append(words, byte(int8(max(-127, min(127, step)))))
		}
	}
	m.words = string(words)
	return m
}

// Columns, Named and Buckets are the sizes of a model, for the trainer.
const (
	Columns = columns
	Named   = named
	Buckets = buckets
)

// Cue returns the name of the cue that speaks most for a category in a statement, such as "cue: limit" or
// "cues: cause and fix"; it is "words" if none does.
func (m *Model) Cue(in *Input, c memory.Category) string {
	f := lent.Get().(*Features)
	defer lent.Put(f)
	f.names(in)
	col := slices.Index(Categories[:], c) + 1
	best, by := float32(0), "words"
	for _, x := range f.Named {
		if at := int(x.At); at >= atCue && at < atBefore || at >= atPair && at < atEvent {
			if w := (m.named[x.At][col] - m.named[x.At][0]) * x.Value; w > best {
				if best = w; at >= atTyped && at < atBefore {
					at -= cueBits // whoever said it
				}
				by = name(at, nil)
			}
		}
	}
	return by
}
