package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"keepsake/pkg/search/tiers"
)

const (
	maxQuery  = 250 // characters of a question; MemPalace guesses what is meant of a longer one
	maxResult = 100 // drawers of one answer
)

// noPalace is MemPalace's error while nothing has ever been stored.
const noPalace = "No palace found"

// found is the answer of mempalace_search.
type found struct {
	Results []struct {
		DrawerID   string `json:"drawer_id"`
		Text       string
		Wing, Room string
		CreatedAt  string `json:"created_at"`
		Similarity float64
	}
}

// search returns the drawers that are nearest to a question, first those of the wing and then those of
// all wings. Each drawer occurs once, with its nearest piece.
func (s *server) search(ctx context.Context, q tiers.PalaceAsk) (all []tiers.PalaceDrawer, err error) {
	text := []rune(q.Text)
	text = text[:min(len(text), maxQuery)]
	there := map[string]bool{}
	for _, wing := range []string{q.Wing, ""} {
		args := map[string]any{"query": string(text), "limit": min(q.Most, maxResult)}
		if wing != "" {
			args["wing"] = wing
		}
		var a found
		err := s.call(ctx, "mempalace_search", args, &a)
		if t, ok := errors.AsType[trouble](err); ok && t.error == noPalace {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		for _, r := range a.Results {
			if !there[r.DrawerID] {
				there[r.DrawerID] = true
				all = append(all, tiers.PalaceDrawer{ID: r.DrawerID, Wing: r.Wing, Room: r.Room, Text: r.Text,
					Filed: r.CreatedAt, Likeness: r.Similarity})
			}
		}
	}
	return all, nil
}

// near returns the drawers that MemPalace takes for duplicates of a text.
func (s *server) near(ctx context.Context, q tiers.PalaceAsk) (all []tiers.PalaceDrawer, err error) {
	var a struct {
		Matches []struct {
			ID, Wing, Room, Content string
			Similarity              float64
		}
		Disabled bool   `json:"vector_disabled"`
		Reason   string `json:"vector_disabled_reason"`
		Hint     string
	}
	if err := s.call(ctx, "mempalace_check_duplicate", map[string]any{"content": q.Text}, &a); err != nil {
		// While there is no palace, this tool only reports that it can't open one.
		other := s.call(ctx, "mempalace_search", map[string]any{"query": "palace", "limit": 1}, &found{})
		if t, ok := errors.AsType[trouble](other); ok && t.error == noPalace {
			return nil, nil
		}
		return nil, err
	}
	if a.Disabled {
		return nil, trouble{what: "it can't look for duplicates: " + a.Reason, hint: a.Hint}
	}
	for _, m := range a.Matches {
		if strings.HasSuffix(m.Content, "...") { // cut at 200 characters
			if whole, err := s.read(ctx, m.ID); err == nil && len(whole) == 1 {
				m.Content = whole[0].Text
			}
		}
		all = append(all, tiers.PalaceDrawer{ID: m.ID, Wing: m.Wing, Room: m.Room, Text: m.Content,
			Likeness: m.Similarity})
	}
	return all, nil
}

// read returns the drawer with an id, whole, or nothing if there is none.
func (s *server) read(ctx context.Context, id string) ([]tiers.PalaceDrawer, error) {
	var d stored
	err := s.call(ctx, "mempalace_get_drawer", map[string]any{"drawer_id": id}, &d)
	if t, ok := errors.AsType[trouble](err); ok && strings.HasPrefix(t.error, "Drawer not found") {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return []tiers.PalaceDrawer{{ID: d.DrawerID, Wing: d.Wing, Room: d.Room, Text: d.Content,
		Source: d.Metadata.Source, Filed: d.Metadata.Filed, Likeness: 1}}, nil
}

const (
	// patience is how long a write waits while another process writes. The server of another promotion
	// ends within seconds. That of a client keeps the palace until it ends.
	patience = 10 * time.Second
	again    = 500 * time.Millisecond
)

// add stores a drawer and returns the ids of it and its pieces. existed reports that it was stored
// before.
func (s *server) add(ctx context.Context, q tiers.PalaceAsk) (ids []string, existed bool, err error) {
	args := map[string]any{"wing": q.Wing, "room": q.Room, "content": q.Text, "added_by": "keepsake"}
	if q.Source != "" {
		args["source_file"] = q.Source
	}
	var a stored
	if err := s.write(ctx, "mempalace_add_drawer", args, &a); err != nil {
		return nil, false, err
	}
	if a.Reason != "already_exists" {
		return a.ids(), false, nil
	}
	// The id was made of this text, but a drawer keeps its id when its text is changed. Only this tool
	// returns the ids of the pieces.
	var now stored
	err = s.call(ctx, "mempalace_get_drawer", map[string]any{"drawer_id": a.DrawerID}, &now)
	if err != nil {
		return nil, false, err
	}
	if now.Content != q.Text {
		return nil, false, trouble{
			what: "the drawer " + a.DrawerID + " was stored with this text and has another now",
			hint: "look at it with MemPalace; the same text in another room is another drawer",
		}
	}
	a.ChunkIDs = now.ChunkIDs
	return a.ids(), true, nil
}

// write calls a tool that stores something, and waits while another process writes.
func (s *server) write(ctx context.Context, tool string, args map[string]any, into any) error {
	for until := time.Now().Add(patience); ; {
		err := s.call(ctx, tool, args, into)
		busy, ok := errors.AsType[*jsonrpc.Error](err)
		if !ok || busy.Code != codeBusy || time.Now().After(until) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(again):
		}
	}
}

// remove deletes a drawer if it still has the expected text. MemPalace deletes the pieces of a long one
// with it. A drawer that is already gone is no error.
func (s *server) remove(ctx context.Context, q tiers.PalaceAsk) error {
	now, err := s.read(ctx, q.ID)
	switch {
	case err != nil:
		return err
	case len(now) == 0: // taken away before
		return nil
	case now[0].Text != q.Text:
		return trouble{what: "the drawer " + q.ID + " has another text by now", hint: "look at it again"}
	}
	return s.write(ctx, "mempalace_delete_drawer", map[string]any{"drawer_id": q.ID}, &struct{}{})
}

// changes are the tools that calls may name.
var changes = []string{"add_drawer", "update_drawer", "delete_drawer", "kg_add", "kg_invalidate",
	"create_tunnel", "delete_tunnel"}

// calls makes calls, one after the other, until the palace is another's or the server is gone.
func (s *server) calls(ctx context.Context, all []tiers.PalaceCall) (done []tiers.PalaceDone, err error) {
	for _, c := range all {
		if !slices.Contains(changes, c.Tool) {
			return nil, trouble{what: fmt.Sprintf("no tool %q", c.Tool)}
		}
		var a struct {
			stored
			Triple string `json:"triple_id"`
			ID     string // of a tunnel
		}
		err := s.write(ctx, "mempalace_"+c.Tool, c.Args, &a)
		refused, is := errors.AsType[*jsonrpc.Error](err)
		t, failed := errors.AsType[trouble](err)
		switch {
		case failed && t.error != "":
			done = append(done, tiers.PalaceDone{Trouble: t.what})
		case is && refused.Code < -32000-apart && refused.Code > -32000-2*apart:
			return nil, err // of the server's own, which are not about this call alone
		case is:
			done = append(done, tiers.PalaceDone{Trouble: short(refused.Message)})
		case err != nil:
			return nil, err
		default:
			done = append(done, tiers.PalaceDone{IDs: slices.DeleteFunc(append(a.ids(), a.Triple, a.ID),
				func(id string) bool { return id == "" })})
		}
	}
	return done, nil
}

// stored is the answer of mempalace_add_drawer and mempalace_get_drawer.
type stored struct {
	DrawerID string   `json:"drawer_id"`
	ChunkIDs []string `json:"chunk_ids"`
	Reason   string

	Wing, Room, Content string
	Metadata            struct {
		Source string `json:"source_file"` // the last part of its path
		Filed  string `json:"filed_at"`
	}
}

// ids returns the id of the drawer, followed by those of its pieces.
func (s stored) ids() []string { return append([]string{s.DrawerID}, s.ChunkIDs...) }
