package memdir

import "testing"

// TestSays has files whose frontmatter can't be read: it is no statement of theirs.
func TestSays(t *testing.T) {
	const said = "Redis is the queue that the shop uses.\n"
	const want = "Redis is the queue that the shop uses"
	for head, want := range map[string]string{
		"": want,
		"---\nname: b\ndescription: how jobs wait here\n---\n\n":                   "how jobs wait here",
		"---\nname: b\ndescription: \"which queue: the shop uses\nbroken\n---\n\n": want,
		"---\nname: b\ndescription: {a: b\n---\n# B\n\n":                           want,
		"---\nname: b\ndescription: one\n...\n":                                    want,
		"---\nname = x\nfoo\n\n":                                                   want,
		"+++\ntitle = \"x\"\n+++\n":                                                want,
		"---\nname: b\n# B\n":                                                      want,
		"---\nIt is so.\n\n":                                                       "It is so",
	} {
		p := look(Dir{Files: []File{{Path: "b.md", Bytes: []byte(head + said)}}}, profiles[0]).at["b.md"]
		if got := p.says(); got != want {
			t.Errorf("%q: says %q, want %q", head, got, want)
		}
	}
}
