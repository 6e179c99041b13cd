package checkpoint

import (
	"strings"

	"github.com/tidwall/gjson"
)

// Outcome is what a MemPalace tool said became of a call.
type Outcome struct {
	OK     bool     // no failure was told
	Stored []string // ids of what is kept now: drawers, their chunks, entries, facts, tunnels
	Error  string   // what it said when it failed
}

// maxStored bounds how many ids of one call are read: a checkpoint stores many.
const maxStored = 1000

// ResultOf reads tool_response of a PostToolUse event. A MemPalace server tells
// of a failure in the text of an ordinary result, as {"success":false,"error":…}
// or {"error":…}, never by the protocol's own mark. What can't be read as its
// JSON counts as done, with no ids: the call did run.
func ResultOf(response []byte) Outcome {
	o := Outcome{OK: true}
	if !Shallow(response) || !gjson.ValidBytes(response) {
		return o
	}
	v := gjson.ParseBytes(response)
	o.read(v, 0)
	return o
}

// read looks into the blocks of a result and the JSON in their texts.
func (o *Outcome) read(v gjson.Result, depth int) {
	switch {
	case depth > 8 || len(o.Stored) >= maxStored:
	case v.Type == gjson.String:
		if t := strings.TrimSpace(v.Str); t != "" && (t[0] == '{' || t[0] == '[') && Shallow([]byte(t)) &&
			gjson.Valid(t) {
			o.read(gjson.Parse(t), depth+1)
		}
	case v.IsArray():
		v.ForEach(func(_, e gjson.Result) bool { o.read(e, depth+1); return true })
	case v.IsObject():
		v.ForEach(func(k, e gjson.Result) bool { o.member(k.Str, e, depth); return true })
	}
}

// member reads one key of an object: the success and error of MemPalace, the
// protocol's own isError, the ids by the names that it gives them.
func (o *Outcome) member(key string, v gjson.Result, depth int) {
	switch key {
	case "success":
		o.OK = o.OK && v.Type != gjson.False
	case "error":
		if v.Type != gjson.Null && v.Raw != `""` {
			o.OK = false
			if o.Error == "" {
				o.Error = v.String()
			}
		}
	case "isError", "is_error":
		o.OK = o.OK && v.Type != gjson.True
	case "drawer_id", "entry_id", "triple_id":
		o.id(v)
	case "chunk_ids", "drawer_ids":
		v.ForEach(func(_, e gjson.Result) bool { o.id(e); return true })
	case "id":
		if strings.HasPrefix(v.Str, "drawer_") || strings.HasPrefix(v.Str, "diary_") ||
			strings.HasPrefix(v.Str, "t_") || len(v.Str) >= 12 {
			o.id(v)
		}
	case "text", "content", "result", "structuredContent":
		o.read(v, depth+1)
	}
}

func (o *Outcome) id(v gjson.Result) {
	if v.Type == gjson.String && v.Str != "" && len(v.Str) <= 512 && len(o.Stored) < maxStored {
		o.Stored = append(o.Stored, v.Str)
	}
}

// DrawerText is the text that a call of MemPalace's add_drawer stores, "" for every
// other call.
func DrawerText(tool string, args []byte) string {
	if !strings.HasPrefix(tool, "mcp__") || !strings.HasSuffix(tool, "add_drawer") ||
		!gjson.ValidBytes(args) {
		return ""
	}
	return gjson.GetBytes(args, "content").String()
}

// DrawerGone is the id of the drawer that a call of MemPalace's delete_drawer takes away,
// "" for every other call.
func DrawerGone(tool string, args []byte) string {
	if !strings.HasPrefix(tool, "mcp__") || !strings.HasSuffix(tool, "delete_drawer") ||
		!gjson.ValidBytes(args) {
		return ""
	}
	return gjson.GetBytes(args, "drawer_id").String()
}
