package rules

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"keepsake/pkg/text"
)

// texts are the arguments that hold what a call keeps, the most telling first.
var texts = [...]string{"content", "text", "new_content", "entry", "drawer", "body", "message", "note",
	"fact", "summary", "new_string", "command", "code", "sql", "query"}

// facts are the arguments of a statement about a thing.
var facts = [...]string{"subject", "predicate", "object"}

// Content returns what a call would keep or run: the text in its arguments, the three parts of a fact, or a
// command. Of a promotion, whose command spells it out, it is the text. It returns the arguments themselves
// if they have none of these.
func Content(args []byte) string {
	if !Shallow(args) || !gjson.ValidBytes(args) {
		return string(args)
	}
	v := gjson.ParseBytes(args)
	found := map[string]string{}
	collect(v, 0, found)
	for _, name := range texts {
		if s := found[name]; s != "" {
			return promoted(s)
		}
	}
	var parts []string
	for _, name := range facts {
		if s := found[name]; s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) > 0 {
		return strings.Join(parts, " ")
	}
	return v.Raw
}

// SaysRunes is how many characters of a text a list shows.
const SaysRunes = 60

// Says returns the beginning of what a call would keep or run, on one line that is safe to show.
func Says(args []byte) string {
	return text.Shorten(text.Safe(text.OneLine(Content(args))), SaysRunes)
}

// collect finds the first text of each name in arguments, at any depth.
func collect(v gjson.Result, depth int, found map[string]string) {
	if depth > MaxNesting {
		return
	}
	v.ForEach(func(key, item gjson.Result) bool {
		switch {
		case item.Type == gjson.JSON:
			collect(item, depth+1, found)
		case item.Type == gjson.String && found[key.Str] == "" &&
			(slices.Contains(texts[:], key.Str) || slices.Contains(facts[:], key.Str)):
			found[key.Str] = item.Str
		}
		return true
	})
}

// Others returns the arguments of a call, one JSON object, without the text that Content returns and without
// the wing and the room. Where that text is put together, or stands deeper, it returns all of them.
func Others(args []byte) []byte {
	if !Shallow(args) || !gjson.ValidBytes(args) {
		return args
	}
	content, found := Content(args), false
	rest := []byte("{")
	gjson.ParseBytes(args).ForEach(func(key, v gjson.Result) bool {
		switch {
		case v.Type == gjson.String && v.Str == content && !found:
			found = true
			return true
		case key.Str == "wing" || key.Str == "room":
			return true
		}
		if len(rest) > 1 {
			rest = append(rest, ',')
		}
		rest = append(append(append(rest, key.Raw...), ':'), v.Raw...)
		return true
	})
	if !found {
		return args
	}
	return append(rest, '}')
}

// promoted returns the texts that a promotion's command ends in, and any other text as it is.
func promoted(command string) string {
	const flag = " --text="
	if !strings.Contains(command, " --approval ") || !strings.Contains(command, flag) {
		return command
	}
	var all []string
	for _, part := range strings.Split(command, flag)[1:] {
		part = strings.TrimPrefix(part, "$")
		if quoted, ok := strings.CutPrefix(part, "'"); ok {
			part = strings.TrimSuffix(quoted, "'")
		}
		all = append(all, part)
	}
	return strings.ReplaceAll(strings.Join(all, "\n"), `'\''`, "'")
}

// Place returns where a call would keep it: a wing and room, a file, or "" if its arguments don't say.
func Place(args []byte) string {
	if !Shallow(args) || !gjson.ValidBytes(args) {
		return ""
	}
	at := gjson.GetManyBytes(args, "wing", "room", "file_path", "notebook_path", "agent_name", "drawer_id")
	switch wing, room := at[0].String(), at[1].String(); {
	case wing != "" && room != "":
		return wing + "/" + room
	case wing+room != "":
		return wing + room
	}
	for _, v := range at[2:] {
		if s := v.String(); s != "" {
			return s
		}
	}
	return ""
}

// ShortTool returns the name of a tool without the server's.
func ShortTool(tool string) string {
	if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
		return rest[strings.LastIndex("__"+rest, "__"):]
	}
	return tool
}

// Warnings returns the lines of a reason that warn about the call: those behind the first, without why the
// rule asks, what to do instead, and the place, which is shown already.
func Warnings(rule, reason, place string) (all []string) {
	_, rest, _ := strings.Cut(reason, "\n")
	var usual []string
	for _, r := range rules {
		if r.Name == rule {
			usual = strings.Split(Reason([]string{r.Because}, r.Remedy), "\n")
		}
	}
	for l := range strings.SplitSeq(rest, "\n") {
		if l == "" || strings.HasPrefix(l, "hint: ") || slices.Contains(usual, l) {
			continue
		}
		all = append(all, l)
	}
	if place != "" && len(all) > 0 && (all[0] == place || strings.HasPrefix(all[0], "wing ") ||
		strings.HasPrefix(all[0], "room ")) {
		all = all[1:]
	}
	return all
}
