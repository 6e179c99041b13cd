package transcript

import (
	"strconv"
	"strings"
	"testing"
)

func TestPrivateSpansAreNeverRead(t *testing.T) {
	long := strings.Repeat("x", MaxText)
	for _, c := range []struct{ said, want string }{
		{"We decided on Postgres. <private>the merger is on friday</private> Because of jsonb.",
			"We decided on Postgres.  Because of jsonb."},
		{"<PRIVATE>all of it</private>", ""},
		{"Open <private>to the end\nmerger", "Open"},
		{"<private>merger" + long + "</private>kept", "kept"},
	} {
		var lines string
		for _, l := range []string{
			`{"type":"user","uuid":"1","message":{"role":"user","content":` + strconv.Quote(c.said) + `}}`,
			`{"type":"assistant","uuid":"2","message":{"id":"m","role":"assistant","content":[{"type":"text","text":` + strconv.Quote(c.said) + `}]}}`,
			`{"type":"attachment","uuid":"3","attachment":{"type":"queued_command","prompt":` +
				strconv.Quote(c.said) + `}}`,
			`{"type":"user","uuid":"4","message":{"role":"user","content":[{"type":"tool_result","content":` +
				strconv.Quote(c.said) + `}]}}`,
		} {
			lines += l + "\n"
		}
		src := strings.NewReader(lines)
		span, err := Read(src, Request{Whole: true, LastAssistant: "And last: " + c.said})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range span.Entries {
			if strings.Contains(e.Text, "merger") || strings.Contains(e.Text, "all of it") {
				t.Errorf("%.40q: read as %.100q", c.said, e.Text)
			}
			if e.Who == Person && e.UUID == "1" && e.Text != c.want {
				t.Errorf("%.40q: %.100q, want %.100q", c.said, e.Text, c.want)
			}
			if e.Who == Person && e.Text == "" {
				t.Errorf("%.40q: an entry of nothing", c.said)
			}
		}
	}
}
