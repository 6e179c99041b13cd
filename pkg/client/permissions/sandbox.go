package permissions

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Sandboxed reports whether a settings file switches on the client's sandbox, in which Bash, and all that it
// starts, can write to little more than the project.
func Sandboxed(settings []byte) bool { return gjson.GetBytes(settings, "sandbox.enabled").Bool() }

// Restricts reports whether a settings file has a rule that denies, or asks about, every command of Bash, a
// command that names a program, or this command.
func Restricts(settings []byte, program, command string) (found bool) {
	for _, list := range [...]string{"permissions.deny", "permissions.ask"} {
		gjson.GetBytes(settings, list).ForEach(func(_, v gjson.Result) bool {
			of, ok := strings.CutPrefix(strings.TrimSpace(v.Str), "Bash")
			found = ok && (strings.Trim(of, "(:*)") == "" || strings.Contains(of, program) ||
				matches(strings.TrimSuffix(strings.TrimPrefix(of, "("), ")"), command))
			return !found
		})
		if found {
			break
		}
	}
	return found
}

// matches reports whether a rule's pattern is that of a command: a star stands for any text, and the colon
// before the last star for none.
func matches(pattern, command string) bool {
	if rest, ok := strings.CutSuffix(pattern, ":*"); ok {
		pattern = rest + "*"
	}
	first, rest, stars := strings.Cut(pattern, "*")
	command, ok := strings.CutPrefix(strings.TrimSpace(command), first)
	for ok && stars {
		if first, rest, stars = strings.Cut(rest, "*"); !stars {
			return strings.HasSuffix(command, first)
		}
		_, command, ok = strings.Cut(command, first)
	}
	return ok && command == ""
}

// switches are the keys below sandbox with which it is a wall: it is on, the client does not start without
// it, and no command can ask to run outside.
var switches = [...]struct {
	name string
	on   bool
}{{"enabled", true}, {"failIfUnavailable", true}, {"allowUnsandboxedCommands", false}}

// A Sandbox is what settings say of the client's sandbox.
type Sandbox struct {
	set map[string]bool // the switches that are there

	DenyWrite []string // folders, as they stand there
	Excluded  []string // commands that run outside
	opened    []string // folders in which more may be written
}

// ReadSandbox returns what one settings file says of the sandbox. Rules that allow Edit, and additional
// directories of the session, open folders for Bash, too.
func ReadSandbox(settings []byte) Sandbox {
	all := gjson.ParseBytes(settings)
	s := Sandbox{set: map[string]bool{}}
	for _, w := range switches {
		if v := all.Get("sandbox." + w.name); v.IsBool() {
			s.set[w.name] = v.Bool()
		}
	}
	s.DenyWrite = texts(all.Get("sandbox.filesystem.denyWrite"))
	s.Excluded = texts(all.Get("sandbox.excludedCommands"))
	s.opened = append(texts(all.Get("sandbox.filesystem.allowWrite")),
		texts(all.Get("permissions.additionalDirectories"))...)
	for _, rule := range texts(all.Get("permissions.allow")) {
		if of, ok := strings.CutPrefix(rule, "Edit("); ok {
			s.opened = append(s.opened, strings.TrimSuffix(of, ")"))
		}
	}
	return s
}

func texts(list gjson.Result) (all []string) {
	if list.IsArray() {
		list.ForEach(func(_, v gjson.Result) bool {
			if v.Type == gjson.String {
				all = append(all, v.Str)
			}
			return true
		})
	}
	return all
}

// Over returns what settings say of which a stronger file says more: its switches count, and all lists are
// joined.
func (s Sandbox) Over(stronger Sandbox) Sandbox {
	all := Sandbox{set: map[string]bool{}, DenyWrite: slices.Concat(s.DenyWrite, stronger.DenyWrite),
		Excluded: slices.Concat(s.Excluded, stronger.Excluded),
		opened:   slices.Concat(s.opened, stronger.opened)}
	for _, from := range []Sandbox{s, stronger} {
		for name, on := range from.set {
			all.set[name] = on
		}
	}
	return all
}

// Enabled reports whether the settings switch the sandbox on.
func (s Sandbox) Enabled() bool { return s.set["enabled"] }

// Off returns the switches without which the sandbox is no wall, as they would have to be.
func (s Sandbox) Off() (all []string) {
	for _, w := range switches {
		if on, there := s.set[w.name]; !there || on != w.on {
			all = append(all, fmt.Sprintf("sandbox.%s: %v", w.name, w.on))
		}
	}
	return all
}

// Turned returns the switches that the settings turn the wrong way.
func (s Sandbox) Turned() (all []string) {
	for _, w := range switches {
		if on, there := s.set[w.name]; there && on != w.on {
			all = append(all, fmt.Sprintf("sandbox.%s: %v", w.name, on))
		}
	}
	return all
}

// Opens returns the folders that the settings let Bash write to although they contain, or lie in, what is to
// be read-only. The older of the supported clients (2.1.197) forgets all of denyWrite where the root of the
// file system may be written, and lets a folder be written that lies in one of denyWrite.
func (s Sandbox) Opens(home string, denied []string) (all []string) {
	for _, path := range s.opened {
		clean := openedPath(path, home)
		for _, d := range denied {
			d = openedPath(d, home)
			if clean == "/" || clean == d || strings.HasPrefix(clean, d+"/") || mayLeadInto(clean, d) {
				all = append(all, path)
				break
			}
		}
	}
	return all
}

// mayLeadInto reports whether a path that leads out of its project, "../../.mempalace", may lie in a folder.
// Where the project is, these settings do not say.
func mayLeadInto(path, folder string) bool {
	rest, out := path, false
	for strings.HasPrefix(rest, "../") {
		rest, out = rest[len("../"):], true
	}
	for tail := folder; out; {
		_, after, more := strings.Cut(tail, "/")
		if tail = after; !more {
			break
		}
		if rest == tail || strings.HasPrefix(rest, tail+"/") {
			return true
		}
	}
	return false
}

// openedPath returns a folder of the settings as an absolute path without the globs at its end.
func openedPath(path, home string) string {
	path = strings.TrimSuffix(strings.TrimSuffix(path, "*"), "*")
	if rest, ok := strings.CutPrefix(path, "~/"); ok || path == "~" {
		path = filepath.Join(home, rest)
	}
	return filepath.Clean(path)
}

// Missing returns those of these paths that are not read-only by denyWrite.
func (s Sandbox) Missing(home string, paths []string) (all []string) {
	for _, p := range paths {
		clean := openedPath(p, home)
		if !slices.ContainsFunc(s.DenyWrite, func(d string) bool {
			d = openedPath(d, home)
			return clean == d || strings.HasPrefix(clean, strings.TrimSuffix(d, "/")+"/")
		}) {
			all = append(all, p)
		}
	}
	return all
}

// A SandboxChange is what was put into a settings file.
type SandboxChange struct {
	DenyWrite []string `json:"deny_write,omitempty"`
	// Were are the switches that were set, with what stood there before as JSON, "" for nothing.
	Were map[string]string `json:"were,omitempty"`
	// Made are the objects and lists that were not there.
	Made []string `json:"made,omitempty"`
}

// Empty reports whether nothing was changed.
func (c SandboxChange) Empty() bool { return len(c.DenyWrite) == 0 && len(c.Were) == 0 }

// And returns a change that consists of this one and a later one.
func (c SandboxChange) And(later SandboxChange) SandboxChange {
	all := SandboxChange{DenyWrite: slices.Concat(c.DenyWrite, later.DenyWrite),
		Made: slices.Concat(c.Made, later.Made), Were: map[string]string{}}
	for _, from := range []SandboxChange{later, c} {
		for name, was := range from.Were {
			all.Were[name] = was
		}
	}
	return all
}

// objects are where denyWrite lies, from the outside in.
var objects = [...]string{"sandbox", "filesystem", "denyWrite"}

// AddSandbox returns the text of a settings file in which the sandbox is on and these paths are read-only in
// it. Everything else stays as it is, byte for byte.
func AddSandbox(text string, paths []string) (edited string, c SandboxChange, err error) {
	text, marked := strings.CutPrefix(text, mark)
	if strings.TrimSpace(text) == "" {
		text = "{\n}\n"
	}
	b := builder{text: text, unit: unit(text)}
	c.Were = map[string]string{}
	if err := b.ensure(&c, "sandbox"); err != nil {
		return "", c, err
	}
	for _, w := range switches {
		found, err := b.sandbox()
		if err != nil {
			return "", c, err
		}
		want := fmt.Sprint(w.on)
		had, err := member(found[1], w.name, gjson.Result.IsBool, "true or false")
		switch {
		case err != nil:
			return "", c, err
		case !had.Exists():
			b.into(found[1], func(string) string { return `"` + w.name + `": ` + want })
		case had.Raw != want:
			b.text = b.text[:had.Index] + want + b.text[had.Index+len(had.Raw):]
		default:
			continue
		}
		c.Were[w.name] = had.Raw
	}
	if err := b.ensure(&c, objects[:]...); err != nil {
		return "", c, err
	}
	found, err := b.sandbox()
	if err != nil {
		return "", c, err
	}
	there := texts(found[3])
	for _, p := range paths {
		if !slices.Contains(there, p) {
			c.DenyWrite, there = append(c.DenyWrite, p), append(there, p)
		}
	}
	if len(c.DenyWrite) > 0 {
		b.into(found[3], func(in string) string { return b.list(c.DenyWrite, in) })
	}
	if !gjson.Valid(b.text) {
		return "", c, fmt.Errorf("%w: the change would break it", ErrSettings)
	}
	return remarked(b.text, marked), c, nil
}

// ensure makes those of the first objects that are not there, and notes them.
func (b *builder) ensure(c *SandboxChange, names ...string) error {
	for i, name := range names {
		found, err := b.sandbox()
		if err != nil {
			return err
		}
		if found[i+1].Exists() {
			continue
		}
		c.Made = append(c.Made, name)
		empty := "{}"
		if name == "denyWrite" {
			empty = "[]"
		}
		b.into(found[i], func(string) string { return `"` + name + `": ` + empty })
	}
	return nil
}

// sandbox returns the whole text, the sandbox in it, its file system and denyWrite. Those that are not there
// don't exist.
func (b *builder) sandbox() (found [4]gjson.Result, err error) {
	if found[0], _, _, err = find(b.text); err != nil {
		return found, err
	}
	for i, name := range objects {
		is, what := gjson.Result.IsObject, "object"
		if name == "denyWrite" {
			is, what = gjson.Result.IsArray, "list"
		}
		if found[i+1], err = member(found[i], name, is, what); err != nil {
			return found, err
		}
	}
	return found, nil
}

// DropSandbox returns the text without what was put into it. What somebody changed since stays.
func DropSandbox(text string, c SandboxChange) (edited string, err error) {
	text, marked := strings.CutPrefix(text, mark)
	b := builder{text: text, unit: unit(text)}
	for range c.DenyWrite {
		found, err := b.sandbox()
		if err != nil {
			return "", err
		}
		b.text = dropItem(b.text, found[3], c.DenyWrite)
	}
	for _, w := range switches {
		found, err := b.sandbox()
		if err != nil {
			return "", err
		}
		was, set := c.Were[w.name]
		now := found[1].Get(w.name)
		switch {
		case !set || now.Raw != fmt.Sprint(w.on):
		case was == "":
			b.text = dropMember(b.text, found[1], w.name)
		case json.Valid([]byte(was)):
			had, err := member(found[1], w.name, gjson.Result.IsBool, "true or false")
			if err != nil {
				return "", err
			}
			b.text = b.text[:had.Index] + was + b.text[had.Index+len(had.Raw):]
		}
	}
	for i := len(objects) - 1; i >= 0; i-- {
		found, err := b.sandbox()
		if err != nil {
			return "", err
		}
		if slices.Contains(c.Made, objects[i]) && found[i+1].Exists() && members(found[i+1]) == 0 {
			b.text = dropMember(b.text, found[i], objects[i])
		}
	}
	return remarked(b.text, marked), nil
}

// dropItem takes one of these texts out of a list.
func dropItem(text string, list gjson.Result, drop []string) string {
	var items []gjson.Result
	list.ForEach(func(_, v gjson.Result) bool { items = append(items, v); return true })
	for i, v := range items {
		if v.Type == gjson.String && slices.Contains(drop, v.Str) {
			return cutOut(text, v.Index, v.Index+len(v.Raw), i > 0, i < len(items)-1)
		}
	}
	return text
}

// WeakensSandbox reports whether settings say less of the client's sandbox than before: a switch of it is
// turned the wrong way or goes, a folder is read-only no longer, or one is opened that lies in such a folder.
func WeakensSandbox(before, after string) bool {
	if !strings.Contains(before, "andbox") && !strings.Contains(after, "andbox") {
		return false
	}
	old, now := ReadSandbox([]byte(before)), ReadSandbox([]byte(after))
	return len(now.Turned()) > len(old.Turned()) || len(now.Off()) > len(old.Off()) ||
		len(now.Missing("/", old.DenyWrite)) > 0 || len(now.Excluded) > len(old.Excluded) ||
		len(now.Opens("/", now.DenyWrite)) > len(old.Opens("/", old.DenyWrite))
}
