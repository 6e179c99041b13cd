package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/importer/exchange"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
)

type exportCmd struct {
	Format   string `help:"json, md or agents-md." default:"json" enum:"json,md,agents-md"`
	Output   string `help:"Write to this file; - is standard output, as without it." short:"o" placeholder:"FILE"`
	Category string `help:"Only this category." placeholder:"CATEGORY"`
	Status   string `help:"Only this status: active, retired, archived, or all. Default: all for json, else active." placeholder:"STATUS" enum:",active,retired,archived,all" default:""`
}

func (exportCmd) Help() string {
	return `Prints the project's memories in another form: json, every record whole, which keepsake
records import reads; md, for people; or agents-md, a short section for an AGENTS.md, which -o puts into
that file without touching the rest, and has no memory that waits for your yes. The other two show an
agent none of these.

Examples:

    keepsake records export -o memories.json
    keepsake records export --format md | less
    keepsake records export --format agents-md -o AGENTS.md`
}

func (v exportCmd) Run(c *call, s *session.Session) error {
	cats, err := categories([]string{v.Category})
	if err != nil {
		return err
	}
	loaded, err := c.load(s)
	if err != nil {
		return err
	}
	status := v.Status
	if status == "" && v.Format != "json" {
		status = string(memory.Active)
	}
	records := slices.DeleteFunc(loaded.Records, func(r memory.Stored) bool {
		return status != "" && status != "all" && string(r.Status) != status || len(cats) > 0 &&
			r.Category != cats[0]
	})
	if v.Format == "agents-md" { // agents read that file, whoever writes it
		n := len(records)
		records = slices.DeleteFunc(records, func(r memory.Stored) bool { return s.TrustOf(r).Held })
		c.noteHeld(n - len(records))
	}
	records = c.shownTo(s, records)
	var text []byte
	switch v.Format {
	case "md":
		text = exchange.Markdown(filepath.Base(s.Place.Home), records)
	case "agents-md":
		text = exchange.AgentsMD(records)
	default:
		text = exchange.Bundle(records)
	}
	if v.Output == "" || v.Output == stdout {
		_, err = c.out.Write(text)
	} else if err = v.write(c, text); err == nil {
		c.note("%s to %s", count(len(records), "memory"), brief.Line(v.Output))
	}
	if err != nil {
		return err
	}
	if len(loaded.Bad) > 0 { // what could not be read is not in it
		return quiet{exitFailed}
	}
	return nil
}

func (v exportCmd) write(c *call, text []byte) error {
	path := c.path(v.Output)
	if err := outsideStore(path); err != nil {
		return err
	}
	if v.Format == "agents-md" {
		old, err := disk.Read(path, maxFile)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		text = exchange.Section(old, text)
	}
	return disk.Write(path, text, 0o644)
}

// outsideStore returns why a file can't be written if it is in a store of memories.
func outsideStore(path string) error {
	if inStore(path) {
		return failed(fmt.Errorf("%s: memories are written by plans", brief.Line(path)),
			"name a file outside of .claude/memory")
	}
	return nil
}
