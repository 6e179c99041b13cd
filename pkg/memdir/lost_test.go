package memdir

import (
	"slices"
	"testing"
)

// TestLost tells what a rewriting left out from what it changed.
func TestLost(t *testing.T) {
	const was = "---\nname: a\ndescription: which database the shop uses\n---\n\n# Old title of it all\n\n" +
		"- The shop uses Postgres 14 for orders.\n- Backups are taken each night at two.\n- Short one.\n" +
		"- [The queue of jobs](queue.md) — how it works\n\n_Updated: 2026-01-02_\n"
	const backups = "- Backups are taken each night at two."
	for is, want := range map[string][]string{
		was: nil,
		"# T\n\n- The shop uses Postgres 16.\n- Backups are taken at three.\n":                  nil,
		"The shop uses Postgres 14 for orders.\n":                                               {backups},
		"- The shop uses Postgres 14 for orders.\n- Invoices are printed on Fridays by hand.\n": {backups},
	} {
		if got := Lost([]byte(was), []byte(is)); !slices.Equal(got, want) {
			t.Errorf("%s\n got %q\nwant %q", is, got, want)
		}
	}
}
