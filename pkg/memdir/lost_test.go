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

// TestLostSense: a line whose denial, exception or name was turned is lost, one in other words isn't.
func TestLostSense(t *testing.T) {
	for was, all := range map[string]map[string]bool{
		"- Never deploy on Fridays from this branch.": {
			"- Always deploy on Fridays from this branch.": true,
			"- Don't deploy on Fridays from this branch.":  false,
		},
		"- The limit is 50 rps for every customer, except Acme.": {
			"- The limit is 50 rps for every customer.":              true,
			"- For every customer the limit is 50 rps, except Acme.": false,
		},
		"- Orders of the shop are kept in PostgreSQL.": {
			"- Orders of the shop are kept in MongoDB.":    true,
			"- The shop keeps its orders in PostgreSQL 16": false,
		},
	} {
		for is, lost := range all {
			if got := Lost([]byte(was), []byte(is)); (len(got) > 0) != lost {
				t.Errorf("%s -> %s: lost %q", was, is, got)
			}
		}
	}
}

// TestChanged tells lines with other numbers from those that say something else.
func TestChanged(t *testing.T) {
	const was = "---\nname: a1\n---\n\n# Part 1\n\n- Timeout: 30 s\n- Keep 1,000 jobs, 2.5 h each.\n" +
		"| pool | 5 |\n- [Queue 1](queue.md) — how\n- at 10:30\n- Port 80 is open.\n\n_Updated: 2026-01-02_\n"
	for is, want := range map[string][]Renumbered{
		was: nil,
		"# Part 2\n\n- Timeout: 90 s\n- Keep 100 jobs, 24 h each.\n| pool | 50 |\n- [Queue 2](queue.md) — " +
			"how\n- at 11:30\n- Port 80 is shut.\n_Updated: 2026-02-02_\n": {
			{"- Timeout: 30 s", "- Timeout: 90 s"},
			{"- Keep 1,000 jobs, 2.5 h each.", "- Keep 100 jobs, 24 h each."},
			{"| pool | 5 |", "| pool | 50 |"}},
		"- Timeout: 30 s\n- Timeout: 90 s\n": nil,
	} {
		if got := Changed([]byte(was), []byte(is)); !slices.Equal(got, want) {
			t.Errorf("%s\n got %q\nwant %q", is, got, want)
		}
	}
}

// TestReworded tells a line that was put in other words from a new one with the same relative date.
func TestReworded(t *testing.T) {
	const was = "Yesterday the importer broke at night.\n- It ran last week.\n"
	for line, want := range map[string]bool{
		"The importer broke yesterday, at night.": true,
		"- 10: yesterday the importer broke":      true,
		"Yesterday the gateway was moved.":        false,
		"Today the importer broke at night.":      false,
		"- It ran last week.":                     false, // it is still there
		"The importer broke at night.":            false,
	} {
		if got := Reworded(line, []byte(was), []byte("- It ran last week.\n"+line+"\n")); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
