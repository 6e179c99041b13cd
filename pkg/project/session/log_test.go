package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"
	"time"

	"keepsake/pkg/journal/event"
	"keepsake/pkg/store"
)

func TestLog(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	s.Log(event.Event{Type: event.SessionStart, Hook: "sessionstart"})
	s.Fault("stop", "this turn was not looked at", fmt.Errorf("store: %w", store.ErrConflict))
	s.Fault("apply", "a draft was rejected", nil)
	Fault(Call{ID: "s2", Cwd: s.Root}, "userpromptsubmit", "nothing was recalled",
		&fs.PathError{Op: "open", Path: "/home/somebody", Err: syscall.ENOSPC})
	r, err := s.Events().Last(time.Time{}, 10, func(event.Event) bool { return true })
	if err != nil || len(r.Events) != 4 || r.Broken > 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	for i, want := range []event.Event{
		{Type: event.SessionStart, Level: event.Info, Hook: "sessionstart", Session: "s1"},
		{Type: event.Failure, Level: event.Error, Hook: "stop", Session: "s1", Took: event.Untimed,
			Error: "conflict"},
		{Type: event.Failure, Level: event.Error, Script: "apply", Session: "s1", Took: event.Untimed},
		{Type: event.Failure, Level: event.Error, Hook: "userpromptsubmit", Session: "s2",
			Took: event.Untimed, Error: "disk_full"},
	} {
		got := r.Events[i]
		if time.Since(got.Time) > time.Minute {
			t.Errorf("event %d is of %v", i, got.Time)
		}
		got.Time, got.Data = want.Time, nil
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("event %d: %+v\nwant %+v", i, got, want)
		}
	}
}

func TestNoLogWhenNoneIsWanted(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	if err := os.MkdirAll(s.MemoryRoot(), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{"logging":{"enabled":false}}`, `{"logging":{"level":"error"}}`} {
		if err := os.WriteFile(s.Place.Settings(), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s = open1(t, "s1")
		s.Log(event.Event{Type: event.SessionStart})
		if _, err := os.Stat(s.state().Events()); err == nil {
			t.Errorf("%s: there is a log", text)
		}
	}
	s.Fault("stop", "x", nil)
	if _, err := os.Stat(s.state().Events()); err != nil {
		t.Error(err)
	}
}

func TestClass(t *testing.T) {
	for want, err := range map[string]error{
		"": nil, "other": errors.New("a secret"), "panic": errors.New("panic: index out of range"),
		"absent": fmt.Errorf("x: %w", fs.ErrNotExist), "permission": &fs.PathError{Err: syscall.EACCES},
		"deadline":  context.DeadlineExceeded,
		"read_only": &fs.PathError{Err: syscall.EROFS}, "io": syscall.EIO,
	} {
		if got := Class(err); got != want {
			t.Errorf("%v is %q, want %q", err, got, want)
		}
	}
}
