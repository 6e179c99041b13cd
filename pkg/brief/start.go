package brief

import (
	"time"

	"keepsake/pkg/memory"
)

// Waiting is work that was noticed and not saved.
type Waiting struct {
	Categories []memory.Category // in the order noticed; may repeat
	Since      time.Time         // of the oldest; zero when unknown
	Drafted    bool              // extractive drafts are made and wait to be applied
}

// News is what happened out of sight and is told once. The zero News is none.
type News struct {
	Saved    string   // the line of the last save, as Saved makes it
	Unsaved  []string // what the last save did not store, one line each
	Waiting  Waiting
	Failures int // entries in the failure ledger nobody was told of
}

// Note tells n at a prompt. It is empty when there is nothing to tell.
func Note(n News) string { return "" }

// Opening is what a session begins with.
type Opening struct {
	Last  *memory.Stored // the newest active session summary, or nil
	Count int            // active memories in the store
	News  News
}

// Start is the brief at the start of a session. It is empty when there is nothing to tell.
func Start(o Opening) string { return "" }
