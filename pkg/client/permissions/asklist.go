// Package permissions edits permissions.ask in the settings of the client, so that the
// client itself asks before MemPalace's tools that store: a second lock behind the
// gate. Everything else in a settings file stays byte for byte.
package permissions

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"keepsake/pkg/why/palace"
)

// Rules returns the rules of permissions.ask that make the client itself ask before
// the tools that store, on MCP servers of these names. A rule of the client takes an exact name, so the lock
// holds a tool that was invented yesterday only after it was installed anew; the gate needs no list.
func Rules(servers []string) (rules []string) {
	for _, s := range servers {
		for _, tool := range palace.WritingTools() {
			rules = append(rules, "mcp__"+s+"__"+tool)
		}
	}
	return rules
}

// ErrSettings is a settings file in which nothing can be changed safely.
var ErrSettings = errors.New("cannot be changed safely")

// Add returns the text of a settings file of the client with rules added to
// permissions.ask, and those that were not there. Everything else stays as it is,
// byte for byte.
func Add(text string, rules []string) (edited string, added []string, err error) {
	text, marked := strings.CutPrefix(text, mark)
	if strings.TrimSpace(text) == "" {
		text = "{\n}\n"
	}
	all, object, ask, err := find(text)
	if err != nil {
		return "", nil, err
	}
	there := map[string]bool{}
	ask.ForEach(func(_, v gjson.Result) bool { there[v.Str] = true; return true })
	for _, r := range rules {
		if !there[r] {
			added = append(added, r)
			there[r] = true
		}
	}
	if len(added) == 0 {
		return remarked(text, marked), nil, nil
	}
	b := builder{text: text, unit: unit(text)}
	switch {
	case ask.Exists():
		b.into(ask, func(in string) string { return b.list(added, in) })
	case object.Exists():
		b.into(object, func(in string) string { return `"ask": ` + b.array(added, in) })
	default:
		b.into(all, func(in string) string {
			inner := in + b.unit
			if b.unit == "" {
				return `"permissions": {"ask": ` + b.array(added, inner) + `}`
			}
			return `"permissions": {` + "\n" + inner + `"ask": ` + b.array(added, inner) + "\n" + in + "}"
		})
	}
	if !gjson.Valid(b.text) {
		return "", nil, fmt.Errorf("%w: the change would break it", ErrSettings)
	}
	return remarked(b.text, marked), added, nil
}

// mark is the byte order mark that some editors put before a text. It stays where it
// is: what the client reads is not ours to change.
const mark = "\ufeff"

func remarked(text string, marked bool) string {
	if marked {
		return mark + text
	}
	return text
}

// Drop returns the text without these rules in permissions.ask, and those
// that it took out. A list, and an object of permissions, that are empty then go
// too, with what sets them off.
func Drop(text string, rules []string) (edited string, dropped []string, err error) {
	text, marked := strings.CutPrefix(text, mark)
	_, _, ask, err := find(text)
	if err != nil {
		return "", nil, err
	}
	for ask.Exists() {
		at, left := 0, 0
		var hit gjson.Result
		var items []gjson.Result
		ask.ForEach(func(_, v gjson.Result) bool { items = append(items, v); return true })
		for i, v := range items {
			if hit.Raw == "" && v.Type == gjson.String && slices.Contains(rules, v.Str) {
				hit, at = v, i
				continue
			}
			left++
		}
		if hit.Raw == "" {
			break
		}
		dropped = append(dropped, hit.Str)
		text = cutOut(text, hit.Index, hit.Index+len(hit.Raw), at > 0, at < len(items)-1)
		var object gjson.Result
		if _, object, ask, err = find(text); err != nil {
			return "", nil, err
		}
		if left == 0 {
			text = dropMember(text, object, "ask")
			var all gjson.Result
			if all, object, ask, err = find(text); err != nil {
				return "", nil, err
			}
			if members(object) == 0 {
				text = dropMember(text, all, "permissions")
			}
		}
	}
	return remarked(text, marked), dropped, nil
}

// find returns the object of a settings file, its permissions and the ask list in them. The last two need
// not exist.
func find(text string) (all, object, ask gjson.Result, err error) {
	if !gjson.Valid(text) || !gjson.Parse(text).IsObject() {
		return all, object, ask, fmt.Errorf("%w: it is no JSON object; mend it first", ErrSettings)
	}
	start := strings.IndexByte(text, '{')
	all = gjson.Result{Type: gjson.JSON, Raw: strings.TrimRight(text[start:], " \t\r\n"), Index: start}
	if object, err = member(all, "permissions", gjson.Result.IsObject, "object"); err == nil {
		ask, err = member(object, "ask", gjson.Result.IsArray, "list")
	}
	return all, object, ask, err
}

func member(of gjson.Result, name string, is func(gjson.Result) bool, what string) (found gjson.Result,
	err error) {
	n := 0
	of.ForEach(func(k, v gjson.Result) bool {
		if k.Str == name {
			found = v
			n++
		}
		return true
	})
	switch {
	case n > 1:
		return found, fmt.Errorf("%w: it names %s twice; mend it first", ErrSettings, name)
	case n == 1 && !is(found):
		return found, fmt.Errorf("%w: %s is no %s; mend it first", ErrSettings, name, what)
	}
	return found, nil
}

func members(of gjson.Result) (n int) {
	of.ForEach(func(_, _ gjson.Result) bool { n++; return true })
	return n
}

// unit returns the indent of one level: that of the first member, "" if everything stands on one line,
// and two spaces if the first member has none.
func unit(text string) string {
	_, rest, ok := strings.Cut(strings.TrimRight(text, " \t\r\n"), "\n")
	if !ok {
		return ""
	}
	if in := rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))]; in != "" {
		return in
	}
	return "  "
}

// builder puts text into a container of a JSON text.
type builder struct{ text, unit string }

// into adds one or more items, which make writes with the indent that it is given,
// at the end of an object or a list.
func (b *builder) into(c gjson.Result, make func(indent string) string) {
	end := c.Index + len(c.Raw) - 1
	inner := c.Raw[1 : len(c.Raw)-1]
	line := b.text[strings.LastIndexByte(b.text[:c.Index], '\n')+1:]
	line = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	last := c.Index + 1 + len(strings.TrimRight(inner, " \t\r\n"))
	head := inner[:len(inner)-len(strings.TrimLeft(inner, " \t\r\n"))]
	switch {
	case strings.TrimSpace(inner) == "" && b.unit == "":
		b.text = b.text[:c.Index+1] + make("") + b.text[end:]
	case strings.TrimSpace(inner) == "":
		in := line + b.unit
		b.text = b.text[:c.Index+1] + "\n" + in + make(in) + "\n" + line + b.text[end:]
	case strings.Contains(head, "\n"):
		in := head[strings.LastIndexByte(head, '\n')+1:]
		b.text = b.text[:last] + ",\n" + in + make(in) + b.text[last:]
	default: // in one line
		unit := b.unit
		b.unit = ""
		b.text = b.text[:last] + ", " + make("") + b.text[last:]
		b.unit = unit
	}
}

// list returns the rules as items of a list, array the list of them.
func (b *builder) list(rules []string, indent string) string {
	quoted := make([]string, len(rules))
	for i, r := range rules {
		quoted[i] = string(gjson.AppendJSONString(nil, r))
	}
	if b.unit == "" {
		return strings.Join(quoted, ", ")
	}
	return strings.Join(quoted, ",\n"+indent)
}

func (b *builder) array(rules []string, indent string) string {
	if b.unit == "" {
		return "[" + b.list(rules, "") + "]"
	}
	in := indent + b.unit
	return "[\n" + in + b.list(rules, in) + "\n" + indent + "]"
}

// dropMember takes a member out of an object.
func dropMember(text string, object gjson.Result, name string) string {
	from, to, at, n := -1, -1, 0, 0
	object.ForEach(func(k, v gjson.Result) bool {
		if k.Str == name {
			from, to, at = k.Index, v.Index+len(v.Raw), n
		}
		n++
		return true
	})
	if from < 0 {
		return text
	}
	return cutOut(text, from, to, at > 0, at < n-1)
}

// cutOut takes an item out of a container with the comma and the space that set it
// off: those before it, else those behind it, else all that is in the container.
func cutOut(text string, from, to int, before, behind bool) string {
	space := func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
	switch {
	case before:
		for from--; text[from] != ','; from-- {
		}
	case behind:
		for ; text[to] != ','; to++ {
		}
		for to++; space(text[to]); to++ {
		}
	default:
		for ; space(text[from-1]); from-- {
		}
		for ; space(text[to]); to++ {
		}
	}
	return text[:from] + text[to:]
}
