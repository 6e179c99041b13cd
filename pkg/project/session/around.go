package session

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/text"
)

// ErrGone is the error of Around if the transcript is gone, or no longer has the finding where it was.
var ErrGone = errors.New("the transcript is gone")

// How much of a transcript is read around a finding, in bytes: on each side of its line, and to look for a
// text whose line is not known, which came with the event.
const (
	besideFinding = 128 << 10
	searchFinding = 32 << 20
)

// Around returns what was said around a finding: at most n entries with words on each side of the entry that
// has it, which is at index at.
func (ca *Capture) Around(f finding.Finding, n int) (entries []transcript.Entry, at int, err error) {
	path := ca.transcriptOf(f.Session)
	if path == "" {
		return nil, 0, ErrGone
	}
	t, err := OpenTranscript(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, ErrGone
	}
	if err != nil {
		return nil, 0, err
	}
	defer t.Close()
	all, at, err := findIn(t, f)
	if err != nil {
		return nil, 0, err
	}
	worded := func(e transcript.Entry) bool { return strings.TrimSpace(e.Text) != "" && !isAside(e.Who) }
	for i := at - 1; i >= 0 && len(entries) < n; i-- {
		if worded(all[i]) {
			entries = append(entries, all[i])
		}
	}
	slices.Reverse(entries)
	before := len(entries)
	entries = append(entries, all[at])
	for _, e := range all[at+1:] {
		if len(entries) > before+n {
			break
		}
		if worded(e) {
			entries = append(entries, e)
		}
	}
	return entries, before, nil
}

// isAside reports whether an entry is the client's or a hook's, not part of what was said and done.
func isAside(w transcript.Who) bool { return w == transcript.Injected || w == transcript.Notification }

// findIn returns entries of a transcript and the index of the one that has a finding.
func findIn(t Transcript, f finding.Finding) (all []transcript.Entry, at int, err error) {
	said := text.OneLine(f.Text)
	has := func(e transcript.Entry) bool {
		return f.Record != "" && e.UUID == f.Record || f.Record == "" && said != "" &&
			strings.Contains(text.OneLine(e.Text), said)
	}
	from := max(0, t.Size()-searchFinding)
	req := transcript.Request{Device: t.Device, Inode: t.Inode, Whole: true}
	if f.Offset >= 0 {
		if f.Offset >= t.Size() {
			return nil, 0, ErrGone
		}
		if all, err = transcript.Back(t, f.Offset, besideFinding); err != nil {
			return nil, 0, err
		}
		from, req.Piece = f.Offset, besideFinding
	} else if from > 0 {
		if from, err = transcript.LineAt(t, from); err != nil {
			return nil, 0, err
		}
	}
	req.From.Offset = from
	span, err := transcript.Read(t, req)
	if err != nil {
		return nil, 0, err
	}
	all = append(all, span.Entries...)
	// A line may have several entries: the one with the words, if there is one.
	at = -1
	for i, e := range all {
		if has(e) && (at < 0 || strings.Contains(text.OneLine(e.Text), said)) {
			at = i
		}
	}
	if at < 0 {
		return nil, 0, ErrGone
	}
	return all, at, nil
}
