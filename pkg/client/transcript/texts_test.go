package transcript

import (
	"strings"
	"testing"
)

// TestTexts: all words of a line are read, in any kind of block.
func TestTexts(t *testing.T) {
	picture := strings.Repeat("iVBORw0KGgo", 100)
	for line, want := range map[string]string{
		`{"message":{"content":"plain"}}`:                                                                  "plain",
		`{"message":{"content":[{"type":"text","text":"a"},"b"]}}`:                                         "a b",
		`{"message":{"content":[{"type":"tool_use","id":"t1","name":"X","input":{"type":"c","id":"d"}}]}}`: "X c d",
		`{"message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"a"}]}}`:                "a",
		`{"message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"a"},
			{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"b"}]}]}]}}`: "a s t text b",
		`{"message":{"content":[{"type":"tool_result","content":[{"type":"document",
			"source":{"type":"text","media_type":"text/plain","data":"a"}}]}]}}`: "text text/plain a",
		`{"message":{"content":[{"type":"tool_result","content":[{"type":"image",
			"source":{"type":"base64","media_type":"image/png","data":"` + picture + `"}}]}]}}`: "",
		`{"message":{"content":[{"type":"tool_result","content":{"type":"json","json":{"run x":["y"]}}}]}}`: "run x y",
		`{"attachment":{"type":"file","content":{"file":{"content":"a"}}}}`:                                 "a",
	} {
		got, err := Texts([]byte(line))
		if err != nil || strings.Join(strings.Fields(got), " ") != want {
			t.Errorf("%s: %q, %v; want %q", line, got, err, want)
		}
	}
	if _, err := Texts([]byte(`{"message":`)); err == nil {
		t.Error("half a line was read")
	}
}

// FuzzTexts: any line is read or refused, and the result has only words of the line.
func FuzzTexts(f *testing.F) {
	for _, s := range []string{`{"message":{"content":"a"}}`,
		rolled("response_item", `{"output":[{"text":"a"}],"arguments":"b"}`),
		`{"attachment":{"x":["y",{"z":"w"}]}}`, "", "{",
		"[]",
		`{"message":{"content":[{"type":"tool_result","content":[{"type":"document","source":{"data":"d"}}]}]}}`,
		`{"message":{"content":[{"type":"tool_result","content":{"k":"v"}},"s",null,3]}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		text, err := Texts(line)
		if err != nil && text != "" {
			t.Errorf("%q beside %v", text, err)
		}
		// a byte that is not UTF-8 becomes three, and each line ends with one more
		if len(text) > 4*len(line)+1 {
			t.Errorf("%d bytes of %d", len(text), len(line))
		}
	})
}
