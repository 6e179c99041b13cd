package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// palaces are the end of a turn beside a palace of n drawers: one that nobody
// wrote to since, and one that got a drawer in every turn. It has a home of its
// own, so that nobody else's turn has a palace.
func (w *world) palaces(n int) ([]bench, error) {
	here := *w
	home := filepath.Join(w.dir, "palace-home")
	here.env = append(slices.DeleteFunc(slices.Clone(w.env), func(v string) bool {
		return strings.HasPrefix(v, "HOME=")
	}), "HOME="+home)
	dir := filepath.Join(home, ".mempalace", "palace")
	for _, d := range []string{dir, filepath.Join(home, ".claude", "projects", "-p")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	db, err := sqlite3.Open(filepath.Join(dir, "sqlite_exact.sqlite3"))
	if err != nil {
		return nil, err
	}
	// A snapshot may be reading.
	err = db.Exec(fmt.Sprintf(`PRAGMA journal_mode=wal; PRAGMA busy_timeout=5000;
		CREATE TABLE collections(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
		CREATE TABLE documents(collection_id INTEGER NOT NULL, id TEXT NOT NULL, document TEXT,
			metadata_json TEXT, PRIMARY KEY(collection_id, id));
		INSERT INTO collections(name) VALUES ('mempalace_drawers');
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < %d)
		INSERT INTO documents SELECT 1, 'drawer_' || i, hex(randomblob(150)),
			'{"wing":"shop","room":"queue","chunk_index":0}' FROM n`, n))
	if err != nil {
		return nil, err
	}
	transcript, err := here.transcript(filepath.Join("palace-home", ".claude", "projects", "-p",
		"palace.jsonl"), 5, 0)
	if err != nil {
		return nil, err
	}
	if _, err := here.session("palace", transcript, nil); err != nil {
		return nil, err
	}
	stop := w.hook("Stop")
	stdin := w.stopEvent("palace", transcript)
	if _, _, err := here.once(stop, stdin); err != nil { // reads the transcript and counts
		return nil, err
	}
	drawers := 0
	more := func() error {
		drawers++
		return db.Exec(fmt.Sprintf("INSERT INTO documents VALUES (1, 'drawer_more_%d', 'x', '{}')", drawers))
	}
	return []bench{
		{name: fmt.Sprintf("Stop, palace of %d drawers", n), aim: "<= 3", argv: stop, stdin: stdin,
			world: &here},
		{name: "Stop, palace with a drawer more", aim: "< 20 ms", argv: stop, stdin: stdin, prepare: more,
			world: &here},
	}, nil
}
