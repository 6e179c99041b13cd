package finding

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// BenchmarkLoad folds a journal of 1,500 findings that wait, each with what explains it.
func BenchmarkLoad(b *testing.B) {
	lines := waitingJournal(1500)
	b.SetBytes(int64(len(lines)))
	b.ReportAllocs()
	for b.Loop() {
		var book Book
		if broken, err := book.Load(lines); broken > 0 || err != nil || book.Len() != 1500 {
			b.Fatal(broken, err, book.Len())
		}
	}
}

// waitingJournal is a journal of n turns, each of which noticed one thing.
func waitingJournal(n int) (lines []byte) {
	for i := 1; i <= n; i++ {
		f := one(i, fmt.Sprintf("We decided to keep queue %d in Postgres, because jobs must not be lost.", i))
		f.Session, f.Record = fmt.Sprint("s", i/50), fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
		f.Commit, f.Time = "0123456789abcdef0123456789abcdef01234567", day.Add(time.Duration(i)*time.Second)
		f.Context = []Line{{Typed, Said, strings.Repeat("What about the queue? ", 10)},
			{Agent, Said, strings.Repeat("Redis is \"fast\", Postgres is safe.\n", 10)}}
		lines = Turn{At: f.Time, Session: f.Session,
			Mark:     Mark{Device: 1, Inode: 2, Offset: int64(i), UUID: f.Record},
			Findings: []Finding{f}}.Append(lines, i)
	}
	return lines
}
