package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/memory"
)

// A Ref is one setting: a key, and the category where it has one.
type Ref struct {
	*Key
	Category memory.Category
}

// String is the setting's name, as in "triage.thresholds.decision".
func (r Ref) String() string { return r.For(r.Category) }

// Fallback is the setting's default, as JSON.
func (r Ref) Fallback() string { return r.DefaultFor(r.Category) }

// A Setting is the value of a Ref.
type Setting struct {
	Ref
	Value  string // as JSON
	Source Source
}

// List returns every setting with its value and its source, in the order of the documentation. Its
// arguments are those of Parse.
func List(user, project []byte, env ...string) []Setting {
	var all []Setting
	for i := range schema {
		for _, cat := range schema[i].Categories() {
			ref := Ref{&schema[i], cat}
			all = append(all, Setting{ref, ref.Fallback(), Defaults})
		}
	}
	read(user, project, env, func(from Source, k *Key, cat memory.Category, v value) {
		for i := range all {
			if all[i].Key == k && all[i].Category == cat {
				all[i].Value, all[i].Source = k.json(v), from
			}
		}
	})
	return all
}

// Errors of a name that is no setting.
var (
	ErrUnknown = errors.New("no such key")
	ErrRefused = errors.New("does nothing here")
)

// Find returns the settings that a name stands for: one, or all below a group
// such as "retrieval" or "categories.decision". The error is ErrUnknown, or
// ErrRefused with the reason.
func Find(name string) ([]Ref, error) {
	at, here := locate(name)
	switch {
	case here.refused != nil:
		return nil, here.refused.err(name)
	case here.key != nil:
		return []Ref{{here.key, at.cat}}, nil
	case !here.group:
		return nil, unknown(name)
	}
	var below []Ref
	for i := range schema {
		k := &schema[i]
		if !strings.HasPrefix(k.Name, at.pattern+".") {
			continue
		}
		for _, cat := range k.Categories() {
			if at.cat == "" || at.cat == cat {
				below = append(below, Ref{k, cat})
			}
		}
	}
	if len(below) == 0 { // a group of refusals
		return nil, unknown(name)
	}
	return below, nil
}

// locate walks down a dotted name. Below a refusal all is refused.
func locate(name string) (at path, here place) {
	for member := range strings.SplitSeq(name, ".") {
		if at.name != "" && !here.group {
			return at, place{}
		}
		if at, here = at.member(member); here.refused != nil {
			return at, here
		}
	}
	return at, here
}

type refused struct{ text string }

func (e refused) Error() string        { return e.text }
func (e refused) Is(target error) bool { return target == ErrRefused }

// unknown returns the error for an unknown name, with up to four settings that may have been meant: their
// last word has the name's last word in it, or they begin with the name.
func unknown(name string) error {
	last := name[strings.LastIndex(name, ".")+1:]
	var near []string
	for i := range schema {
		k := &schema[i]
		tail := k.Name[strings.LastIndex(k.Name, ".")+1:]
		if len(last) >= 3 && (strings.Contains(tail, strings.ToLower(last)) ||
			strings.HasPrefix(k.Name, name)) && !slices.Contains(near, k.Name) {
			near = append(near, k.Name)
		}
	}
	err := fmt.Errorf("%s: %w", printable(name), ErrUnknown)
	if len(near) > 0 {
		return fmt.Errorf("%w\nhint: there is %s", err, strings.Join(near[:min(len(near), 4)], ", "))
	}
	return fmt.Errorf("%w\nhint: keepsake config list shows all", err)
}

// ProjectMay returns in words what a project's file may do with the key, or "" if it may set it like any
// other.
func (k Key) ProjectMay() string {
	switch {
	case k.Personal:
		return "nothing: only your own settings set it (keepsake config set --user)"
	case k.Tightens:
		return "only make it stricter: " + strings.Join(k.Words, ", ")
	}
	return ""
}

// OwnVariables returns the names of the variables that count like the person's file, and so never if a
// project sets them.
func OwnVariables() (names []string) {
	for i := range schema {
		if schema[i].OwnVariable {
			names = append(names, schema[i].Env())
		}
	}
	return names
}
