package transcript

import "testing"

func TestWindow(t *testing.T) {
	for _, c := range []struct {
		selected, answered string
		want               int64
	}{
		{"claude-opus-4-6[1m]", "claude-opus-4-6", 1_000_000},
		{"claude-opus-4-6[1M]", "", 1_000_000},
		{"claude-opus-4-6", "claude-opus-4-6", 200_000},
		{"claude-haiku-4-5-20251001", "claude-haiku-4-5-20251001", 200_000},
		{"claude-haiku-4-5", "claude-haiku-4-5-20251001", 200_000},
		{"us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5", 200_000},
		{"claude-sonnet-4-5@20250929", "", 200_000},
		{"claude-opus-5", "claude-opus-5", 1_000_000},
		// changed since: the new model may have a wider window, so the size is unknown
		{"claude-opus-4-6[1m]", "claude-haiku-4-5", 0},
		{"claude-haiku-4-5", "claude-opus-5", 1_000_000},
		// not named at the start: in -p, after a resume or /clear
		{"", "claude-opus-5", 1_000_000},
		{"", "claude-sonnet-4-6", 0},
		{"", "", 0},
		{"opus", "claude-opus-5", 1_000_000},
		{"somebody/else-7b", "somebody/else-7b", 0},
		{"somebody/else[1m]", "somebody/else", 1_000_000},
		{"claude-opus-4-9", "claude-opus-4-9", 0},
	} {
		if got := Window(c.selected, c.answered); got != c.want {
			t.Errorf("%q, then %q: %d, want %d", c.selected, c.answered, got, c.want)
		}
	}
}
