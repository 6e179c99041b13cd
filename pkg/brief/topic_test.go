package brief_test

import (
	"strings"
	"testing"

	"keepsake/pkg/brief"
)

func TestTopic(t *testing.T) {
	golden(t, "topic", brief.Topic("Great, that's done."))
	if said := brief.Topic(hostile); strings.Contains(said, "<system>") || strings.Contains(said, "\x1b") ||
		strings.Count(said, "\n") != 3 {
		t.Errorf("%q", said)
	}
}
