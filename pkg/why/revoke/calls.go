package revoke

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"keepsake/pkg/search/tiers"
	"keepsake/pkg/why/mempalace"
)

// callsFor returns the calls of MemPalace's tools that make one thing another; nil is none.
func callsFor(k mempalace.Kind, from, to *mempalace.Item, now time.Time) ([]tiers.PalaceCall, error) {
	switch {
	case k == mempalace.Facts:
		return factCalls(from, to, now)
	case k == mempalace.Tunnels:
		return tunnelCalls(from, to)
	case k != mempalace.Drawers:
		return nil, fmt.Errorf("no tool changes a %s", k)
	case to == nil:
		return calls("delete_drawer", "drawer_id", from.ID), nil
	case from != nil:
		return calls("update_drawer", "drawer_id", from.ID, "content", to.Text, "wing", to.Wing, "room",
			to.Room), nil
	}
	var metas []struct {
		File string `json:"source_file"`
		By   string `json:"added_by"`
	}
	if err := json.Unmarshal(to.Meta, &metas); err != nil || len(metas) == 0 {
		return nil, errors.New("its metadata is no list")
	}
	file := metas[0].File
	if filepath.IsAbs(file) {
		file = "" // `mempalace sync` takes drawers away whose file is gone
	}
	return calls("add_drawer", "wing", to.Wing, "room", to.Room, "content", to.Text, "source_file", file,
		"added_by", cmp.Or(metas[0].By, "keepsake")), nil
}

// factCalls ends a fact and adds one. MemPalace has no tool that deletes a fact or opens an ended one.
func factCalls(from, to *mempalace.Item, now time.Time) (all []tiers.PalaceCall, err error) {
	if from != nil && !from.IsOver(mempalace.Facts) {
		var f mempalace.Fact
		if err := json.Unmarshal(from.Meta, &f); err != nil {
			return nil, err
		}
		all = calls("kg_invalidate", "subject", f.Subject, "predicate", f.Predicate, "object", f.Object,
			"ended", max(now.UTC().Format("2006-01-02T15:04:05Z"), f.From))
	}
	if to != nil {
		var f mempalace.Fact
		if err := json.Unmarshal(to.Meta, &f); err != nil {
			return nil, err
		}
		all = append(all, calls("kg_add", "subject", f.Subject, "predicate", f.Predicate, "object", f.Object,
			"valid_from", f.From, "valid_to", f.To, "source_file", f.File, "source_drawer_id", f.Drawer,
			"source_closet", f.Closet)...)
	}
	return all, nil
}

func tunnelCalls(from, to *mempalace.Item) ([]tiers.PalaceCall, error) {
	if to == nil {
		return calls("delete_tunnel", "tunnel_id", from.ID), nil
	}
	var t mempalace.Tunnel
	if err := json.Unmarshal(to.Meta, &t); err != nil {
		return nil, err
	}
	return calls("create_tunnel", "source_wing", t.Source.Wing, "source_room", t.Source.Room, "target_wing",
		t.Target.Wing, "target_room", t.Target.Room, "label", t.Label, "source_drawer_id", t.Source.Drawer,
		"target_drawer_id", t.Target.Drawer), nil
}

// calls returns one call of a tool. Arguments that are empty are left out.
func calls(tool string, args ...string) []tiers.PalaceCall {
	c := tiers.PalaceCall{Tool: tool, Args: map[string]any{}}
	for i := 0; i < len(args); i += 2 {
		if args[i+1] != "" {
			c.Args[args[i]] = args[i+1]
		}
	}
	return []tiers.PalaceCall{c}
}
