package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"

	"github.com/ncruces/go-sqlite3"

	"keepsake/pkg/why/mempalace"
)

// busy is how long SQLite waits for a writer, in milliseconds.
const busy = 100

// A table is a table of MemPalace's whose rows are counted: its name, the columns of ids and row numbers,
// and the part of a query from FROM up to a condition. A query that begins with whole gives what read reads.
type table struct {
	name, id, row, from string
	whole               string
	read                func(*sqlite3.Stmt) (row, error)
}

// tables are tried in order: the first whose name is in the database is counted. Index lines (collections
// of closets) are not counted, as they change only with the drawers that they are made from.
var tables = []table{
	{"documents", "d.id", "d.rowid", exactDrawers, "d.id, d.document, d.metadata_json FROM " + exactDrawers,
		readDrawer},
	{"embeddings", "e.embedding_id", "e.id", chromaDrawers, "e.embedding_id, " +
		"(SELECT string_value FROM embedding_metadata m WHERE m.id = e.id AND m.key = 'chroma:document'), " +
		"(SELECT json_group_object(m.key, coalesce(m.string_value, m.int_value, m.float_value, " +
		"m.bool_value)) FROM embedding_metadata m WHERE m.id = e.id AND m.key <> 'chroma:document') FROM " +
		chromaDrawers, readDrawer},
	{"triples", "t.id", "t.rowid", "triples t WHERE true",
		"t.*, s.name AS subject_name, o.name AS object_name FROM triples t LEFT JOIN entities s " +
			"ON s.id = t.subject LEFT JOIN entities o ON o.id = t.object WHERE true", readFact},
}

const (
	exactDrawers = "documents d JOIN collections c ON c.id = d.collection_id " +
		"WHERE c.name NOT LIKE '%closet%'"
	chromaDrawers = "embeddings e JOIN segments s ON s.id = e.segment_id JOIN collections c " +
		"ON c.id = s.collection WHERE c.name NOT LIKE '%closet%'"
)

// database counts the rows of a SQLite database of a palace.
func database(a mempalace.Ask) (mempalace.Count, error) {
	log, err := logged(a.Path)
	if err != nil {
		return mempalace.Count{}, err
	}
	if !log || !empty(a.Path+"-wal") {
		return read(a, "mode=ro")
	}
	// Nobody has the database open, and opening it would make SQLite create two files beside it. So it is
	// read as immutable, and read once more if somebody opened it meanwhile.
	before, err := os.Stat(a.Path)
	if err != nil {
		return mempalace.Count{}, err
	}
	c, err := read(a, "immutable=1")
	if now, serr := os.Stat(a.Path); serr == nil && now.ModTime().Equal(before.ModTime()) &&
		now.Size() == before.Size() && empty(a.Path+"-wal") {
		return c, err
	}
	return read(a, "mode=ro")
}

// read counts the rows of a database that it opens with these parameters of an SQLite URI, such as
// "mode=ro".
func read(a mempalace.Ask, query string) (c mempalace.Count, err error) {
	db, err := open(a.Path, query)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	// One transaction, so that all numbers are of one moment.
	if err := db.Exec("BEGIN"); err != nil {
		return c, err
	}
	for _, t := range tables {
		var there int64
		if err := each(db, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '"+t.name+"'",
			func(s *sqlite3.Stmt) {
				there = s.ColumnInt64(0)
			}); err != nil {
			return c, err
		}
		if there > 0 {
			if c, err = t.count(db, a.After); err == nil && a.Read != nil {
				c.Items, err = t.items(db, *a.Read)
			}
			return c, err
		}
	}
	return c, nil // MemPalace has not made its tables yet
}

func (t table) count(db *sqlite3.Conn, after int64) (c mempalace.Count, err error) {
	if err := each(db, "SELECT count(*), coalesce(max("+t.row+"), 0) FROM "+t.from, func(s *sqlite3.Stmt) {
		c.Rows, c.Max = s.ColumnInt64(0), s.ColumnInt64(1)
	}); err != nil {
		return c, err
	}
	switch {
	case after <= 0:
		c.Later = c.Rows
	case c.Max > after:
		if err := each(db, fmt.Sprintf("SELECT count(*) FROM %s AND %s > %d", t.from, t.row, after),
			func(s *sqlite3.Stmt) {
				c.Later = s.ColumnInt64(0)
			}); err != nil {
			return c, err
		}
	}
	err = each(db, fmt.Sprintf("SELECT %s, %s FROM %s ORDER BY %[1]s DESC LIMIT %[4]d", t.row, t.id, t.from,
		mempalace.Newest), func(s *sqlite3.Stmt) {
		c.Last = append(c.Last, mempalace.Row{Row: s.ColumnInt64(0), ID: s.ColumnText(1)})
	})
	slices.Reverse(c.Last)
	return c, err
}

// each runs a query and calls row for each row of the result.
func each(db *sqlite3.Conn, query string, row func(*sqlite3.Stmt)) error {
	s, _, err := db.Prepare(query)
	if err != nil {
		return err
	}
	for s.Step() {
		row(s)
	}
	return errors.Join(s.Err(), s.Close())
}

func open(path, query string) (*sqlite3.Conn, error) {
	uri := url.URL{Scheme: "file", Path: path, RawQuery: query}
	db, err := sqlite3.OpenFlags(uri.String(), sqlite3.OPEN_READONLY|sqlite3.OPEN_URI)
	if err != nil {
		return nil, err
	}
	if err := db.Exec(fmt.Sprintf("PRAGMA busy_timeout=%d; PRAGMA query_only=1", busy)); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// logged reports whether the header of a database names a write-ahead log.
func logged(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var head [20]byte
	if n, _ := f.ReadAt(head[:], 0); n < len(head) {
		return false, nil // made and not written yet
	}
	return head[18] == 2 || head[19] == 2, nil
}

// empty reports whether a file is empty or missing.
func empty(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Size() == 0
}
