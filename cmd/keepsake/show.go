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
	Uses bool   `help:"Say of each time that it was given what followed, newest first."`
	JSON bool   `help:"Print the record as it is stored; of a drawer one JSON object: path, file, text, source, filed."`

	byHost bool // a model asks by MCP
}

func (showCmd) Help() string {
	return `Shows one memory whole, whatever its status, or one drawer as recall names it.

Below it stands how often an agent was given it and what followed: how often the agent then used words of it,
how often you corrected the agent, and so on. A word counts if the agent wrote it in that turn and had it from
nowhere else: neither from the prompt, nor from a file, a page or a result, nor from what was said before. Two
words are a use, or one that is a name. These are counts: that a word was used does not prove that the memory
helped. With --uses each time has its line, with the words.

Examples:

    keepsake show use-postgres-for-the-job-queue
    keepsake show use-postgres-for-the-job-queue --uses
    keepsake show decisions/use-postgres-for-the-job-queue.json --json
    keepsake show shop/decisions/jobs-live-in-a-postgres-table-0f9c3a71d2e4`
}

func (v showCmd) Run(c *call, s *session.Session) error {
	if isDrawer(v.ID) {
		if v.Uses {
			return usage("--uses: only of memories it is counted what followed, and %s is a drawer",
				brief.Line(v.ID))
		}
		return c.drawer(s, v.ID)
	}
	loaded, err := s.Store().Load()
	if err != nil {
		return err
	}
	r, err := c.findShown(s, loaded, v.ID)
	if err != nil {
		return err
	}
	trust := s.TrustOf(r)
	if v.Uses {
		return c.uses(s, r)
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
	if v.byHost {
		return nil
	}
	log, err := s.Usage()
	if lines := brief.Usage(log.Counts()[r.Path]); len(lines) > 0 {
		c.line("")
		for _, line := range lines {
			c.line("%s", line)
		}
	}
	return err
}

// maxUses is how many times a memory was given are listed.
const maxUses = 50

// uses prints what became of a memory, time by time.
func (c *call) uses(s *session.Session, r memory.Stored) error {
	log, err := s.Usage()
	if err != nil {
		return err
	}
	h := log.History(r.Path, maxUses).Spelled(r.Record)
	for _, line := range brief.UsageHistory(h) {
		c.line("%s", line)
	}
	c.value(h)
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
