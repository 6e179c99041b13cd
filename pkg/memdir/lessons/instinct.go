package lessons

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// An Instinct is a lesson that a person made a rule of.
type Instinct struct {
	ID      string
	Trigger string
	Action  string
	Status  string // active; anything else switches it off
}

// Print returns an entry as the YAML of an instinct. Every text is in quotation marks, so that YAML reads
// it as a text only.
func (e Entry) Print(day time.Time) []byte {
	var b strings.Builder
	b.WriteString("# What came up again and again, made a rule by a person. status: off switches it off.\n")
	for _, f := range [...][2]string{{"id", e.ID()}, {"title", e.Title}, {"trigger", e.Trigger},
		{"action", e.Next}, {"lesson", e.Lesson.Lesson}, {"source", e.Path},
		{"created", day.Format(time.DateOnly)}} {
		fmt.Fprintf(&b, "%s: %s\n", f[0], scalar(f[1]))
	}
	b.WriteString("seen:\n")
	for _, d := range e.Seen {
		fmt.Fprintf(&b, "  - %s\n", scalar(d))
	}
	b.WriteString("status: active\n")
	return []byte(b.String())
}

// scalar returns a text as a double-quoted scalar of YAML, which includes the strings of JSON.
func scalar(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(strings.ToValidUTF8(s, "\uFFFD")) // a string always has a JSON form
	return strings.TrimSpace(b.String())
}

// ParseInstinct reads what Print wrote, also where a person changed it: keys at the
// beginning of a line, with a text in quotation marks, plain or as a block of indented
// lines. Without a status it is active. ok is false for what has no trigger or no
// action.
func ParseInstinct(b []byte) (i Instinct, ok bool) {
	i.Status = "active"
	var open *string // the text that indented lines go on with
	for l := range strings.Lines(string(b)) {
		l = strings.TrimRight(l, " \t\r\n")
		if rest := strings.TrimLeft(l, " \t"); rest != l && open != nil {
			*open = strings.TrimSpace(*open + " " + rest)
			continue
		}
		key, value, found := strings.Cut(l, ":")
		if l != "" {
			open = nil
		}
		if !found {
			continue
		}
		into := map[string]*string{"id": &i.ID, "trigger": &i.Trigger, "action": &i.Action,
			"status": &i.Status}[key]
		if into == nil {
			continue
		}
		switch value = strings.TrimSpace(value); {
		case strings.HasPrefix(value, `"`):
			if s := ""; json.NewDecoder(strings.NewReader(value)).Decode(&s) == nil {
				*into = s
			}
			continue
		case len(value) > 1 && strings.HasPrefix(value, "'") && strings.HasSuffix(value, "'"):
			*into = strings.ReplaceAll(value[1:len(value)-1], "''", "'")
			continue
		case value != "" && strings.Trim(value, "|>+-") == "": // a block
			value = ""
		}
		value, _, _ = strings.Cut(value, " #")
		*into, open = strings.TrimSpace(value), into
	}
	return i, i.Trigger != "" && i.Action != ""
}
