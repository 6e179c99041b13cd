package session

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"syscall"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/layout"
)

// A Transcript is an open session file.
type Transcript struct {
	*os.File
	size          int64
	Device, Inode uint64
}

// Size returns the file's size when it was opened, in bytes.
func (t Transcript) Size() int64 { return t.size }

// OpenTranscript opens a session file for reading. It refuses anything but a regular file, before
// it could block.
func OpenTranscript(path string) (Transcript, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return Transcript{}, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a regular file", path)
	}
	if err != nil {
		f.Close()
		return Transcript{}, err
	}
	t := Transcript{File: f, size: fi.Size()}
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		t.Device, t.Inode = uint64(st.Dev), st.Ino
	}
	return t, nil
}

// transcriptOf returns where the transcript of a session of the project is, or "" if that is not known. A
// session has its path in its state. One from before Keepsake has none: its client, which may be the other
// one, names the file by it, and of copies keepsake init reads the largest.
func (ca *Capture) transcriptOf(id string) (path string) {
	if id == ca.ID {
		return ca.State.Transcript
	}
	if id == "" {
		return ""
	}
	if st, err := ca.Sessions().Load(id); err == nil {
		return st.Transcript
	}
	clients := layout.ClientsBeside(layout.Client(ca.State.Transcript))
	if len(clients) == 0 {
		clients = layout.ClientsHere()
	}
	largest := int64(-1)
	for _, client := range clients {
		for _, at := range layout.TranscriptsOf(client, id) {
			if info, err := os.Stat(at); err == nil && info.Size() > largest {
				path, largest = at, info.Size()
			}
		}
	}
	return path
}

// Listen reads what is new in the session's transcript. last is the agent's last message, which the
// file may not have yet.
func (fl *InFlight) Listen(t Transcript, st stage.State, last string) (transcript.Span, error) {
	return transcript.Read(t, fl.request(t, st, last))
}

func (fl *InFlight) request(t Transcript, st stage.State, last string) transcript.Request {
	return transcript.Request{
		From: transcript.Mark(st.Mark), Device: t.Device, Inode: t.Inode,
		LastAssistant: last, Whole: st.Fresh, Known: fl.knownMarks(),
	}
}

// knownMarks returns a function that reports whether another session of the project was read up to
// a uuid, or counted a digest early. A resumed or forked session without a state of its own goes on
// from there.
func (fl *InFlight) knownMarks() func(string) bool {
	var marks map[string]bool
	return func(key string) bool {
		if marks == nil {
			marks = map[string]bool{}
			for _, m := range fl.Sessions().Marks(fl.ID) {
				marks[m.UUID], marks[m.Said] = true, true
			}
		}
		return key != "" && marks[key]
	}
}

// Passages returns the words of people and of the agent in triage's form.
func Passages(entries []transcript.Entry) []triage.Passage {
	var ps []triage.Passage
	for _, e := range entries {
		by := triage.Assistant
		switch {
		case e.Who == transcript.Person:
			by = triage.Person
		case e.Who != transcript.Assistant || e.Tool != "":
			continue
		}
		if e.Text != "" {
			ps = append(ps, triage.Passage{By: by, Text: e.Text, ID: e.UUID})
		}
	}
	return ps
}

// The conversation since the last summary is read for a new one as a whole, or this much of each
// end of it, in bytes of transcript.
const (
	windowHead = 512 << 10
	windowTail = 2 << 20
)

// Since returns the conversation since an offset, for a session summary: all of it, or its
// beginning and its end when it is long.
func Since(t Transcript, from int64) []triage.Passage { return Passages(EntriesSince(t, from)) }

// EntriesSince is Since with the whole entries.
func EntriesSince(t Transcript, from int64) []transcript.Entry {
	read := func(lo, hi int64) []transcript.Entry {
		span, err := transcript.Read(io.NewSectionReader(t, lo, hi-lo), transcript.Request{Whole: true})
		if err != nil {
			return nil
		}
		return span.Entries
	}
	if from > t.size {
		from = 0
	}
	if t.size-from <= windowHead+windowTail {
		return read(from, t.size)
	}
	tail, _ := transcript.LineAt(t, t.size-windowTail) // what can't be read is left out
	return append(read(from, from+windowHead), read(tail, t.size)...)
}

// hasLineAfter reports whether a whole line ends behind an offset. The last line may have been cut
// off in the middle.
func (t Transcript) hasLineAfter(off int64) bool {
	buf := make([]byte, 64<<10)
	for off < t.size {
		n, err := t.ReadAt(buf, off)
		if bytes.IndexByte(buf[:n], '\n') >= 0 {
			return true
		}
		if off += int64(n); err != nil {
			break
		}
	}
	return false
}
