package stage

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"
	"time"

	"keepsake/pkg/memory"
)

func TestAnswerRefused(t *testing.T) {
	p := Pending{filepath.Join(t.TempDir(), "pending")}
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	if err := p.Add("s1", Context{Category: memory.Decision, Excerpt: "We use Postgres."}); err != nil {
		t.Fatal(err)
	}
	for _, draft := range []string{"{1}", "{2}"} {
		if err := p.Refuse("s1", Refused{Category: memory.Decision, Reason: "no title", At: at,
			Draft: draft}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := p.Refused()
	if err != nil || len(all) != 2 || all[0].ID() == all[1].ID() {
		t.Fatalf("%+v, %v", all, err)
	}
	first, second := all[0], all[1]
	if k, err := p.FindRefused(first.ID()); err != nil || k.Path != first.Path || len(k.ID()) != 6 ||
		k.ID()[0] != 'd' {
		t.Errorf("%+v, %v", k, err)
	}
	if _, err := p.FindRefused("d00000"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if _, err := p.Amended(first); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	for _, text := range []string{"{3}", "{4}"} { // the second time in its place
		if err := p.Amend(first, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := p.Amended(first); err != nil || string(b) != "{4}" {
		t.Errorf("%s, %v", b, err)
	}
	desk := Desk{filepath.Join(p.Dir, "s1")}
	if intents, err := desk.Intents(); err != nil || len(intents) != 1 {
		t.Errorf("%v, %v", intents, err)
	}
	if gone, err := p.Drop(first); gone || err != nil {
		t.Errorf("the other draft's context is gone: %v, %v", gone, err)
	}
	if _, err := p.Drop(first); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("dropped twice: %v", err)
	}
	if gone, err := p.Drop(second); !gone || err != nil {
		t.Errorf("%v, %v", gone, err)
	}
	if names, err := desk.Files(); len(names) != 0 || err != nil {
		t.Errorf("left: %v, %v", names, err)
	}
}
