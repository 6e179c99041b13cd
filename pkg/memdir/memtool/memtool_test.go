package memtool

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/plan"
)

func notes() Notes {
	return Notes{Files: map[string]string{
		"MEMORY.md":             "# Memory\n- [Queue](queue.md)\n",
		"queue.md":              "Use Redis.\nUse it for the queue.\nAnd for nothing else.\n",
		"team/ana.md":           "Ana likes short mails.",
		"team/deep/er/still.md": strings.Repeat("x", 3000) + "\n",
		".learnings/errors.md":  "hidden\n",
	}, Unread: map[string]string{"team/linked.md": "is a link to /etc/passwd"}, Most: 4 << 10}
}

func ptr[T any](v T) *T { return &v }

// shownEdits returns edits as one text.
func shownEdits(e Edits) string {
	var b strings.Builder
	for _, path := range slices.Sorted(maps.Keys(e)) {
		if e[path] == nil {
			fmt.Fprintf(&b, "-%s\n", path)
		} else {
			fmt.Fprintf(&b, "%s=%q\n", path, *e[path])
		}
	}
	return b.String()
}

func TestCommands(t *testing.T) {
	for _, c := range []struct {
		name        string
		call        Call
		said, edits string
	}{
		{"the directory", Call{Command: "view", Path: "/memories"},
			"Here're the files and directories up to 2 levels deep in /memories, excluding hidden items " +
				"and " +
				"node_modules:\n3.0K\t/memories\n29B\t/memories/MEMORY.md\n55B\t/memories/queue.md\n" +
				"3.0K\t/memories/team\n22B\t/memories/team/ana.md\n2.9K\t/memories/team/deep", ""},
		{"a folder", Call{Command: "view", Path: "/memories/team/deep/"},
			"Here're the files and directories up to 2 levels deep in /memories/team/deep, excluding " +
				"hidden " +
				"items and node_modules:\n2.9K\t/memories/team/deep\n2.9K\t/memories/team/deep/er\n" +
				"2.9K\t/memories/team/deep/er/still.md", ""},
		{"a file", Call{Command: "view", Path: "/memories/queue.md"},
			"Here's the content of /memories/queue.md with line numbers:\n     1\tUse Redis.\n" +
				"     2\tUse it for the queue.\n     3\tAnd for nothing else.", ""},
		{"lines of a file", Call{Command: "view", Path: "/memories/queue.md", ViewRange: []int{2, -1}},
			"Here's the content of /memories/queue.md with line numbers:\n     2\tUse it for the queue.\n" +
				"     3\tAnd for nothing else.", ""},
		{"a new file", Call{Command: "create", Path: "/memories/new/one.md", FileText: ptr("One.\n")},
			"File created successfully at: /memories/new/one.md", "new/one.md=\"One.\\n\"\n"},
		{"a replacement", Call{Command: "str_replace", Path: "/memories/queue.md", OldStr: "Redis",
			NewStr: "Kafka"}, "The memory file has been edited. Here's the snippet of /memories/queue.md " +
			"with line numbers:\n     1\tUse Kafka.\n     2\tUse it for the queue.\n     3\tAnd for " +
			"nothing else.",
			"queue.md=\"Use Kafka.\\nUse it for the queue.\\nAnd for nothing else.\\n\"\n"},
		{"a file by a name of another case", Call{Command: "view", Path: "/memories/memory.md"},
			"Here's the content of /memories/MEMORY.md with line numbers:\n     1\t# Memory\n" +
				"     2\t- [Queue](queue.md)", ""},
		{"a change by a name of another case", Call{Command: "delete", Path: "/memories/TEAM/Deep"},
			"Successfully deleted /memories/team/deep", "-team/deep/er/still.md\n"},
		{"a new file in a folder of another case", Call{Command: "create", Path: "/memories/Team/Ben.md",
			FileText: ptr("x")}, "File created successfully at: /memories/team/Ben.md",
			"team/Ben.md=\"x\"\n"},
		{"a removal", Call{Command: "str_replace", Path: "/memories/queue.md",
			OldStr: "Use it for the queue.\nAnd for nothing else.\n"},
			"The memory file has been edited. Here's the snippet of /memories/queue.md with line numbers:\n" +
				"     1\tUse Redis.", "queue.md=\"Use Redis.\\n\"\n"},
		{"a line at the beginning", Call{Command: "insert", Path: "/memories/queue.md", InsertLine: ptr(0),
			InsertText: ptr("# Queue\n")}, "The file /memories/queue.md has been edited.",
			"queue.md=\"# Queue\\nUse Redis.\\nUse it for the queue.\\nAnd for nothing else.\\n\"\n"},
		{"a line at the end", Call{Command: "insert", Path: "/memories/team/ana.md", InsertLine: ptr(1),
			InsertText: ptr("And tea.")}, "The file /memories/team/ana.md has been edited.",
			"team/ana.md=\"Ana likes short mails.\\nAnd tea.\"\n"},
		{"a file that goes", Call{Command: "delete", Path: "/memories/queue.md"},
			"Successfully deleted /memories/queue.md", "-queue.md\n"},
		{"a folder that goes", Call{Command: "delete", Path: "/memories/team/deep"},
			"Successfully deleted /memories/team/deep", "-team/deep/er/still.md\n"},
		{"a folder of another name", Call{Command: "rename", OldPath: "/memories/team/deep",
			NewPath: "/memories/old"}, "Successfully renamed /memories/team/deep to /memories/old",
			fmt.Sprintf("old/er/still.md=%q\n-team/deep/er/still.md\n", strings.Repeat("x", 3000)+"\n")},
	} {
		said, edits, err := c.call.Do(notes())
		if err != nil || said != c.said || shownEdits(edits) != c.edits {
			t.Errorf("%s: %v\n%s\nwant\n%s\nedits %s\nwant  %s", c.name, err, said, c.said, shownEdits(edits),
				c.edits)
		}
	}
}

func TestRefusals(t *testing.T) {
	const key = "AKIA" + "IOSFODNN7EXAMPLE"
	for _, c := range []struct {
		call Call
		want string
	}{
		{Call{Command: "view", Path: "/memories/none.md"},
			"Error: The path /memories/none.md does not exist. Please provide a valid path."},
		{Call{Command: "view", Path: "/memories/team/linked.md"},
			"Error: The path /memories/team/linked.md can't be read: it is a link to /etc/passwd"},
		{Call{Command: "view", Path: "/memories/.learnings/errors.md"},
			`Error: Invalid path "/memories/.learnings/errors.md". Hidden files are not shown`},
		{Call{Command: "view", Path: "/memories/queue.md", ViewRange: []int{4, 5}}, "Error: Invalid " +
			"`view_range` " +
			"parameter: [4 5]. It should be two lines of the file, from 1 to 3, or -1 for its end"},
		{Call{Command: "view", Path: "/memories", ViewRange: []int{1, 2}},
			"Error: The `view_range` parameter is not allowed when `path` points to a directory."},
		{Call{Command: "create", Path: "/memories/queue.md", FileText: ptr("x")},
			"Error: File /memories/queue.md already exists"},
		{Call{Command: "create", Path: "/memories/Queue.MD", FileText: ptr("x")},
			"Error: File /memories/queue.md already exists"},
		{Call{Command: "create", Path: "/memories/memory.md", FileText: ptr("x")},
			"Error: File /memories/MEMORY.md already exists"},
		{Call{Command: "rename", OldPath: "/memories/memory.md", NewPath: "/memories/Memory.md"},
			"Error: The destination /memories/MEMORY.md already exists"},
		{Call{Command: "create", Path: "/memories/team/linked.md", FileText: ptr("x")},
			"Error: File /memories/team/linked.md already exists"},
		{Call{Command: "create", Path: "/memories/queue.md/x.md", FileText: ptr("x")},
			"Error: Invalid path /memories/queue.md/x.md. /memories/queue.md is a file"},
		{Call{Command: "create", Path: "/memories/prefs.xml", FileText: ptr("x")},
			"Error: Invalid path /memories/prefs.xml. It must end in .md, as a Markdown file does"},
		{Call{Command: "create", Path: "/memories/x.md"}, "Error: create needs `file_text`"},
		{Call{Command: "create", Path: "/memories/x.md", FileText: ptr(" \n")},
			"Error: /memories/x.md would be empty. Give it a text"},
		{Call{Command: "create", Path: "/memories/x.md", FileText: ptr("")},
			"Error: /memories/x.md would be empty. Give it a text"},
		{Call{Command: "create", Path: "/memories/x.md", FileText: ptr("key: " + key)},
			"Error: /memories/x.md would hold a secret (AWS key). Leave it out"},
		{Call{Command: "create", Path: "/memories/x.md", FileText: ptr("a\U000e0049b")}, "Error: " +
			"/memories/x.md would hold characters that nobody sees (U+E0049). Leave them out"},
		{Call{Command: "create", Path: "/memories/x.md", FileText: ptr("a\x1b[2Jb")}, "Error: " +
			"/memories/x.md would hold characters that nobody sees (U+001B). Leave them out"},
		{Call{Command: "create", Path: "/memories/x.md", FileText: ptr(strings.Repeat("x", 5<<10))},
			"Error: /memories/x.md would have 5 KiB. A note has at most 4"},
		{Call{Command: "str_replace", Path: "/memories/none.md", OldStr: "a"},
			"Error: The path /memories/none.md does not exist. Please provide a valid path."},
		{Call{Command: "str_replace", Path: "/memories/queue.md", OldStr: "redis"}, "No replacement was " +
			"performed, old_str `redis` did not appear verbatim in /memories/queue.md."},
		{Call{Command: "str_replace", Path: "/memories/queue.md", OldStr: "Use"}, "No replacement was " +
			"performed. " +
			"Multiple occurrences of old_str `Use` in lines: 1, 2. Please ensure it is unique"},
		{Call{Command: "str_replace", Path: "/memories/team/ana.md", OldStr: "Ana likes short mails."},
			"Error: /memories/team/ana.md would be empty. Delete it instead"},
		{Call{Command: "insert", Path: "/memories/queue.md", InsertLine: ptr(4), InsertText: ptr("x")},
			"Error: Invalid `insert_line` parameter: 4. It should be within the range of lines of the " +
				"file: " +
				"[0, 3]"},
		{Call{Command: "insert", Path: "/memories/queue.md", InsertText: ptr("x")},
			"Error: Invalid `insert_line` parameter: none. It should be within the range of lines of the " +
				"file: " +
				"[0, 3]"},
		{Call{Command: "insert", Path: "/memories/queue.md", InsertLine: ptr(1), NewStr: "x"},
			"Error: insert needs `insert_text`"},
		{Call{Command: "delete", Path: "/memories/"}, "Error: Cannot delete the /memories directory itself"},
		{Call{Command: "delete", Path: "/memories/none.md"}, "Error: The path /memories/none.md does not " +
			"exist"},
		{Call{Command: "delete", Path: "/memories/team"},
			"Error: The path /memories/team/linked.md can't be read: it is a link to /etc/passwd"},
		{Call{Command: "rename", OldPath: "/memories", NewPath: "/memories/x"},
			"Error: Cannot rename the /memories directory itself"},
		{Call{Command: "rename", OldPath: "/memories/none.md", NewPath: "/memories/x.md"},
			"Error: The path /memories/none.md does not exist"},
		{Call{Command: "rename", OldPath: "/memories/queue.md", NewPath: "/memories/MEMORY.md"},
			"Error: The destination /memories/MEMORY.md already exists"},
		{Call{Command: "rename", OldPath: "/memories/team/deep", NewPath: "/memories/team/deep/er"},
			"Error: Invalid path /memories/team/deep/er. It lies in /memories/team/deep"},
		{Call{Command: "rename", OldPath: "/memories/queue.md", NewPath: "/memories/queue"},
			"Error: Invalid path /memories/queue. It must end in .md, as a Markdown file does"},
		{Call{Command: "append", Path: "/memories/queue.md"},
			`Error: Unknown command: "append". The commands are ` +
				"view, create, str_replace, insert, delete and rename"},
		{Call{Command: "bogus"}, `Error: Unknown command: "bogus". The commands are ` +
			"view, create, str_replace, insert, delete and rename"},
		{Call{}, `Error: Unknown command: "". The commands are ` +
			"view, create, str_replace, insert, delete and rename"},
	} {
		said, edits, err := c.call.Do(notes())
		if err == nil || err.Error() != c.want || said != "" || edits != nil {
			t.Errorf("%+v:\n%v\nwant\n%s\nand said %q, %v", c.call, err, c.want, said, edits)
		}
	}
}

// TestSecretsAreNotShown holds that a view has no secret of a note.
func TestSecretsAreNotShown(t *testing.T) {
	const key = "AKIA" + "IOSFODNN7EXAMPLE"
	n := Notes{Files: map[string]string{"a.md": "one\nkey " + key + "\n"}, Most: 100}
	said, _, err := Call{Command: "view", Path: "/memories/a.md"}.Do(n)
	if err != nil || strings.Contains(said, key) || !strings.Contains(said, "     1\tone\n     2\tkey ") {
		t.Errorf("%v\n%s", err, said)
	}
}

func TestParsePath(t *testing.T) {
	for given, want := range map[string]string{
		"/memories": "", "/memories/": "", "/memories/a.md": "a.md", "/memories/a/b.md": "a/b.md",
		"/memories/%2e%2e/a.md": "%2e%2e/a.md", "/memories/über uns.md": "über uns.md",
	} {
		if got, err := ParsePath(given); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", given, got, err, want)
		}
	}
	for _, given := range []string{"", "/", "memories/a.md", "/memoriesa.md", "/etc/passwd",
		"/memories/../a.md",
		"/memories/..", "/memories//a.md", "/memories/a/./b.md", "/memories/a/../../b", `/memories/..\a.md`,
		"/memories/a\x00.md", "/memories/a\u202e.md", "/memories/a\n.md", "/memories//",
		"/memories/.git/config",
		"../memories/a.md", "/memories/./a.md", "/memories/a.md/..", "/memories/\xff.md"} {
		if got, err := ParsePath(given); err == nil {
			t.Errorf("%q is %q", given, got)
		}
	}
}

func TestResolve(t *testing.T) {
	there := []string{"MEMORY.md", "team/ana.md", "two/a.md", "Two/b.md", "both.md", "Both.md"}
	for at, want := range map[string]string{
		"": "", "MEMORY.md": "MEMORY.md", "memory.MD": "MEMORY.md", "Team": "team",
		"TEAM/ANA.md": "team/ana.md",
		"Team/new.md": "team/new.md", "new/Team/x.md": "new/Team/x.md", "two/a.md": "two/a.md",
		"two/A.md": "two/a.md", "TWO/a.md": "TWO/a.md", "both.md": "both.md", "BOTH.md": "BOTH.md",
		"MEMORY.md/x.md": "MEMORY.md/x.md", "memory.md/x.md": "MEMORY.md/x.md",
	} {
		if got := Resolve(there, at); got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
}

// FuzzParsePath holds that a path leads nowhere but below the directory, whatever it is.
func FuzzParsePath(f *testing.F) {
	for _, s := range []string{"/memories/a.md", "/memories/../x", "/memories/a/b.md/", "/memories/%2e%2e/x",
		"/memories/..\\x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, given string) {
		got, err := ParsePath(given)
		if err != nil {
			if got != "" {
				t.Errorf("%q: %q, %v", given, got, err)
			}
			return
		}
		under := path.Join("/root", got)
		if under != "/root" && !strings.HasPrefix(under, "/root/") || got != "" && path.Clean(got) != got {
			t.Errorf("%q leads to %q", given, got)
		}
		if plan.CheckMarkdown(got+".md") == nil && shown(got) != strings.TrimSuffix(given, "/") {
			t.Errorf("%q is shown as %q", given, shown(got))
		}
	})
}

// FuzzDo holds that no call panics, that what it changes can be planned, and that a look changes nothing.
func FuzzDo(f *testing.F) {
	f.Add("view", "/memories/queue.md", "", "", 1, 2)
	f.Add("str_replace", "/memories/queue.md", "Redis", "Kafka", 0, 0)
	f.Add("insert", "/memories/queue.md", "", "x\n", 3, 0)
	f.Add("rename", "/memories/team", "/memories/a", "", 0, 0)
	f.Add("delete", "/memories/team/deep", "", "", 0, 0)
	f.Fuzz(func(t *testing.T, command, at, a, b string, x, y int) {
		c := Call{Command: command, Path: at, OldPath: at, NewPath: a, OldStr: a, NewStr: b, FileText: &b,
			InsertLine: &x, InsertText: &b, ViewRange: []int{x, y}}
		said, edits, err := c.Do(notes())
		if err != nil && (said != "" || edits != nil) || command == "view" && len(edits) > 0 {
			t.Fatalf("%+v: %q, %v, %v", c, said, edits, err)
		}
		for name, after := range edits {
			if _, was := notes().Files[name]; after == nil && !was {
				t.Errorf("%+v deletes %q, which is not there", c, name)
			} else if after != nil && plan.CheckMarkdown(name) != nil {
				t.Errorf("%+v writes %q: %v", c, name, plan.CheckMarkdown(name))
			}
		}
	})
}
