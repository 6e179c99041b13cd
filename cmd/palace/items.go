package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"keepsake/pkg/why/mempalace"
)

// A row is one row of a palace: a drawer, a piece of one, or a fact.
type row struct {
	id, text string
	meta     map[string]any
}

// items reads the things that were wanted, in the order of their first rows.
func (t table) items(db *sqlite3.Conn, want mempalace.Want) ([]mempalace.Item, error) {
	ids := make([]string, len(want.IDs))
	for i, id := range want.IDs {
		ids[i] = mempalace.Whole(id)
	}
	named, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	// A piece of a drawer is wanted with all others.
	where := fmt.Sprintf("(CASE instr(%[1]s, '_chunk_') WHEN 0 THEN %[1]s "+
		"ELSE substr(%[1]s, 1, instr(%[1]s, '_chunk_') - 1) END IN (SELECT value FROM json_each(?))", t.id)
	for _, s := range want.Spans {
		where += fmt.Sprintf(" OR %[1]s > %[2]d AND %[1]s <= %[3]d", t.row, s[0], s[1])
	}
	where += ")"
	if want.All {
		where = "? NOTNULL"
	}
	s, _, err := db.Prepare("SELECT " + t.whole + " AND " + where + " ORDER BY " + t.row)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := s.BindText(1, string(named)); err != nil {
		return nil, err
	}
	var rows []row
	for size := 0; s.Step(); {
		r, err := t.read(s)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
		if size += len(r.text); size > mempalace.MaxText {
			return nil, mempalace.ErrLarge
		}
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	if t.name == "triples" {
		return facts(rows)
	}
	return drawers(rows)
}

// readDrawer reads a row of an id, a text and the metadata as a JSON object.
func readDrawer(s *sqlite3.Stmt) (row, error) {
	r := row{id: s.ColumnText(0), text: s.ColumnText(1)}
	// Numbers stay as they are.
	d := json.NewDecoder(bytes.NewReader([]byte(cmp.Or(s.ColumnText(2), "{}"))))
	d.UseNumber()
	if err := d.Decode(&r.meta); err != nil {
		return r, fmt.Errorf("the metadata of %s: %w", r.id, err)
	}
	return r, nil
}

// readFact reads a row with all columns.
func readFact(s *sqlite3.Stmt) (row, error) {
	r := row{meta: map[string]any{}}
	for i := range s.ColumnCount() {
		switch name := s.ColumnName(i); s.ColumnType(i) {
		case sqlite3.NULL:
		case sqlite3.FLOAT, sqlite3.INTEGER:
			r.meta[name] = s.ColumnFloat(i)
		default:
			r.meta[name] = s.ColumnText(i)
		}
	}
	r.id, _ = r.meta["id"].(string)
	return r, nil
}

// drawers joins the pieces of long drawers.
func drawers(rows []row) ([]mempalace.Item, error) {
	var order []string
	parts := map[string][]row{}
	for _, r := range rows {
		whole := cmp.Or(r.string("parent_drawer_id"), r.string("parent_entry_id"), r.id)
		if parts[whole] == nil {
			order = append(order, whole)
		}
		parts[whole] = append(parts[whole], r)
	}
	all := make([]mempalace.Item, len(order))
	for i, id := range order {
		pieces := parts[id]
		slices.SortStableFunc(pieces, func(a, b row) int {
			return cmp.Or(cmp.Compare(a.number("chunk_index"), b.number("chunk_index")),
				cmp.Compare(a.id, b.id))
		})
		it := mempalace.Item{ID: id, Wing: pieces[0].string("wing"), Room: pieces[0].string("room")}
		var metas []map[string]any
		for _, p := range pieces {
			it.Text += p.text
			metas = append(metas, p.meta)
			if p.id != id {
				it.Rows = append(it.Rows, p.id)
			}
		}
		var err error
		if it.Meta, err = json.Marshal(metas); err != nil {
			return nil, err
		}
		all[i] = it
	}
	return all, nil
}

func facts(rows []row) (all []mempalace.Item, err error) {
	for _, r := range rows {
		words := []string{cmp.Or(r.string("subject_name"), r.string("subject")), r.string("predicate"),
			cmp.Or(r.string("object_name"), r.string("object"))}
		r.meta["subject_name"], r.meta["object_name"] = words[0], words[2]
		for _, at := range []string{"valid_from", "valid_to"} {
			if date := r.string(at); date != "" {
				words = append(words, map[string]string{"valid_from": "from", "valid_to": "until"}[at], date)
			}
		}
		it := mempalace.Item{ID: r.id, Text: strings.Join(words, " ")}
		if it.Meta, err = json.Marshal(r.meta); err != nil {
			return nil, err
		}
		all = append(all, it)
	}
	return all, nil
}

func (r row) string(key string) string {
	s, _ := r.meta[key].(string)
	return s
}

func (r row) number(key string) int64 {
	n, _ := r.meta[key].(json.Number)
	i, _ := n.Int64()
	return i
}
