package learn

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/capture/cues"
	"keepsake/pkg/memory"
)

// version is that of the lines.
const version = 1

// ErrNewer is the error for answers that a newer Keepsake wrote. They are not rewritten.
var ErrNewer = errors.New("a newer version of keepsake wrote these answers; hint: update keepsake")

// line is an answer as it is written.
type line struct {
	Version  int             `json:"version"`
	At       string          `json:"at"`
	Finding  int             `json:"finding"`
	Kept     bool            `json:"kept"`
	Category memory.Category `json:"category"`
	By       string          `json:"by"`
	Heard    string          `json:"heard"`
	Cues     string          `json:"cues"`
	Score    float64         `json:"score"`
}

// Encode returns the lines of the answers that count, oldest first.
func Encode(all []Answer) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	for _, a := range counted(all) {
		var families []string
		for f := range cues.Family(cues.Count) {
			if a.Cues.Has(f) {
				families = append(families, f.String())
			}
		}
		// What is encoded is a flat struct of words and finite numbers, and the buffer takes everything.
		_ = e.Encode(line{version, a.At.UTC().Format(time.RFC3339Nano), a.Number, a.Kept, a.Category, a.By,
			a.Heard, strings.Join(families, " "), a.Score})
	}
	return out.Bytes()
}

// Parse reads lines that Encode wrote. A line that can't be read costs itself, and so does the name of a
// family that there is no more. If a line is of a newer version, the error is ErrNewer.
//
// Stop reads them each time, and a reader of any JSON takes four times as long.
func Parse(lines []byte) (all []Answer, err error) {
	if len(lines) == 0 {
		return nil, nil
	}
	families := make(map[string]cues.Family, cues.Count)
	for f := range cues.Family(cues.Count) {
		families[f.String()] = f
	}
	all = make([]Answer, 0, bytes.Count(lines, []byte("\n")))
	categories := memory.Categories()
	for l := range strings.Lines(string(lines)) {
		var a Answer
		var is int
		ok := eachPair(strings.TrimSuffix(l, "\n"), func(key, value string) (err error) {
			switch key {
			case "version":
				is, err = strconv.Atoi(value)
			case "at":
				a.At, err = time.Parse(time.RFC3339Nano, value)
			case "finding":
				a.Number, err = strconv.Atoi(value)
			case "kept":
				a.Kept, err = strconv.ParseBool(value)
			case "category":
				a.Category = memory.Category(value)
			case "by":
				a.By = value
			case "heard":
				a.Heard = value
			case "cues":
				for name := range strings.FieldsSeq(value) {
					if f, ok := families[name]; ok {
						a.Cues |= 1 << f
					}
				}
			case "score":
				a.Score, err = strconv.ParseFloat(value, 64)
			}
			return err
		})
		switch {
		case is > version:
			err = ErrNewer
		case ok && is == version && a.Number > 0 && a.Score > 0 && a.Score <= 1 &&
			slices.Contains(categories, a.Category):
			a.At = a.At.UTC()
			all = append(all, a)
		}
	}
	return all, err
}

// eachPair calls each with the keys and values of a flat JSON object without blanks and escapes, and reports
// whether it is one whose values are all as they should be.
func eachPair(object string, each func(key, value string) error) bool {
	rest, ok := strings.CutPrefix(object, "{")
	for ok && rest != "" {
		var key, value string
		if rest, ok = strings.CutPrefix(rest, `"`); !ok {
			return false
		}
		if key, rest, ok = strings.Cut(rest, `":`); !ok {
			return false
		}
		if word, is := strings.CutPrefix(rest, `"`); is {
			if value, rest, ok = strings.Cut(word, `"`); !ok || strings.IndexByte(value, '\\') >= 0 {
				return false
			}
		} else {
			end := strings.IndexAny(rest, ",}")
			if end < 0 {
				return false
			}
			value, rest = rest[:end], rest[end:]
		}
		if each(key, value) != nil {
			return false
		}
		if rest == "}" {
			return true
		}
		rest, ok = strings.CutPrefix(rest, ",")
	}
	return false
}

// Without returns answers without those about some findings.
func Without(all []Answer, numbers []int) []Answer {
	return slices.DeleteFunc(slices.Clone(all), func(a Answer) bool {
		return slices.Contains(numbers, a.Number)
	})
}
