package rules

import (
	"slices"
	"testing"
)

// TestResultOf: the shapes are those of MemPalace 3.3.6.
func TestResultOf(t *testing.T) {
	for _, c := range []struct {
		name, response string
		ok             bool
		stored         []string
	}{
		{"a drawer",
			`[{"type":"text","text":"{\"success\":true,\"drawer_id\":\"drawer_w_r_1\",\"chunks\":1}"}]`, true,
			[]string{"drawer_w_r_1"}},
		{"its chunks",
			`[{"type":"text","text":"{\"success\":true,\"drawer_id\":\"d\",\"chunks\":2,\"chunk_ids\":[\"d_0\",\"d_1\"]}"}]`, true, []string{"d", "d_0", "d_1"}},
		{"a failure that the protocol does not mark",
			`[{"type":"text","text":"{\n  \"success\": false,\n  \"error\": \"wing contains invalid characters\"\n}"}]`, false, nil},
		{"an error without success",
			`[{"type":"text","text":"{\"error\":\"Target room 'nope' does not exist\"}"}]`, false, nil},
		{"a fact",
			`[{"type":"text","text":"{\"success\":true,\"triple_id\":\"t_a_uses_b_1\",\"fact\":\"a\"}"}]`,
			true, []string{"t_a_uses_b_1"}},
		{"a tunnel", `[{"type":"text","text":"{\"id\":\"0123456789abcdef\",\"label\":\"x\"}"}]`, true,
			[]string{"0123456789abcdef"}},
		{"a diary entry",
			`{"content":[{"type":"text","text":"{\"success\":true,\"entry_id\":\"diary_w_1\"}"}]}`, true,
			[]string{"diary_w_1"}},
		{"structured", `{"structuredContent":{"success":false}}`, false, nil},
		{"marked by the protocol", `{"isError":true,"content":[{"type":"text","text":"boom"}]}`, false, nil},
		{"an empty error", `{"error":null,"success":true}`, true, nil},
		{"words", `"done"`, true, nil},
		{"a shell", `{"stdout":"{\"success\":false}","stderr":"","interrupted":false}`, true, nil},
		{"nothing", ``, true, nil},
		{"broken", `[{"type":`, true, nil},
		{"words that look like a failure",
			`[{"type":"text","text":"{\"success\":true,\"label\":\"{\\\"success\\\":false}\"}"}]`, true, nil},
	} {
		o := ResultOf([]byte(c.response))
		if o.OK != c.ok || !slices.Equal(o.Stored, c.stored) {
			t.Errorf("%s: %+v", c.name, o)
		}
	}
}

func FuzzResultOf(f *testing.F) {
	f.Add([]byte(`[{"type":"text","text":"{\"success\":true,\"drawer_id\":\"d\"}"}]`))
	f.Fuzz(func(t *testing.T, response []byte) {
		if o := ResultOf(response); len(o.Stored) > maxStored || o.OK && o.Error != "" {
			t.Errorf("%+v", o)
		}
	})
}
