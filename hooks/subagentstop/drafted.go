package subagentstop

import (
	"bytes"
	"io"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
)

// promptRoom is how much of a drafter's transcript is searched for its task, in bytes. The task is
// the first record.
const promptRoom = 64 << 10

// draftedCategory returns the category that a drafter was given, by the output file that its task
// names. It is "" when that can't be told.
func draftedCategory(transcriptPath string) memory.Category {
	f, err := session.OpenTranscript(transcriptPath)
	if err != nil {
		return ""
	}
	defer f.Close()
	head, err := io.ReadAll(io.NewSectionReader(f, 0, promptRoom))
	if err != nil {
		return ""
	}
	first, at := memory.Category(""), len(head)
	for _, c := range memory.Categories() {
		if i := bytes.Index(head, []byte(stage.IntentName(c))); i >= 0 && i < at {
			first, at = c, i
		}
	}
	return first
}
