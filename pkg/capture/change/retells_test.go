package change

import (
	"testing"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// TestRetoldWithAnotherName says that what is recorded, said again with another name in the place of
// one, is a change whatever its verb; and that with other words it is none.
func TestRetoldWithAnotherName(t *testing.T) {
	const (
		images  = "We decided to mirror the container images to Frankfurt."
		nightly = "We forward the audit events to Splunk."
	)
	for _, tt := range []struct {
		record, statement string
		want              bool
	}{
		{images,
			"We decided to mirror the container images to Paris instead of Frankfurt because it is cheaper.",
			true},
		{images, "Mirror the container images to Paris instead of Frankfurt.", true},
		{images, "We mirror the container images to Paris now, not to Frankfurt.", true},
		{images, "We mirror the container images to Paris, not Frankfurt.", true},
		{images, "We'll mirror the container images to Paris instead of to Frankfurt.", true},
		{nightly, "Forward the audit events to Loki instead of Splunk.", true},
		{nightly, "We forward the audit events to Loki now, not to Splunk.", true},

		{images, "We mirrored the container images to Paris instead of Frankfurt.", false},
		{images, "The container images are mirrored to Paris instead of Frankfurt.", false},
		{images, "They mirror the container images to Paris instead of Frankfurt.", false},
		{images, "Don't mirror the container images to Paris instead of Frankfurt.", false},
		{images, "Sort the container images by Paris instead of Frankfurt.", false},
		{images, "Look at the mirror in Paris instead of Frankfurt.", false},
		{images, "We mirror the weather page to Paris instead of Frankfurt.", false},
		{images, "Mirror the container images to Frankfurt instead of Paris.", false},
		{images, "Should we mirror the container images to Paris instead of Frankfurt?", false},
		{nightly, "We forward the audit events to Splunk, not to Loki.", false},
		{nightly, "We forward the mails to Loki now, not to Splunk.", false},
	} {
		all := []Subject{{Ref: "#1", Category: memory.Decision, Text: tt.record}}
		if got, ok := Detect(tt.statement, finding.Typed, all); ok != tt.want {
			t.Errorf("%q against %q: %v by %q", tt.statement, tt.record, ok, got.Cue)
		}
	}
}
