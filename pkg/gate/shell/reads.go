package shell

import (
	"path"
	"strings"
)

// MemoryRead returns which Markdown file of a memory directory a call is about to read: the
// directory, and the file's path below it. Only the client's own Read counts. Reading is never
// judged.
func MemoryRead(c Call) (dir, name string, ok bool) {
	j := judge{call: &c}
	if c.Quiet || c.Tool != "Read" || !j.parse() {
		return "", "", false
	}
	p := j.args.Get("file_path").Str
	if !path.IsAbs(p) || !strings.EqualFold(path.Ext(p), ".md") {
		return "", "", false
	}
	p = path.Clean(p)
	m, ok := j.memoryDir(p)
	name = strings.TrimPrefix(strings.TrimPrefix(p, m.dir), "/")
	return m.dir, name, ok && name != ""
}
