package session

import (
	"os"
	"path/filepath"
	"time"

	"keepsake/pkg/client/transcript"
)

// A client writes its transcript some 100 ms after the fact (seen with 2.1.197), while a call that
// follows what it read by as little runs already. callWait is how long that is waited for, callLook
// how often it is looked.
const (
	callWait = time.Second
	callLook = 15 * time.Millisecond
)

// awaitOwnCall waits until a transcript has the tool call in which this program runs: then it has as
// well what was read before. It returns at once where no client runs this, and after callWait in any
// case, as where a script or an agent of its own called.
func awaitOwnCall(path string) {
	if os.Getenv("CLAUDECODE") == "" {
		return
	}
	program := filepath.Base(os.Args[0])
	for end := time.Now().Add(callWait); time.Now().Before(end); time.Sleep(callLook) {
		if found, err := runs(path, program); found || err != nil {
			return // what can't be read is told where it is read as a whole
		}
	}
}

func runs(path, program string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	return transcript.Runs(f, info.Size(), program)
}
