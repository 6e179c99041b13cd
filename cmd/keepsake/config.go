package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/project/config"
	"keepsake/pkg/project/session"
	"keepsake/pkg/project/settings"
)

type configCmd struct {
	Get     configGetCmd     `cmd:"" help:"Print what a key is set to."`
	Set     configSetCmd     `cmd:"" help:"Set a key in the project's settings, or in yours."`
	Unset   configUnsetCmd   `cmd:"" help:"Take a key out of the project's settings, or out of yours."`
	List    configListCmd    `cmd:"" help:"List all keys with their values and where these come from."`
	Explain configExplainCmd `cmd:"" help:"Say what a key does and what it takes."`
}

func (configCmd) Help() string {
	return `Settings come from the defaults, your own file (config.json in keepsake's folder below
XDG_CONFIG_HOME), the project's (.claude/memory/memory-config.json) and the environment; what comes later
wins, key by key.

Examples:

    keepsake config list
    keepsake config explain retrieval.max_inject
    keepsake config set capture.on_stop heard
    keepsake config unset capture.on_stop`
}

type configGetCmd struct {
	Key  string `arg:"" help:"A key, as keepsake config list shows it."`
	JSON bool   `help:"Print one JSON object: key, value, source."`
}

func (configGetCmd) Help() string {
	return `Prints the value that counts.

Example:

    keepsake config get triage.thresholds.decision`
}

type configSetCmd struct {
	Key   string `arg:"" help:"A key, as keepsake config list shows it."`
	Value string `arg:"" help:"What to set it to."`
	User  bool   `help:"In your own settings, for all your projects."`
	JSON  bool   `help:"Print one JSON object: key, value, file."`
}

func (configSetCmd) Help() string {
	return `Changes one value in the settings file and nothing else in it. A value that the key does not
take is refused.

Examples:

    keepsake config set retrieval.max_inject 5
    keepsake config set categories.decision.description 'choices and their reasons' --user`
}

type configUnsetCmd struct {
	Key  string `arg:"" help:"A key, as keepsake config list or a warning shows it."`
	User bool   `help:"Out of your own settings, for all your projects."`
	JSON bool   `help:"Print one JSON object: key, value, source, file; what counts now."`
}

func (configUnsetCmd) Help() string {
	return `Takes one key out of the settings file and changes nothing else in it. Then the default
counts, or your own file. A key that does nothing, which a warning names, can be taken out too.

Examples:

    keepsake config unset retrieval.max_inject
    keepsake config unset capture.on_stop --user`
}

type configListCmd struct {
	Group string `arg:"" optional:"" help:"Only the keys of this group, such as retrieval."`
	JSON  bool   `help:"Print one JSON array: key, value, source, default."`
}

func (configListCmd) Help() string {
	return `Lists every key with its value and the source of the value: default, user, project or
environment.

Examples:

    keepsake config list
    keepsake config list categories.decision --json`
}

type configExplainCmd struct {
	Key  string `arg:"" help:"A key or a group of keys."`
	JSON bool   `help:"Print one JSON array: key, doc, takes, default, value, source, variable; of a key that does nothing key and doc."`
}

func (configExplainCmd) Help() string {
	return `Says what a key does, what it takes, its default, what it is set to and where. For a key of
claude-memory that does nothing here, it says why.

Examples:

    keepsake config explain triage.thresholds.decision
    keepsake config explain delete`
}

// settingJSON is one key as --json prints it.
type settingJSON struct {
	Key     string          `json:"key"`
	Value   json.RawMessage `json:"value"`
	Source  config.Source   `json:"source"`
	Default json.RawMessage `json:"default"`
}

func settingShown(s config.Setting) settingJSON {
	return settingJSON{s.String(), json.RawMessage(s.Value), s.Source, json.RawMessage(s.Fallback())}
}

// explanation is one key as config explain --json prints it.
type explanation struct {
	Key      string          `json:"key"`
	Doc      string          `json:"doc"`
	Takes    string          `json:"takes,omitempty"`
	Default  json.RawMessage `json:"default,omitempty"`
	Value    json.RawMessage `json:"value,omitempty"`
	Source   config.Source   `json:"source,omitempty"`
	Variable string          `json:"variable,omitempty"`
}

// spoken is a JSON value for people: a text without its quotes, on one line.
func spoken(value string) string {
	var s string
	if json.Unmarshal([]byte(value), &s) == nil {
		return brief.Line(s)
	}
	return value
}

func (v configGetCmd) Run(c *call, s *session.Session) error {
	found, err := settings.Read(s, v.Key)
	if err != nil {
		return err
	}
	if len(found) != 1 {
		return usage("%s: is a group of %s\nhint: keepsake config list %s", v.Key, count(len(found), "key"),
			v.Key)
	}
	c.line("%s", spoken(found[0].Value))
	c.value(settingShown(found[0]))
	return nil
}

func (v configListCmd) Run(c *call, s *session.Session) error {
	found, err := settings.Read(s, v.Group)
	if err != nil {
		return err
	}
	all := []settingJSON{}
	names, values := 0, 0
	for _, s := range found {
		all = append(all, settingShown(s))
		names, values = max(names, len(s.String())), max(values, min(len(spoken(s.Value)), valueRoom))
	}
	for _, s := range found {
		c.line("%-*s  %-*s  %s", names, s, values, cut(spoken(s.Value), valueRoom), s.Source)
	}
	c.value(all)
	return nil
}

// valueRoom is the width of the column of values in keepsake config list.
const valueRoom = 40

func (v configExplainCmd) Run(c *call, s *session.Session) error {
	found, err := settings.Read(s, v.Key)
	if errors.Is(err, config.ErrRefused) {
		c.line("%s", err)
		c.value([]explanation{{Key: v.Key, Doc: err.Error()}})
		return nil
	}
	if err != nil {
		return err
	}
	var all []explanation
	for i, one := range found {
		if i > 0 {
			c.line("")
		}
		c.line("%s\n  %s", one, one.Doc)
		c.line("  takes     %s", one.Want())
		c.line("  default   %s", cmp.Or(spoken(one.Fallback()), "none"))
		if one.Source != config.Defaults {
			c.line("  set to    %s, by %s", spoken(one.Value),
				cmp.Or(settings.File(s, one.Source), one.Env()))
		}
		if env := one.Env(); env != "" {
			c.line("  variable  %s", env)
		}
		if may := one.ProjectMay(); may != "" {
			c.line("  project   %s", may)
		}
		all = append(all, explanation{one.String(), one.Doc, one.Want(), json.RawMessage(one.Fallback()),
			json.RawMessage(one.Value), one.Source, one.Env()})
	}
	c.value(all)
	return nil
}

func (v configSetCmd) Run(c *call, s *session.Session) error {
	if refs, err := config.Find(v.Key); err == nil && !v.User &&
		slices.ContainsFunc(refs, func(r config.Ref) bool { return r.Personal }) {
		return usage("%s: only your own settings set it\nhint: keepsake config set %s %s --user", v.Key,
			v.Key, v.Value)
	}
	value := ""
	path, changed, err := settings.Edit(c.ctx, s, v.User, func(text []byte) (edited []byte, err error) {
		edited, value, err = config.Set(text, v.Key, v.Value)
		return edited, err
	})
	if err != nil {
		return err
	}
	if _, err := config.Find(v.Key); errors.Is(err, config.ErrRefused) && !changed {
		c.line("%s is %s anyway; nothing was written", v.Key, spoken(value))
	} else {
		c.line("%s = %s in %s", v.Key, spoken(value), path)
	}
	c.value(struct {
		Key   string          `json:"key"`
		Value json.RawMessage `json:"value"`
		File  string          `json:"file"`
	}{v.Key, json.RawMessage(value), path})
	if counts, by := settings.Overridden(s, v.Key, value); by != "" {
		c.note("%s stays %s: %s wins", v.Key, strings.TrimSpace(spoken(counts)), by)
	}
	return nil
}

func (v configUnsetCmd) Run(c *call, s *session.Session) error {
	stood := false
	path, _, err := settings.Edit(c.ctx, s, v.User, func(text []byte) (edited []byte, err error) {
		edited, stood, err = config.Unset(text, v.Key)
		return edited, err
	})
	if err != nil {
		return err
	}
	now, err := settings.Read(s, v.Key)
	if err != nil || len(now) != 1 { // a key that does nothing
		now = []config.Setting{{Value: "null"}}
	}
	switch {
	case !stood:
		c.line("%s does not stand in %s", v.Key, path)
	case now[0].Key == nil:
		c.line("%s is out of %s", v.Key, path)
	default:
		c.line("%s is out of %s; it is %s now (%s)", v.Key, path, cmp.Or(spoken(now[0].Value), "none"),
			now[0].Source)
	}
	c.value(struct {
		Key    string          `json:"key"`
		Value  json.RawMessage `json:"value"`
		Source config.Source   `json:"source,omitempty"`
		File   string          `json:"file"`
	}{v.Key, json.RawMessage(now[0].Value), now[0].Source, path})
	return nil
}
