package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"keepsake/pkg/why/mempalace"
)

// The forms of MemPalace 3.11's databases, as far as they are counted.
const (
	exact = `CREATE TABLE collections(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
		CREATE TABLE documents(collection_id INTEGER NOT NULL, id TEXT NOT NULL, document TEXT, PRIMARY KEY(collection_id, id));
		INSERT INTO collections VALUES(1, 'mempalace_drawers'), (2, 'mempalace_closets');
		INSERT INTO documents VALUES(1, 'drawer_1', 'x'), (2, 'closet_1', 'x'), (1, 'drawer_2', 'x');`
	chroma = `CREATE TABLE collections(id TEXT PRIMARY KEY, name TEXT);
		CREATE TABLE segments(id TEXT PRIMARY KEY, scope TEXT, collection TEXT);
		CREATE TABLE embeddings(id INTEGER PRIMARY KEY, segment_id TEXT, embedding_id TEXT, seq_id BLOB);
		INSERT INTO collections VALUES('c1', 'mempalace_drawers'), ('c2', 'mempalace_closets');
		INSERT INTO segments VALUES('s1', 'METADATA', 'c1'), ('v1', 'VECTOR', 'c1'), ('s2', 'METADATA', 'c2');
		INSERT INTO embeddings VALUES(1, 's1', 'drawer_1', 1), (2, 's2', 'closet_1', 2), (3, 's1', 'drawer_2', 3);`
	graph = `CREATE TABLE entities(id TEXT PRIMARY KEY); CREATE TABLE triples(id TEXT PRIMARY KEY, subject TEXT);
		INSERT INTO triples VALUES('t_1', 'a'), ('t_2', 'b');`
)

// database makes a database and returns its path and the connection that wrote it.
func made(t *testing.T, mode, sql string) (string, *sqlite3.Conn) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a palace?.sqlite3")
	db, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.Exec("PRAGMA journal_mode=" + mode + ";" + sql); err != nil {
		t.Fatal(err)
	}
	return path, db
}

// traces are the files beside a database, and what is in it and in its log. The
// shared index of the log is what SQLite writes to read.
func traces(t *testing.T, path string) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	for _, e := range entries {
		out += e.Name() + " "
		if !strings.HasSuffix(e.Name(), "-shm") {
			b, err := os.ReadFile(filepath.Join(filepath.Dir(path), e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			out += fmt.Sprintf("%x ", sha256.Sum256(b))
		}
	}
	return out
}

func short(c mempalace.Count) string {
	s := fmt.Sprintf("%d rows to %d, %d later:", c.Rows, c.Max, c.Later)
	for _, r := range c.Last {
		s += fmt.Sprintf(" %d=%s", r.Row, r.ID)
	}
	return s
}

func TestCount(t *testing.T) {
	for name, tt := range map[string]struct {
		kind      mempalace.Kind
		sql, want string
	}{
		"exact":  {mempalace.Drawers, exact, "2 rows to 3, 1 later: 1=drawer_1 3=drawer_2"},
		"chroma": {mempalace.Drawers, chroma, "2 rows to 3, 1 later: 1=drawer_1 3=drawer_2"},
		"graph":  {mempalace.Facts, graph, "2 rows to 2, 1 later: 1=t_1 2=t_2"},
		"new":    {mempalace.Facts, "CREATE TABLE other(x)", "0 rows to 0, 0 later:"},
	} {
		for _, mode := range []string{"wal", "delete"} {
			for _, state := range []string{"closed", "open", "written to"} {
				t.Run(name+"/"+mode+"/"+state, func(t *testing.T) {
					path, db := made(t, mode, tt.sql)
					switch state {
					case "closed":
						if err := db.Close(); err != nil {
							t.Fatal(err)
						}
					case "written to":
						if err := db.Exec("BEGIN IMMEDIATE; CREATE TABLE unfinished(x)"); err != nil {
							t.Fatal(err)
						}
					}
					before := traces(t, path)
					c, err := count(mempalace.Ask{Path: path, Kind: tt.kind, After: 1})
					if got := short(c); err != nil || got != tt.want {
						t.Errorf("got %s, %v, want %s", got, err, tt.want)
					}
					if after := traces(t, path); after != before {
						t.Errorf("counting changed\n%s\nto\n%s", before, after)
					}
					if state == "written to" {
						if err := db.Exec("COMMIT"); err != nil {
							t.Errorf("the writer was disturbed: %v", err)
						}
					}
				})
			}
		}
	}
}

// A writer that lets nobody read costs a moment, and is an error.
func TestLocked(t *testing.T) {
	path, db := made(t, "delete", graph)
	if err := db.Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	if _, err := count(mempalace.Ask{Path: path, Kind: mempalace.Facts}); err == nil ||
		!strings.Contains(err.Error(), "locked") {
		t.Errorf("error %v, want one that says it is locked", err)
	}
}

func TestNewestOnly(t *testing.T) {
	path, _ := made(t, "wal", graph+
		"WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 400) INSERT INTO triples "+
		"SELECT 't_' || i, 's' FROM n;")
	c, err := count(mempalace.Ask{Path: path, Kind: mempalace.Facts, After: 50})
	if err != nil || c.Rows != 400 || c.Later != 350 || len(c.Last) != mempalace.Newest ||
		c.Last[0].ID != "t_301" || c.Last[mempalace.Newest-1].ID != "t_400" {
		t.Errorf("%s, %v", short(c), err)
	}
}

func TestBroken(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"text.sqlite3": strings.Repeat("no database at all. ", 300),
		"empty.sqlite3": "", "tunnels.json": `{"id":1`} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		kind := mempalace.Facts
		if name == "tunnels.json" {
			kind = mempalace.Tunnels
		}
		if c, err := count(mempalace.Ask{Path: path, Kind: kind}); (err == nil) != (text == "") {
			t.Errorf("%s: %s, %v", name, short(c), err)
		}
	}
}

func TestTunnels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tunnels.json")
	if err := os.WriteFile(path, []byte(`[{"id":"c44f","kind":"explicit"},{"id":"d55a"}]`),
		0o600); err != nil {
		t.Fatal(err)
	}
	c, err := count(mempalace.Ask{Path: path, Kind: mempalace.Tunnels, After: 1})
	if got := short(c); err != nil || got != "2 rows to 2, 1 later: 1=c44f 2=d55a" {
		t.Errorf("%s, %v", got, err)
	}
}

// The forms of MemPalace 3.11's databases, as far as they are read.
const (
	exactWhole = `CREATE TABLE collections(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
		CREATE TABLE documents(collection_id INTEGER NOT NULL, id TEXT NOT NULL, document TEXT,
			metadata_json TEXT, PRIMARY KEY(collection_id, id));
		INSERT INTO collections VALUES(1, 'mempalace_drawers'), (2, 'mempalace_closets');
		INSERT INTO documents VALUES(2, 'closet_1', 'x', '{}'),
			(1, 'd1', 'We use Postgres.', '{"wing":"shop","room":"queue","chunk_index":0}'),
			(1, 'd2_chunk_000001', 'long',
				'{"wing":"shop","room":"mail","chunk_index":1,"parent_drawer_id":"d2"}'),
			(1, 'd2_chunk_000000', 'It is ',
				'{"wing":"shop","room":"mail","chunk_index":0,"parent_drawer_id":"d2"}');`
	chromaWhole = `CREATE TABLE collections(id TEXT PRIMARY KEY, name TEXT);
		CREATE TABLE segments(id TEXT PRIMARY KEY, scope TEXT, collection TEXT);
		CREATE TABLE embeddings(id INTEGER PRIMARY KEY, segment_id TEXT, embedding_id TEXT, seq_id BLOB);
		CREATE TABLE embedding_metadata(id INTEGER, key TEXT, string_value TEXT, int_value INTEGER,
			float_value REAL, bool_value INTEGER, PRIMARY KEY(id, key));
		INSERT INTO collections VALUES('c1', 'mempalace_drawers'), ('c2', 'mempalace_closets');
		INSERT INTO segments VALUES('s1', 'METADATA', 'c1'), ('s2', 'METADATA', 'c2');
		INSERT INTO embeddings VALUES(1, 's2', 'closet_1', 1), (2, 's1', 'd1', 2),
			(3, 's1', 'd2_chunk_000001', 3), (4, 's1', 'd2_chunk_000000', 4);
		INSERT INTO embedding_metadata(id, key, string_value, int_value) VALUES
			(2, 'chroma:document', 'We use Postgres.', NULL), (2, 'wing', 'shop', NULL), (2, 'room', 'queue', NULL),
			(2, 'chunk_index', NULL, 0),
			(3, 'chroma:document', 'long', NULL), (3, 'wing', 'shop', NULL), (3, 'room', 'mail', NULL),
			(3, 'chunk_index', NULL, 1), (3, 'parent_drawer_id', 'd2', NULL),
			(4, 'chroma:document', 'It is ', NULL), (4, 'wing', 'shop', NULL), (4, 'room', 'mail', NULL),
			(4, 'chunk_index', NULL, 0), (4, 'parent_drawer_id', 'd2', NULL);`
	graphWhole = `CREATE TABLE entities(id TEXT PRIMARY KEY, name TEXT);
		CREATE TABLE triples(id TEXT PRIMARY KEY, subject TEXT, predicate TEXT, object TEXT, valid_from TEXT,
			valid_to TEXT, confidence REAL);
		INSERT INTO entities VALUES('shop', 'The Shop'), ('postgres', 'Postgres');
		INSERT INTO triples VALUES('d1', 'shop', 'uses', 'postgres', NULL, NULL, 1.0),
			('d2', 'shop', 'is', 'postgres', '2026-01-01', '2026-02-01', 0.5);`
)

func TestRead(t *testing.T) {
	drawers := "d1 shop/queue We use Postgres. | d2 shop/mail It is long d2_chunk_000000 d2_chunk_000001"
	facts := "d1 / The Shop uses Postgres | d2 / The Shop is Postgres from 2026-01-01 until 2026-02-01"
	for name, tt := range map[string]struct {
		kind      mempalace.Kind
		sql, want string
	}{
		"exact":  {mempalace.Drawers, exactWhole, drawers},
		"chroma": {mempalace.Drawers, chromaWhole, drawers},
		"graph":  {mempalace.Facts, graphWhole, facts},
	} {
		t.Run(name, func(t *testing.T) {
			path, _ := made(t, "wal", tt.sql)
			read := func(w mempalace.Want) string {
				c, err := count(mempalace.Ask{Path: path, Kind: tt.kind, Read: &w})
				if err != nil {
					t.Fatal(err)
				}
				var all []string
				for _, it := range c.Items {
					if len(it.Meta) < 10 {
						t.Errorf("no metadata: %+v", it)
					}
					all = append(all, strings.Join(append([]string{it.ID, it.Wing + "/" + it.Room, it.Text},
						it.Rows...), " "))
				}
				return strings.Join(all, " | ")
			}
			first, second, _ := strings.Cut(tt.want, " | ")
			last := "d2"
			if tt.kind == mempalace.Drawers {
				last = "d2_chunk_000001"
			}
			for what, is := range map[string][2]string{
				"all":   {read(mempalace.Want{All: true}), tt.want},
				"by id": {read(mempalace.Want{IDs: []string{last, "gone"}}), second},
				"span": {read(mempalace.Want{Spans: [][2]int64{{0, 2}}, IDs: []string{"d1"}})[:len(first)],
					first},
				"none":   {read(mempalace.Want{}), ""},
				"quoted": {read(mempalace.Want{IDs: []string{`d1') OR ("a"="a`}}), ""},
			} {
				if is[0] != is[1] {
					t.Errorf("%s: got %s, want %s", what, is[0], is[1])
				}
			}
		})
	}
	path := filepath.Join(t.TempDir(), "tunnels.json")
	tunnel := `{"id":"c44f","source":{"wing":"a","room":"b"},"target":{"wing":"c","room":"d"},"label":"as"}`
	if err := os.WriteFile(path, []byte("["+tunnel+`,{"id":"other"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := count(mempalace.Ask{Path: path, Kind: mempalace.Tunnels,
		Read: &mempalace.Want{IDs: []string{"c44f"}}})
	if err != nil || len(c.Items) != 1 || c.Items[0].Text != "a/b - c/d as" ||
		string(c.Items[0].Meta) != tunnel {
		t.Errorf("%+v, %v", c.Items, err)
	}
}
