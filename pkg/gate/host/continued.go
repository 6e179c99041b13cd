package host

import (
	"os"
	"slices"
	"syscall"
	"time"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
)

// maxSince is how much of a transcript's end is searched for the person's prompt, in bytes.
const maxSince = 4 << 20

// continued reports whether Keepsake's own Stop hook made the agent of a call's session go on, and the person
// has not prompted since. A prompt behind that turn clears it in the session's state. One that is typed while
// the agent works counts once it has reached the agent, when the transcript has it.
func continued(e rules.Event) bool {
	place, id := layout.Project(e.ProjectDir, e.Cwd), layout.Session(e.Session)
	sessions := stage.Sessions{Dir: layout.DirsFor(place, e.Transcript).Of(place.Home).Sessions()}
	st, err := sessions.Load(id)
	return err == nil && !st.Continued.IsZero() && !promptedSince(e.Transcript, st.Continued)
}

// promptedSince reports whether a transcript has words of the person after a time.
func promptedSince(path string, since time.Time) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	entries, err := transcript.Back(sized{f, info.Size()}, info.Size(), maxSince)
	return err == nil && slices.ContainsFunc(entries, func(x transcript.Entry) bool {
		return x.Who == transcript.Person && x.Time.After(since)
	})
}

// sized is a file with its size.
type sized struct {
	*os.File
	size int64
}

func (s sized) Size() int64 { return s.size }
