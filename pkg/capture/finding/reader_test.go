package finding

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLoadAllocates holds a journal that is read to a few allocations a finding: a hook
// reads all of it while somebody waits.
func TestLoadAllocates(t *testing.T) {
	const findings = 200
	lines := waitingJournal(findings)
	n := testing.AllocsPerRun(5, func() {
		var b Book
		b.Load(lines)
	})
	if n > 6*findings {
		t.Errorf("%v allocations for %d findings", n, findings)
	}
}

// TestReaderReadsWhatJSONIs holds the reader against the one of the standard library: by
// what is a line, and by what a text says.
func TestReaderReadsWhatJSONIs(t *testing.T) {
	parts := []string{"{", "}", "[", "]", ",", ":", `"`, `"next"`, `"x"`, `"é"`,
		`"a\n\"\\\/\u00e9\ud83d\ude00"`,
		`"\ud83d"`, `"\ud83d\u0041"`, `\`, `\u12`, "\x01", "1", "-", "0", "07", "1.5", "1e3", "2E+1", ".",
		"true", "tru", "null", " ", "\t", `{"a":[1,{}]}`}
	rapid.Check(t, func(t *rapid.T) {
		value := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 6).Draw(t, "value"), "")
		line := `{"unknown":` + value + `}`
		var l parsedLine
		if got, want := l.read(line), json.Valid([]byte(line)); got != want {
			t.Errorf("%s: read %t, JSON %t", line, got, want)
		}
		var want struct{ Why string }
		line = `{"why":` + value + `}`
		err := json.Unmarshal([]byte(line), &want)
		l = parsedLine{}
		if read := l.read(line); read != (err == nil) {
			t.Errorf("%s: read %t, JSON %v", line, read, err)
		} else if read && l.why != want.Why {
			t.Errorf("%s: read %q, JSON %q", line, l.why, want.Why)
		}
	})
}

// TestNewerLineMayHaveOtherFields: it is one of a newer version, whatever it has where.
func TestNewerLineMayHaveOtherFields(t *testing.T) {
	var b Book
	line := `{"version":2,"line":"turn","at":1795000000,"findings":{"of":"another form"}}` + "\n"
	broken, err := b.Load([]byte(line))
	if broken != 0 || !errors.Is(err, ErrNewer) {
		t.Errorf("%d broken, %v; want a newer line", broken, err)
	}
}
