package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"keepsake/pkg/memory"
)

// Errors of Set and Unset. The message of ErrValue names the values that the key takes.
var (
	ErrValue = errors.New("cannot be used")
	ErrGroup = errors.New("is a group of keys")
)

// IsMistake reports whether an error is about a wrong key or value, and not about the file.
func IsMistake(err error) bool {
	return errors.Is(err, ErrUnknown) || errors.Is(err, ErrRefused) || errors.Is(err, ErrValue) ||
		errors.Is(err, ErrGroup)
}

// Set returns the text of a settings file with one setting changed, and the value as JSON. Everything
// else stays byte for byte: the order, the spaces, unknown keys. An empty text becomes a new file. The
// value to is JSON or, for words and texts, the text itself. A value that the key does not take is
// ErrValue, and is not replaced by the nearest one.
func Set(text []byte, name, to string) (edited []byte, json string, err error) {
	if at, here := locate(name); here.refused != nil {
		return here.refused.set(text, name, at.cat, to)
	}
	refs, err := Find(name)
	if err != nil {
		return nil, "", err
	}
	if len(refs) != 1 || !sameSetting(refs[0], name) {
		return nil, "", fmt.Errorf("%s: %w\nhint: keepsake config list %[1]s", printable(name), ErrGroup)
	}
	ref := refs[0]
	got, note, ok := ref.take(ref.spoken(to))
	if !ok || note != "" {
		return nil, "", fmt.Errorf("%s: %q %w: must be %s", ref, printable(to), ErrValue, ref.Want())
	}
	json = ref.json(got)
	if strings.TrimSpace(trimBOM(text)) == "" {
		text = []byte("{\n}\n")
	}
	if t := trimBOM(text); !gjson.Valid(t) || !gjson.Parse(t).IsObject() {
		return nil, "", errors.New("is not a JSON object, so nothing can be set in it\nhint: mend it by hand")
	}
	edited, err = edit(string(text), ref, json)
	return edited, json, err
}

// set answers a value for a key that does nothing. One that asks for what happens
// anyway takes the place of another that stands in the file, and is not put there.
func (r *refusal) set(text []byte, name string, cat memory.Category, to string) ([]byte, string, error) {
	rest, below := strings.CutPrefix(name, r.name+".") // "enabled" of "retrieval.judge"
	for _, v := range []gjson.Result{gjson.Parse(to), (&Key{Kind: Text}).spoken(to)} {
		whole, key := v, r.name
		if below {
			raw := v.Raw
			for _, part := range slices.Backward(strings.Split(rest, ".")) {
				raw = "{" + strconv.Quote(part) + ":" + raw + "}"
			}
			whole, key = gjson.Parse(raw), name
		}
		if !r.fine(cat, whole) {
			continue
		}
		if t := trimBOM(text); gjson.Valid(t) && gjson.Parse(t).IsObject() &&
			len(cuts(root(string(text)), strings.Split(r.name, "."), cat)) > 0 {
			edited, err := edit(string(text), Ref{&Key{Name: key}, cat}, v.Raw)
			return edited, v.Raw, err
		}
		return text, v.Raw, nil
	}
	if r.says != "" {
		return nil, "", refused{r.says}
	}
	return nil, "", r.err(name)
}

// sameSetting tells a setting's own name from that of a group with one key.
func sameSetting(r Ref, name string) bool {
	return strings.Count(name, ".") == strings.Count(r.String(), ".")
}

// edit puts value in the place of the setting. Where an object has a member
// twice, the last one counts, as it does for the reader.
func edit(text string, ref Ref, value string) ([]byte, error) {
	at := root(text)
	names := strings.Split(ref.Name, ".")
	for i, name := range names {
		var found gjson.Result
		at.ForEach(func(k, v gjson.Result) bool {
			if isMember(k.Str, name, ref.Category) {
				found = v
			}
			return true
		})
		switch {
		case !found.Exists():
			return insert(text, at, ref, names[i:], value), nil
		case i == len(names)-1:
			return []byte(text[:found.Index] + value + text[found.Index+len(found.Raw):]), nil
		case !found.IsObject():
			return nil, fmt.Errorf("%s: %s in the file is no object\nhint: mend it by hand", ref,
				strings.Join(names[:i+1], "."))
		}
		at = found
	}
	return nil, fmt.Errorf("%s: has no name", ref)
}

// root returns the object of a settings file.
func root(text string) gjson.Result {
	start := strings.IndexByte(text, '{')
	return gjson.Result{Type: gjson.JSON, Raw: strings.TrimRight(text[start:], " \t\r\n"), Index: start}
}

// Unset returns the text of a settings file without a setting, in every place where it stands, and
// without objects that become empty. ok is false if the file does not have it. Everything else stays as
// it is. An unknown key or one without effect can be removed too. A group of keys is ErrGroup.
func Unset(text []byte, name string) (edited []byte, ok bool, err error) {
	at := path{}
	var here place
	for member := range strings.SplitSeq(name, ".") {
		at, here = at.member(member)
	}
	if here.group {
		return nil, false, fmt.Errorf("%s: %w\nhint: keepsake config list %[1]s", printable(name), ErrGroup)
	}
	t := trimBOM(text)
	if strings.TrimSpace(t) != "" {
		if !gjson.Valid(t) || !gjson.Parse(t).IsObject() {
			return nil, false,
				errors.New("is not a JSON object, so nothing can be taken out of it\nhint: mend it by hand")
		}
		if spans := cuts(root(string(text)), strings.Split(at.pattern, "."), at.cat); len(spans) > 0 {
			edited = text
			for _, s := range slices.Backward(spans) {
				edited = slices.Concat(edited[:s.from], edited[s.to:])
			}
			return edited, true, nil
		}
	}
	if _, err := Find(name); errors.Is(err, ErrUnknown) {
		return nil, false, err
	}
	return text, false, nil
}

// span is a part of a text, in bytes.
type span struct{ from, to int }

// cuts returns the parts of the text that must go to remove a setting from an object: its members, which
// may occur more than once, their separators, and objects that become empty.
func cuts(object gjson.Result, names []string, cat memory.Category) []span {
	type member struct {
		span
		goes  bool
		inner []span
	}
	var all []member
	gone := 0
	object.ForEach(func(k, v gjson.Result) bool {
		m := member{span: span{k.Index, v.Index + len(v.Raw)}}
		if isMember(k.Str, names[0], cat) {
			if m.goes = len(names) == 1; !m.goes && v.IsObject() {
				m.inner = cuts(v, names[1:], cat)
				m.goes = len(m.inner) == 1 && m.inner[0] == span{v.Index + 1, m.to - 1}
			}
		}
		if m.goes {
			gone++
		}
		all = append(all, m)
		return true
	})
	if gone > 0 && gone == len(all) {
		return []span{{object.Index + 1, object.Index + len(object.Raw) - 1}}
	}
	var out []span
	for i := 0; i < len(all); i++ {
		if !all[i].goes {
			out = append(out, all[i].inner...)
			continue
		}
		first := i
		for i+1 < len(all) && all[i+1].goes {
			i++
		}
		if i+1 < len(all) {
			out = append(out, span{all[first].from, all[i+1].from})
		} else {
			out = append(out, span{all[first-1].to, all[i].to})
		}
	}
	return out
}

func isMember(member, name string, cat memory.Category) bool {
	if name != perCategory {
		return member == name
	}
	got, err := memory.ParseCategory(member)
	return err == nil && got == cat && !strings.Contains(member, ".")
}

// insert adds a member to an object behind those it has, in the manner of the
// file: on a line of its own where the members are, else in the same line.
func insert(text string, object gjson.Result, ref Ref, names []string, value string) []byte {
	end := object.Index + len(object.Raw) - 1 // its closing brace
	first, last := -1, -1
	object.ForEach(func(k, v gjson.Result) bool {
		if first < 0 {
			first = k.Index
		}
		last = v.Index + len(v.Raw)
		return true
	})
	newline := "\n"
	if strings.Contains(text, "\r\n") {
		newline = "\r\n"
	}
	s := style{newline: newline, unit: unit(text), lines: strings.Contains(text, "\n"), colon: ": "}
	if !s.lines && !strings.Contains(text, ": ") && first >= 0 {
		s.colon = ":"
	}
	if first < 0 {
		body := s.member(ref, names, value, indent(text, object.Index)+s.unit)
		if s.lines {
			body = newline + indent(text, object.Index) + s.unit + body + newline + indent(text, object.Index)
		}
		return []byte(text[:object.Index+1] + body + text[end:])
	}
	gap := text[object.Index+1 : first]
	if !strings.Contains(gap, "\n") {
		gap, s.lines = " ", false
		if s.colon == ":" {
			gap = ""
		}
	}
	depth := gap[strings.LastIndex(gap, "\n")+1:]
	return []byte(text[:last] + "," + gap + s.member(ref, names, value, depth) + text[last:])
}

// style is how a file is laid out.
type style struct {
	newline, unit, colon string
	lines                bool // members stand on lines of their own
}

// member is `"a": {"b": value}` for the names a and b; depth is the indentation
// of the line it begins on.
func (s style) member(ref Ref, names []string, value, depth string) string {
	name := names[0]
	if name == perCategory {
		name = string(ref.Category)
	}
	out := `"` + name + `"` + s.colon
	if len(names) == 1 {
		return out + value
	}
	inner := s.member(ref, names[1:], value, depth+s.unit)
	if !s.lines {
		return out + "{" + inner + "}"
	}
	return out + "{" + s.newline + depth + s.unit + inner + s.newline + depth + "}"
}

// unit is one step of the file's indentation: that of the first line that has any.
func unit(text string) string {
	for line := range strings.Lines(text) {
		rest := strings.TrimLeft(line, " \t")
		if n := len(line) - len(rest); n > 0 && strings.TrimSpace(rest) != "" {
			return line[:n]
		}
	}
	return "  "
}

// indent is the white space at the start of the line that offset is in.
func indent(text string, offset int) string {
	line := text[strings.LastIndexByte(text[:offset], '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
