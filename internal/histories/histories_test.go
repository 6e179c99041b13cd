package histories

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

// TestThousand: in a thousand histories no merge has a conflict, all people come to the same, nothing that
// they wrote is lost, what they took out stays out, nothing stands there that nobody wrote, and the index is
// that of the records.
func TestThousand(t *testing.T) {
	text := regexp.MustCompile(`text\d+x`)
	merges, crossed, checked, bound := 0, 0, 0, 0
	for seed := range int64(1000) {
		h, err := New(seed)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var last [People]Tree
		for _, s := range h.Steps {
			last[s.Who] = s.Tree
			if s.From >= 0 {
				merges++
			}
		}
		for who := range last {
			if !maps.EqualFunc(last[0], last[who], bytes.Equal) {
				t.Fatalf("seed %d: person 0 and person %d have not the same", seed, who)
			}
		}
		all := Records(last[0])
		if !bytes.Equal(memory.Index(all), last[0][index]) {
			t.Fatalf("seed %d: the index is\n%s\nthat of the records\n%s", seed, last[0][index],
				memory.Index(all))
		}
		// What a memory says, without the history in which it says what it once said.
		var says strings.Builder
		for _, r := range all {
			if len(r.Changes) > 0 {
				crossed++
			}
			if len(r.Verify) > 0 {
				checked++
			}
			if r.Branch != nil {
				bound++
			}
			says.Write(r.Encode())
		}
		says.Write(last[0][learned])
		there := text.FindAllString(says.String(), -1)
		for want := range h.Alive {
			if !slices.Contains(there, want) {
				t.Fatalf("seed %d: %s is lost", seed, want)
			}
		}
		for _, got := range there {
			if !h.Alive[got] {
				t.Fatalf("seed %d: %s stands there, and somebody took it out: %v", seed, got, h.Gone[got])
			}
		}
	}
	if merges < 3000 || crossed < 1000 || checked < 300 || bound < 1000 {
		t.Errorf("%d merges, %d changed records, %d with checks, %d with a branch: has the test gone blind?",
			merges, crossed, checked, bound)
	}
}
