package stop

import (
	"os"
	"path/filepath"
	"testing"

	"keepsake/pkg/capture/finding"
)

// TestWhatIsKeptIsNoOffer: what a memory says, or a file that the client loads into every session, is not
// offered. What adds something, takes it back, or is asked for is.
func TestWhatIsKeptIsNoOffer(t *testing.T) {
	for name, tt := range map[string]struct {
		memory string // the decision of a record
		loaded string // of a CLAUDE.md
		said   string
		offers int
		to     string // where the finding is kept
	}{
		"news":        {said: decided, offers: 1},
		"of a memory": {memory: decided, said: decided, to: "decisions/postgres.json"},
		"of a CLAUDE.md": {loaded: "# Rules\n\n- Always use pnpm, never npm.\n",
			said: "From now on always use pnpm, never npm.", to: "CLAUDE.md"},
		"of another thing": {memory: "We decided to use Postgres instead of SQLite because invoices need " +
			"concurrent writers.", said: decided, offers: 1},
		"with a reason more": {memory: "We use Postgres instead of SQLite.", said: decided, offers: 1},
		"the opposite": {memory: "We decided to use SQLite instead of Postgres because billing needs a file.",
			said: decided, offers: 1},
		"the opposite of a CLAUDE.md": {loaded: "- Always use npm, never pnpm.\n", said: prefers, offers: 1},
		"asked for": {memory: decided, said: "Remember that we decided to use Postgres instead of SQLite " +
			"because billing needs concurrent writers.", offers: 1},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t).byItself()
			if tt.memory != "" {
				l.record("postgres", "Database", tt.memory)
			}
			file := filepath.Join(l.dir, "project", "CLAUDE.md")
			if err := os.WriteFile(file, []byte(tt.loaded), 0o644); err != nil {
				t.Fatal(err)
			}
			said := l.person(tt.said).stop("Noted.")
			if got := keep.FindAllString(said, -1); len(got) != tt.offers {
				t.Errorf("offered %q", got)
			}
			if tt.offers > 0 {
				return
			}
			all := l.all()
			if len(all) != 1 || all[0].State != finding.Known ||
				filepath.Base(all[0].To) != filepath.Base(tt.to) {
				t.Fatalf("%+v", all)
			}
			// Nor is it when it is said once more.
			l.silent(l.person(tt.said).stop("Noted."))
		})
	}
}
