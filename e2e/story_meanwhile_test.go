//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The client's own extraction writes MEMORY.md while the agent notes things. A file that has changed is read
// and planned again. If that happens twice in a row, the agent is told and repeats the note. If it happens at
// the very last moment, the agent is told which file stayed as the client left it, and adds its line there.
// No line is lost.
func TestNotesBesideTheClientsExtraction(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const notes = 12
		l := NewLab(t, c)
		l.InstallKeepsake()
		dir, n := "", 0
		note := func() Reply {
			return Bash(fmt.Sprintf("%s note --kind reference --title 'Board %d' 'Board %d of Grafana "+
				"shows the latency of service %d'", l.keepsake(), n, n, n))
		}
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			switch last, tail := r.LastCall(), r.Tail(); {
			case last.Name == "" && strings.Contains(tail, "Note them"):
				return note()
			case last.Name == "Bash" && strings.Contains(tail, "repeat the command: nothing was written"):
				return note()
			case last.Name == "Bash" && strings.Contains(tail, "as somebody else left it: look at it"):
				return Bash(fmt.Sprintf("printf '%%s\\n' '- [Board %d](reference_board-%d.md) — latency' "+
					">>%s; echo 'noted (by hand)'", n, n, filepath.Join(dir, "MEMORY.md")))
			case last.Name == "Bash" && !strings.Contains(tail, "noted (") && !finished.MatchString(tail):
				return l.Model.GiveUp(tail)
			case last.Name == "Bash" && n+1 < notes:
				n++
				return note()
			}
			return Say("All noted.")
		})
		dir = l.autoMemory()
		index := filepath.Join(dir, "MEMORY.md")
		l.Write(index, "- [Start](start.md) — the beginning\n")
		stop, written := make(chan struct{}), make(chan int)
		go func() { // the client's extraction
			i := 0
			for ; ; i++ {
				select {
				case <-stop:
					written <- i
					return
				case <-time.After(250 * time.Millisecond):
				}
				line := fmt.Sprintf("- [Fact %d](fact-%d.md) — extracted\n", i, i)
				for !strings.Contains(text(index), line) { // the file it opened may have got a successor
					f, err := os.OpenFile(index, os.O_APPEND|os.O_WRONLY, 0)
					if err == nil {
						_, err = f.WriteString(line)
						f.Close()
					}
					if err != nil {
						t.Error(err)
					}
				}
			}
		}()
		got := l.Headless("Note them all.", "--permission-mode", "bypassPermissions").Result().Result
		close(stop)
		extracted := <-written
		if got != "All noted." || extracted == 0 {
			t.Fatalf("%q beside %d lines\n%s", got, extracted, l.Model.Digest())
		}
		has := text(index)
		for i := range extracted {
			if strings.Count(has, fmt.Sprintf("(fact-%d.md)", i)) != 1 {
				t.Errorf("line %d of the client's is lost or doubled in\n%s", i, has)
			}
		}
		for i := range notes {
			if name := fmt.Sprintf("Board %d]", i); strings.Count(has, name) != 1 {
				t.Errorf("%s is lost or doubled in\n%s", name, has)
			}
		}
	})
}

// finished is what a note says whose first try was cut short by somebody else's writing: the second finds its
// file there, and writes what leads to it.
var finished = regexp.MustCompile(`stands there already: reference_board-\d+\.md:\d+\nin step with it: `)

// text is what a file says now, "" while it can't be read.
func text(path string) string {
	b, _ := os.ReadFile(path)
	return string(b)
}
