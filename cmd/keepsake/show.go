package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/store"
)

type showCmd struct {
	ID   string `arg:"" help:"Id of the memory, the beginning of one, or its file name; or wing/room/drawer."`
	JSON bool   `help:"Print the record as it is stored; of a drawer one JSON object: path, file, text, source, filed."`

	byHost bool // a model asks by MCP
}

func (showCmd) Help() string {
	return `Shows one memory whole, whatever its status, or one drawer as recall names it.

Examples:

    keepsake show use-postgres-for-the-job-queue
    keepsake show decisions/use-postgres-for-the-job-queue.json --json
    keepsake show shop/decisions/jobs-live-in-a-postgres-table-0f9c3a71d2e4`
}

func (v showCmd) Run(c *call, s *session.Session) error {
	if isDrawer(v.ID) {
		return c.drawer(s, v.ID)
	}
	loaded, err := s.Store().Load()
	if err != nil {
		return err
	}
	r, err := find(loaded, v.ID)
	if err != nil {
		return err
	}
	trust := s.TrustOf(r)
	if trust.Held && v.byHost {
		return failed(fmt.Errorf("%s is held and not shown", brief.Line(r.Path)),
			"the user looks at it with keepsake review, in a terminal")
	}
	c.value(json.RawMessage(r.Encode()))
	for _, line := range brief.Record(r) {
		c.line("%s", line)
	}
	if t := answer.TrustMark(trust); t != "" {
		c.line("")
		c.line("Trust: %s", t)
	}
	for _, f := range answer.FlagMarks(trust) {
		c.line("Flag: %s", f)
	}
	return nil
}

// isDrawer reports whether a name is that of a drawer, and not the path of a memory.
func isDrawer(name string) bool {
	return strings.Count(store.Below(name), "/") == 2 && !strings.HasPrefix(name, "/")
}

// find looks a record up by path, id, or the unambiguous beginning of an id.
func find(loaded store.Loaded, id string) (memory.Stored, error) {
	r, err := loaded.Find("show", id)
	if errors.Is(err, fs.ErrNotExist) {
		hints := []string{"keepsake list shows the ids, keepsake recall finds by words"}
		if len(loaded.Bad) > 0 { // a folder among them may have it
			hints = append(hints, fmt.Sprintf("not all could be read (%s): keepsake doctor says why",
				brief.Line(loaded.Bad[0].Path)))
		}
		return r, failed(fmt.Errorf("%s: no such memory", brief.Line(id)), hints...)
	}
	return r, err
}

// stem is the id of the record at a path.
func stem(path string) string { return store.IDOf(path) }
