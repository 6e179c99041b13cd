package change

import (
	"testing"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// TestOnceEndsNoRule says that one of many times that is not as the others ends no rule.
func TestOnceEndsNoRule(t *testing.T) {
	const (
		releases = "Releases happen on Thursdays."
		every    = "Releases go out every Thursday."
		grooming = "The backlog is groomed every Tuesday."
		backup   = "Backups run daily at 2 am."
	)
	for _, tt := range []struct {
		record, statement string
		want              bool
	}{
		{releases, "The Thursday release is not on Thursday any more, they moved it to tonight.", false},
		{releases, "The Thursday release is not on Thursday any more.", false},
		{releases, "The Thursday release isn't on Thursday anymore.", false},
		{releases, "The Thursday release is no longer on Thursday.", false},
		{releases, "This week's release is not on Thursday any more.", false},
		{releases, "Next week's release is no longer on Thursday.", false},
		{releases, "Our release is not on Thursday any more, it was moved to tomorrow.", false},
		{every, "The Thursday release is not on Thursday any more, they moved it to tonight.", false},
		{grooming, "The Tuesday grooming is not on Tuesday any more, it moved to next week.", false},

		{releases, "Releases are not on Thursdays any more.", true},
		{releases, "Releases are no longer on Thursdays.", true},
		{releases, "The Thursday releases are no longer on Thursdays.", true},
		{grooming, "The backlog is no longer groomed on Tuesdays.", true},
		{backup, "Backups are no longer daily.", true},
	} {
		all := []Subject{{Ref: "r", Category: memory.Decision, Title: tt.record[:len(tt.record)-1],
			Text: tt.record}}
		if got, ok := Detect(tt.statement, finding.Typed, all); ok != tt.want {
			t.Errorf("%q against %q: %v by %q", tt.statement, tt.record, ok, got.Cue)
		}
	}
}
