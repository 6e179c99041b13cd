package main

import (
	"errors"
	"io/fs"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/secret"
	"keepsake/pkg/why/drawer"
)

// drawerJSON is what show --json prints of a drawer.
type drawerJSON struct {
	Path   string `json:"path"`           // wing/room/drawer
	File   string `json:"file,omitempty"` // of Keepsake's own
	Text   string `json:"text"`
	Source string `json:"source"`
	Filed  string `json:"filed"`
}

// drawer shows one drawer whole.
func (c *call) drawer(s *session.Session, at string) error {
	k, _, err := c.backEnds(s).Keeper()
	if err != nil {
		return err
	}
	var dr drawer.Drawer
	file := ""
	if own, is := k.(*tiers.Drawers); is {
		dr, file, err = own.File(at)
	} else {
		dr, err = k.Read(c.ctx, at)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return noDrawer(at)
	}
	if err != nil {
		return err
	}
	out := drawerJSON{Path: at, File: file, Text: secret.Redact(dr.Text), Source: dr.Source}
	if !dr.Filed.IsZero() {
		out.Filed = dr.Filed.Format(time.RFC3339)
	}
	for _, l := range [...]struct{ label, text string }{{"Drawer", at}, {"File", file}, {"From", out.Source},
		{"Filed", out.Filed}} {
		if l.text != "" {
			c.line("%s: %s", l.label, brief.Line(l.text))
		}
	}
	c.line("")
	for line := range strings.SplitSeq(out.Text, "\n") {
		c.line("%s", brief.Line(line))
	}
	c.value(out)
	return nil
}
