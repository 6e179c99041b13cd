package rules

import (
	"strings"

	"github.com/tidwall/gjson"
)

// Outcome is the result of a call as a MemPalace tool reports it.
type Outcome struct {
	OK     bool     // no failure was reported
	Stored []string // ids of what is stored: drawers, their chunks, entries, facts, tunnels
	Error  string   // the message of a failure
}

// maxStored is how many ids of one call are read; a checkpoint call stores many.
const maxStored = 1000

// ResultOf parses the tool_response of a PostToolUse event. A MemPalace server reports a failure in the text
// of an ordinary result, as {"success":false,"error":…} or {"error":…}, and never marks it as the protocol
// would. A response that is not such JSON counts as a success without ids, since the call did run.
func ResultOf(response []byte) Outcome {
	o := Outcome{OK: true}
	if !Shallow(response) || !gjson.ValidBytes(response) {
		return o
	}
	v := gjson.ParseBytes(response)
	o.readResult(v, 0)
	return o
}

// readResult reads the blocks of a result and the JSON in their texts.
func (o *Outcome) readResult(v gjson.Result, depth int) {
	switch {
	case depth > 8 || len(o.Stored) >= maxStored:
	case v.Type == gjson.String:
		if t := strings.TrimSpace(v.Str); t != "" && (t[0] == '{' || t[0] == '[') && Shallow([]byte(t)) &&
			gjson.Valid(t) {
			o.readResult(gjson.Parse(t), depth+1)
		}
	case v.IsArray():
		v.ForEach(func(_, e gjson.Result) bool { o.readResult(e, depth+1); return true })
	case v.IsObject():
		v.ForEach(func(k, e gjson.Result) bool { o.readMember(k.Str, e, depth); return true })
	}
}

// readMember reads one key of an object: MemPalace's success and error, the protocol's isError, and the ids
// under all their names.
func (o *Outcome) readMember(key string, v gjson.Result, depth int) {
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
		o.addID(v)
	case "chunk_ids", "drawer_ids":
		v.ForEach(func(_, e gjson.Result) bool { o.addID(e); return true })
	case "id":
		if strings.HasPrefix(v.Str, "drawer_") || strings.HasPrefix(v.Str, "diary_") ||
			strings.HasPrefix(v.Str, "t_") || len(v.Str) >= 12 {
			o.addID(v)
		}
	case "text", "content", "result", "structuredContent":
		o.readResult(v, depth+1)
	}
}

func (o *Outcome) addID(v gjson.Result) {
	if v.Type == gjson.String && v.Str != "" && len(v.Str) <= 512 && len(o.Stored) < maxStored {
		o.Stored = append(o.Stored, v.Str)
	}
}

// DrawerText returns the text that a call of MemPalace's add_drawer stores, or "" for other calls.
func DrawerText(tool string, args []byte) string {
	if !strings.HasPrefix(tool, "mcp__") || !strings.HasSuffix(tool, "add_drawer") ||
		!gjson.ValidBytes(args) {
		return ""
	}
	return gjson.GetBytes(args, "content").String()
}

// DrawerGone returns the id of the drawer that a call of MemPalace's delete_drawer removes, or "" for other
// calls.
func DrawerGone(tool string, args []byte) string {
	if !strings.HasPrefix(tool, "mcp__") || !strings.HasSuffix(tool, "delete_drawer") ||
		!gjson.ValidBytes(args) {
		return ""
	}
	return gjson.GetBytes(args, "drawer_id").String()
}
