package session

import (
	"os"
	"path/filepath"
	"time"

	"keepsake/pkg/client/transcript"
)

// A client writes its transcript some 100 ms after the fact (measured with 2.1.197), while a call
// that follows shortly runs already. awaitOwnCall waits at most callWait, and looks every callLook.
const (
	callWait = time.Second
	callLook = 15 * time.Millisecond
)

// awaitOwnCall waits until a transcript has the tool call in which this program runs: then it also
// has what was read before. It returns at once where no client runs this, and after callWait in any
// case, as when a script or a nested agent made the call.
func awaitOwnCall(path string) {
	if os.Getenv("CLAUDECODE") == "" {
		return
	}
	program := filepath.Base(os.Args[0])
	for end := time.Now().Add(callWait); time.Now().Before(end); time.Sleep(callLook) {
		if found, err := hasOwnCall(path, program); found || err != nil {
			return // an error shows again where the whole file is read
		}
	}
}

// hasOwnCall reports whether the transcript at a path has a tool call that runs a program.
func hasOwnCall(path, program string) (bool, error) {
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
