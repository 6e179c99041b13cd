package answer

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"keepsake/pkg/client/transcript"
	"keepsake/pkg/disk"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// A Replayed is a prompt of another time with what it would have been given.
type Replayed struct {
	Outcome
	Text  string `json:"text"`  // that would be added to the prompt
	Bytes int    `json:"bytes"` // of that text
	Lines int    `json:"lines"`
}

// Then is what is known of the time of the prompts that were looked up.
type Then struct {
	Unsure int       // of so many memories it is not known what they said then
	First  time.Time // when the first memory was made, zero if there never was one
	Before int       // so many prompts are older than that
}

// replayed is a prompt to be looked up. In between the conversation may have been compacted.
type replayed struct {
	text      string
	at        time.Time
	compacted bool
}

// maxPrompts bounds a file of prompts, in bytes.
const maxPrompts = 16 << 20

// neither ends the error for a file that has no prompts.
const neither = ", so it is neither a transcript nor a list of prompts, one a line"

// Replay calls see for each prompt of a transcript, with what the hook would have given it by the memories of
// that time, or for each line of a file of prompts, with what it would give it now. Like a session it gives
// each thing once, until the conversation is compacted. Nothing is noted anywhere.
func Replay(s *session.Session, path string, now time.Time, see func(Replayed)) (then Then, err error) {
	prompts, err := promptsOf(path, now)
	if err != nil {
		return then, err
	}
	s.Config.Retrieval.Log = true // it says what came near
	for _, one := range prompts {
		if one.compacted {
			s.State.Shown = nil
		}
		public, _ := secret.WithoutPrivate(one.text)
		query, _ := QuestionIn(public)
		if query == "" {
			continue
		}
		if one.at.Before(now) {
			unsure, err := s.Then(one.at)
			if err != nil {
				return then, err
			}
			then.Unsure = max(then.Unsure, unsure)
			if then.First = s.FirstMemory(); then.First.IsZero() || one.at.Before(then.First) {
				then.Before++
			}
		}
		p := Prompt{Session: s, Text: query, Now: one.at}
		memories, shown, err := p.Recall()
		if err != nil {
			return then, err
		}
		pointers, pointed := p.Point()
		s.State.Shown = append(append(s.State.Shown, shown...), pointed...)
		r := Replayed{Outcome: p.outcome(pointed), Text: strings.TrimSpace(memories + "\n" + pointers)}
		if r.Bytes = len(r.Text); r.Bytes > 0 {
			r.Lines = 1 + strings.Count(r.Text, "\n")
		}
		r.Outcome.Session = ""
		see(r)
	}
	return then, nil
}

// promptsOf returns the prompts of a transcript, or those of a text, one a line. What is neither is an error.
func promptsOf(path string, now time.Time) (all []replayed, err error) {
	file, err := session.OpenTranscript(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	first := make([]byte, 1)
	if _, err := file.ReadAt(first, 0); err == nil && first[0] != '{' {
		b, err := disk.ReadLinked(path, maxPrompts)
		if err != nil {
			return nil, err
		}
		if bytes.IndexByte(b, 0) >= 0 || !utf8.Valid(b) {
			return nil, fmt.Errorf("%s: not a text in UTF-8"+neither, path)
		}
		for line := range bytes.Lines(b) {
			if said := strings.TrimSpace(text.Clean(string(line))); said != "" {
				all = append(all, replayed{text: said, at: now})
			}
		}
		return all, nil
	}
	span, err := transcript.Read(file, transcript.Request{Whole: true})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(span.Entries) == 0 && file.Size() > 0 {
		return nil, fmt.Errorf("%s: nobody says anything in it"+neither, path)
	}
	compacted, last := false, now
	for _, e := range span.Entries {
		switch {
		case e.Boundary:
			compacted = true
		case e.Who == transcript.Person && e.Text != "" && e.Asked == nil && e.Call == nil &&
			!session.IsOurs(e, true):
			at := e.Time.UTC()
			if at.IsZero() {
				at = last
			}
			all = append(all, replayed{e.Text, at, compacted})
			compacted, last = false, at
		}
	}
	return all, nil
}
