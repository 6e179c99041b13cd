package learn

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

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
	for l := range bytes.Lines(lines) {
		if !gjson.ValidBytes(l) {
			continue
		}
		var a Answer
		is := 0
		gjson.ParseBytes(l).ForEach(func(k, v gjson.Result) bool {
			switch k.Str {
			case "version":
				is = int(v.Num)
			case "at":
				a.At, _ = time.Parse(time.RFC3339Nano, v.Str)
			case "finding":
				a.Number = int(v.Num)
			case "kept":
				a.Kept = v.Type == gjson.True
			case "category":
				a.Category = memory.Category(v.Str)
			case "by":
				a.By = v.Str
			case "heard":
				a.Heard = v.Str
			case "cues":
				for name := range strings.FieldsSeq(v.Str) {
					if f, ok := families[name]; ok {
						a.Cues |= 1 << f
					}
				}
			case "score":
				a.Score = v.Num
			}
			return true
		})
		switch {
		case is > version:
			err = ErrNewer
		case is == version && a.Number > 0 && !a.At.IsZero() && a.Score > 0 && a.Score <= 1 &&
			slices.Contains(categories, a.Category):
			all = append(all, a)
		}
	}
	return all, err
}

// Without returns answers without those about some findings.
func Without(all []Answer, numbers []int) []Answer {
	return slices.DeleteFunc(slices.Clone(all), func(a Answer) bool {
		return slices.Contains(numbers, a.Number)
	})
}
