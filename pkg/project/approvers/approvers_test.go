package approvers

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const signed = "-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----\n"

var (
	digest = strings.Repeat("0a", 32)
	line   = digest + "  decisions/queue.json\n"
)

func TestParse(t *testing.T) {
	l, sig, err := Parse([]byte(first + "f00:app\n" + line + signed))
	if err != nil || l.Project != "f00:app" || string(sig) != signed ||
		!slices.Equal(l.Records, []Signed{{"decisions/queue.json", digest}}) {
		t.Errorf("%+v, %q, %v", l, sig, err)
	}
	for what, file := range map[string]string{
		"nothing":                "",
		"no signature":           first + "p\n" + line,
		"no list":                signed,
		"no project":             line + signed,
		"no record":              first + "p\n" + signed,
		"another path":           first + "p\n" + digest + "  ../../.bashrc\n" + signed,
		"the approvers":          first + "p\n" + digest + "  approvers\n" + signed,
		"a digest in capitals":   first + "p\n" + strings.ToUpper(line[:64]) + line[64:] + signed,
		"a short digest":         first + "p\n" + line[2:] + signed,
		"one blank":              first + "p\n" + digest + " decisions/queue.json\n" + signed,
		"text between":           first + "p\n" + line + "and more\n" + signed,
		"an empty line":          first + "p\n\n" + line + signed,
		"DOS lines":              first + "p\r\n" + strings.ReplaceAll(line, "\n", "\r\n") + signed,
		"a hidden character":     first + "p\u202e\n" + line + signed,
		"no line break, then it": first + "p\n" + strings.TrimSpace(line) + signed,
	} {
		if l, _, err := Parse([]byte(file)); !errors.Is(err, ErrList) {
			t.Errorf("%s: %+v, %v", what, l, err)
		}
	}
}

// FuzzParse: what is parsed is written as it was, so that nothing is in it that nobody sees.
func FuzzParse(f *testing.F) {
	f.Add([]byte(first + "p\n" + line + signed))
	f.Add([]byte(first + "p\n" + line + line + signed + signed))
	f.Add([]byte(signed))
	f.Fuzz(func(t *testing.T, file []byte) {
		l, sig, err := Parse(file)
		if err == nil && !bytes.Equal(slices.Concat(l.Text(), sig), file) {
			t.Errorf("%q", file)
		}
	})
}

// world is a folder with keys, and the ssh-keygen of this machine.
func world(t *testing.T) (Tool, string) {
	t.Helper()
	tool, err := FindTool()
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"alice", "bob"} {
		out, err := exec.Command(tool.path, "-q", "-t", "ed25519", "-N", "", "-C", name, "-f",
			filepath.Join(dir, name)).CombinedOutput()
		if err != nil {
			t.Fatalf("%v %s", err, out)
		}
	}
	return tool, dir
}

// allowed returns a line of approvers.
func allowed(t *testing.T, dir, who, options, key string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, key+".pub"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(who+" "+options) + " " + string(b)
}

func TestVerify(t *testing.T) {
	tool, dir := world(t)
	ctx := context.Background()
	l := List{Project: "f00", Records: []Signed{{"decisions/queue.json", digest}}}
	file, err := tool.Sign(ctx, filepath.Join(dir, "alice"), l)
	if err != nil {
		t.Fatal(err)
	}
	_, sig, _ := Parse(file)
	other, err := exec.Command("sh", "-c", "printf '%s' '"+string(l.Text())+
		"' | ssh-keygen -q -Y sign -n git -f "+filepath.Join(dir, "alice")).Output()
	if err != nil {
		t.Fatal(err)
	}
	alice := allowed(t, dir, "alice", "", "alice")
	change := func(old, next string) []byte { return bytes.Replace(file, []byte(old), []byte(next), 1) }
	for what, tt := range map[string]struct {
		approvers string
		file      []byte
		who       string
	}{
		"signed":            {allowed(t, dir, "alice@example.org", "", "alice"), file, "alice@example.org"},
		"for this alone":    {allowed(t, dir, "alice", `namespaces="keepsake"`, "alice"), file, "alice"},
		"one of two":        {allowed(t, dir, "bob", "", "bob") + alice, file, "alice"},
		"for something":     {allowed(t, dir, "alice", `namespaces="git"`, "alice"), file, ""},
		"of another key":    {allowed(t, dir, "alice@example.org", "", "bob"), file, ""},
		"no longer":         {allowed(t, dir, "alice", `valid-before="20200101"`, "alice"), file, ""},
		"no approvers":      {"", file, ""},
		"no form":           {"alice\n", file, ""},
		"another namespace": {alice, slices.Concat(l.Text(), other), ""},
		"another record":    {alice, change("queue.json", "other.json"), ""},
		"other bytes":       {alice, change(digest, "ff"+digest[2:]), ""},
		"another project":   {alice, change("in f00", "in bar"), ""},
		"a line more":       {alice, change(line, line+line), ""},
		"no list":           {alice, sig, ""},
		"garbage":           {alice, []byte(first + "p\n" + line + armor), ""},
	} {
		who, got, err := tool.Verify(ctx, []byte(tt.approvers), tt.file)
		var refused *RefusedError
		switch {
		case who != tt.who && (tt.who != "" || err == nil):
			t.Errorf("%s: %q, %v", what, who, err)
		case tt.who == "" && (!errors.As(err, &refused) || refused.Why == ""):
			t.Errorf("%s: %v", what, err)
		case tt.who != "" && !slices.Equal(got.Records, l.Records):
			t.Errorf("%s: %+v", what, got)
		}
	}
}

// TestVerifyCut: where ssh-keygen does not come to an end, or is too old, nothing is said of the signature.
func TestVerifyCut(t *testing.T) {
	tool, dir := world(t)
	l := List{Project: "f00", Records: []Signed{{"decisions/queue.json", digest}}}
	file, err := tool.Sign(context.Background(), filepath.Join(dir, "alice"), l)
	if err != nil {
		t.Fatal(err)
	}
	who := []byte(allowed(t, dir, "alice", "", "alice"))
	ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	var refused *RefusedError
	if _, _, err := tool.Verify(ctx, who, file); err == nil || errors.As(err, &refused) {
		t.Errorf("late: %v", err)
	}
	old := filepath.Join(dir, "old")
	script := "#!/bin/sh\necho 'unknown option -- Y' >&2\nexit 1\n"
	if err := os.WriteFile(old, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, _, err := (Tool{old}).Verify(context.Background(), who, file); err == nil ||
		errors.As(err, &refused) {
		t.Errorf("old: %v", err)
	}
}

// TestFindTool: a program of the project is not asked, however PATH leads there.
func TestFindTool(t *testing.T) {
	project, out := t.TempDir(), t.TempDir()
	fake := []byte("#!/bin/sh\nexit 0\n")
	if err := os.WriteFile(filepath.Join(project, "ssh-keygen"), fake, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(out, "link")
	if err := os.Symlink(project, link); err != nil {
		t.Fatal(err)
	}
	t.Chdir(project)
	for _, path := range []string{project, ".", "", link} {
		t.Setenv("PATH", path)
		if tool, err := FindTool(project); !errors.Is(err, ErrNoTool) {
			t.Errorf("%q: %+v, %v", path, tool, err)
		}
	}
	if err := os.WriteFile(filepath.Join(out, "ssh-keygen"), fake, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", project+":"+out)
	if tool, err := FindTool(project); err != nil || filepath.Dir(tool.path) != out {
		t.Errorf("%+v, %v", tool, err)
	}
}

func TestWriteAndLists(t *testing.T) {
	root := t.TempDir()
	if all, err := Lists(root); all != nil || err != nil {
		t.Errorf("%v, %v", all, err)
	}
	file := []byte(first + "p\n" + line + signed)
	path, err := Write(root, file)
	if err != nil {
		t.Fatal(err)
	}
	all, err := Lists(root)
	if err != nil || !slices.Equal(all, []string{path}) {
		t.Errorf("%v, %v", all, err)
	}
	if got, err := ReadList(root, path); err != nil || !bytes.Equal(got, file) {
		t.Errorf("%q, %v", got, err)
	}
	// A link in the place of the folder leads nowhere.
	linked := t.TempDir()
	if err := os.Symlink(filepath.Join(root, Folder), filepath.Join(linked, Folder)); err != nil {
		t.Fatal(err)
	}
	if all, err := Lists(linked); len(all) > 0 || err == nil {
		t.Errorf("%v, %v", all, err)
	}
	if path, err := Write(linked, file); err == nil {
		t.Errorf("written to %s", path)
	}
}
