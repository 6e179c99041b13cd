package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"keepsake/pkg/memory"
)

// Default returns the settings of an empty file.
func Default() Config {
	c := Config{
		Categories: make(map[memory.Category]Category, 8),
		Gate:       make(map[string]string, 8),
		Triage: Triage{Thresholds: make(map[memory.Category]float64, 8),
			Parallel: Parallel{Models: make(map[memory.Category]string, 8)}},
	}
	for i := range schema {
		k := &schema[i]
		for _, cat := range k.Categories() {
			v, _, _ := k.take(gjson.Parse(k.DefaultFor(cat)))
			k.set(&c, cat, v)
		}
	}
	return c
}

// Parse lays the project's settings over the person's over the defaults, and
// over all of them what the environment (lines of NAME=value, of any names)
// overrides. Each may be empty. The warnings name file and key and are fit to
// be shown.
func Parse(user, project []byte, env ...string) (Config, []string) {
	c := Default()
	warnings := read(user, project, env, func(from Source, k *Key, cat memory.Category, v value) {
		k.set(&c, cat, v)
		if k.Name == "memdir.log" && from != Project {
			c.Memdir.LogOwn = true
		}
	})
	return c, warnings
}

// Source is where a value comes from.
type Source string

const (
	Defaults    Source = "default"
	User        Source = "user"        // config.json under $XDG_CONFIG_HOME/keepsake
	Project     Source = "project"     // memory-config.json of the project
	Environment Source = "environment" // a variable KEEPSAKE_…
)

// File is how a source is called in a warning, which begins with it.
func (s Source) File() string {
	switch s {
	case User:
		return "config.json"
	case Project:
		return "memory-config.json"
	}
	return string(s)
}

// sink takes one usable value.
type sink func(Source, *Key, memory.Category, value)

func read(user, project []byte, env []string, give sink) (warnings []string) {
	r := reader{give: give, held: map[*Key]int{}}
	r.source = User
	r.text(user)
	r.source = Project
	r.text(project)
	r.source = Environment
	r.env(env)
	return r.warnings
}

type reader struct {
	source   Source
	give     sink
	held     map[*Key]int // how strict the keys are that can only be tightened
	warnings []string
}

func (r *reader) warn(key, format string, args ...any) {
	r.warnings = append(r.warnings,
		printable(fmt.Sprintf("%s: %s: %s", r.source.File(), key, fmt.Sprintf(format, args...))))
}

// printable returns s with U+FFFD for every unprintable character, so that text from a file cannot move
// the cursor of a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\ufffd'
		}
		return r
	}, s)
}

// trimBOM drops the mark that some editors put before UTF-8.
func trimBOM(text []byte) string { return strings.TrimPrefix(string(text), "\ufeff") }

func (r *reader) text(b []byte) {
	text := trimBOM(b)
	if strings.TrimSpace(text) == "" {
		return
	}
	root := gjson.Parse(text)
	if !gjson.Valid(text) || !root.IsObject() {
		r.warnings = append(r.warnings, r.source.File()+
			": not a JSON object, so none of its settings are used")
		return
	}
	r.object(path{}, root)
}

// path is where a member stands: as the file calls it, as the schema does, and
// the category that was met on the way.
type path struct {
	name, pattern string
	cat           memory.Category
}

// object hands on the usable values below an object and warns of the rest.
func (r *reader) object(at path, v gjson.Result) {
	if !v.IsObject() {
		r.warn(at.name, "must be an object")
		return
	}
	v.ForEach(func(k, v gjson.Result) bool {
		at, place := at.member(k.Str)
		switch {
		case place.key != nil:
			got, note, ok := place.key.take(v)
			if note != "" {
				r.warn(at.name, "%s", note)
			}
			if ok {
				r.hand(at.name, place.key, at.cat, got)
			}
		case place.refused != nil:
			if !place.refused.fine(at.cat, v) {
				r.warn(at.name, "%s", place.refused.warning())
			}
		case place.group:
			r.object(at, v)
		case place.noCategory:
			r.warn(at.name, "ignored: no such category")
		case at.pattern != "$schema": // editors look there
			r.warn(at.name, "ignored: unknown key")
		}
		return true
	})
}

// hand gives a usable value on, unless only the person may set or loosen it.
func (r *reader) hand(name string, k *Key, cat memory.Category, v value) {
	if k.Personal && r.source != User {
		r.warn(name, "ignored: only your own config.json sets it")
		return
	}
	if k.Tightens {
		was, set := r.held[k]
		if !set {
			was = slices.Index(k.Words, gjson.Parse(k.Default).Str)
		}
		now := slices.Index(k.Words, v.text)
		own := r.source == User || r.source == Environment && k.OwnVariable
		if now < was && !own {
			r.warn(name, "ignored: it is %s, and only your own config.json can loosen it", k.Words[was])
			return
		}
		r.held[k] = now
	}
	r.give(r.source, k, cat, v)
}

// place is what the schema has at a path; at most one field is set.
type place struct {
	key        *Key
	refused    *refusal
	group      bool // there are keys below it
	noCategory bool // there would be, were this a category
}

// member returns the path of a member, and what the schema has there.
func (p path) member(name string) (path, place) {
	at := path{name, name, p.cat}
	if p.name != "" {
		at.name, at.pattern = p.name+"."+name, p.pattern+"."+name
	}
	if strings.ContainsAny(name, ".<") {
		return at, place{} // "a.b" is not b in a, and nobody's category is perCategory
	}
	if found := lookup(at); found != (place{}) {
		return at, found
	}
	each := at
	each.pattern = perCategory
	if p.pattern != "" {
		each.pattern = p.pattern + "." + perCategory
	}
	if lookup(each) == (place{}) {
		return at, place{}
	}
	cat, err := memory.ParseCategory(name)
	if err != nil {
		return at, place{noCategory: true}
	}
	each.cat = cat
	return each, lookup(each)
}

func lookup(at path) (found place) {
	for i := range refusals {
		if refusals[i].name == at.pattern {
			return place{refused: &refusals[i]}
		}
	}
	for i := range schema {
		k := &schema[i]
		rest, below := strings.CutPrefix(k.Name, at.pattern)
		switch {
		case !below || k.Only != "" && at.cat != "" && k.Only != at.cat:
		case rest == "":
			return place{key: k}
		case rest[0] == '.':
			found.group = true
		}
	}
	if found.group {
		return found
	}
	for i := range refusals {
		if rest, below := strings.CutPrefix(refusals[i].name, at.pattern); below && rest[0] == '.' {
			found.group = true
		}
	}
	return found
}

// env takes the values of variables. It ignores a variable of our prefix whose name is not close to that
// of a key, as it may be another program's.
func (r *reader) env(env []string) {
	for _, line := range env {
		rest, ours := strings.CutPrefix(line, "KEEPSAKE_")
		if !ours {
			continue
		}
		name, text, _ := strings.Cut(rest, "=")
		if text == "" {
			continue
		}
		known, meant := false, false
		for i := range schema {
			k := &schema[i]
			group, _, _ := strings.Cut(k.Name, ".")
			meant = meant || sameName(group, name[:min(len(group), len(name))])
			if !sameName(k.Name, name) || strings.Contains(k.Name, perCategory) {
				continue
			}
			known = true
			got, note, ok := k.take(k.spoken(text))
			if note != "" {
				r.warn("KEEPSAKE_"+name, "%s", note)
			}
			if ok {
				r.hand("KEEPSAKE_"+name, k, "", got)
			}
		}
		if meant && !known {
			r.warn("KEEPSAKE_"+name, "ignored: no key is called so; keys of a category are set in a file")
		}
	}
}

// sameName compares the name of a key with that of a variable.
func sameName(key, variable string) bool {
	if len(key) != len(variable) {
		return false
	}
	for i := 0; i < len(key); i++ {
		c := key[i]
		switch {
		case c == '.':
			c = '_'
		case 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		if c != variable[i] {
			return false
		}
	}
	return true
}
