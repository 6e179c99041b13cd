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
	for rest := string(lines); rest != ""; {
		var l string
		l, rest, _ = strings.Cut(rest, "\n")
		a, is, ok := parseLine(l, families)
		switch {
		case is > version:
			err = ErrNewer
		case ok && is == version && a.Number > 0 && a.Score > 0 && a.Score <= 1 &&
			slices.Contains(categories, a.Category):
			all = append(all, a)
		}
	}
	return all, err
}

// parseLine reads a flat JSON object without blanks and escapes, and returns the version of its form. ok is
// false if it is none, or if one of its values has another form.
func parseLine(object string, families map[string]cues.Family) (a Answer, is int, ok bool) {
	rest, ok := strings.CutPrefix(object, `{"`)
	for ok {
		var key, value string
		if key, rest, ok = strings.Cut(rest, `"`); !ok || !strings.HasPrefix(rest, ":") {
			return a, is, false
		}
		if rest = rest[1:]; strings.HasPrefix(rest, `"`) {
			value, rest, ok = strings.Cut(rest[1:], `"`)
			ok = ok && strings.IndexByte(value, '\\') < 0
		} else {
			end := 0
			for end < len(rest) && rest[end] != ',' && rest[end] != '}' {
				end++
			}
			value, rest = rest[:end], rest[end:]
		}
		var err error
		switch key {
		case "version":
			is, err = strconv.Atoi(value)
		case "at":
			a.At, err = time.Parse(time.RFC3339Nano, value)
			a.At = a.At.UTC()
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
			a.Cues = cuesOf(value, families)
		case "score":
			a.Score, err = strconv.ParseFloat(value, 64)
		}
		if !ok || err != nil || rest == "}" {
			return a, is, ok && err == nil
		}
		rest, ok = strings.CutPrefix(rest, `,"`)
	}
	return a, is, false
}

// cuesOf returns the families whose names a text has.
func cuesOf(names string, families map[string]cues.Family) (found cues.Set) {
	for names != "" {
		var name string
		name, names, _ = strings.Cut(names, " ")
		if f, ok := families[name]; ok {
			found |= 1 << f
		}
	}
	return found
}

// Without returns answers without those about some findings.
func Without(all []Answer, numbers []int) []Answer {
	return slices.DeleteFunc(slices.Clone(all), func(a Answer) bool {
		return slices.Contains(numbers, a.Number)
	})
}
