package main

import (
	"bytes"
	"io"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
)

// promptRoom is how far into its transcript a drafter's task is looked for, in
// bytes; it is the first record.
const promptRoom = 64 << 10

// drafted returns the category a drafter was given, told by the output file its task
// names; "" when it can't be told.
func drafted(transcriptPath string) memory.Category {
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
