package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"keepsake/pkg/disk"
	"keepsake/pkg/why/mempalace"
)

// maxTunnels is the largest tunnels.json that is read, in bytes.
const maxTunnels = 32 << 20

// tunnels counts the entries of tunnels.json, a JSON array. A tunnel's row is its
// place there.
func tunnels(a mempalace.Ask) (c mempalace.Count, err error) {
	b, err := disk.ReadLinked(a.Path, maxTunnels)
	if err != nil {
		return c, err
	}
	var all []mempalace.Tunnel
	var whole []json.RawMessage
	if err := errors.Join(json.Unmarshal(b, &all), json.Unmarshal(b, &whole)); err != nil {
		return c, fmt.Errorf("not a list of tunnels: %w", err)
	}
	for i, t := range all {
		if a.Read != nil && (a.Read.All || slices.Contains(a.Read.IDs, t.ID)) {
			c.Items = append(c.Items, mempalace.Item{ID: t.ID, Wing: t.Source.Wing, Room: t.Source.Room,
				Text: fmt.Sprintf("%s/%s - %s/%s %s", t.Source.Wing, t.Source.Room, t.Target.Wing,
					t.Target.Room, t.Label), Meta: whole[i]})
		}
	}
	c.Rows, c.Max = int64(len(all)), int64(len(all))
	c.Later = max(0, c.Rows-a.After)
	for i, t := range all[max(0, len(all)-mempalace.Newest):] {
		c.Last = append(c.Last, mempalace.Row{Row: int64(max(0, len(all)-mempalace.Newest) + i + 1),
			ID: t.ID})
	}
	return c, nil
}
