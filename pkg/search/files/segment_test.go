package files

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func open(t interface{ Fatal(...any) }, b []byte) *Segment {
	s, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func pack(files ...File) []byte {
	var b Builder
	for _, f := range files {
		b.Add(f)
	}
	return b.Bytes([]byte("meta"))
}

// TestMergeFindsTheSame: files find the same whether they were packed at once, or
// in several segments of which some files are gone, joined or not.
func TestMergeFindsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom(strings.Fields("login handler store parse parser config auth session the " +
			"table invoice loginHandler 検索機能 x"))
		file := func(i int) File {
			words := rapid.SliceOfN(word, 0, 12).Draw(t, "text")
			return File{Path: fmt.Sprintf("%s/%s_%d.go", word.Draw(t, "dir"), word.Draw(t, "name"), i),
				Size: int64(i), Mtime: int64(i) * 7, Text: []byte("func " + strings.Join(words, "\n// "))}
		}
		var living []File
		var parts []Part
		number := 0
		for range rapid.IntRange(1, 4).Draw(t, "segments") {
			var files []File
			var dead []bool
			for range rapid.IntRange(0, 40).Draw(t, "files") {
				f := file(number)
				number++
				gone := rapid.IntRange(0, 3).Draw(t, "gone") == 0
				files, dead = append(files, f), append(dead, gone)
				if !gone {
					living = append(living, f)
				}
			}
			parts = append(parts, Part{open(t, pack(files...)), dead})
		}
		merged, err := Merge([]byte("meta"), parts...)
		if err != nil {
			t.Fatal(err)
		}
		if once := pack(living...); !bytes.Equal(merged, once) {
			t.Fatalf("merged to %d bytes, packed at once to %d", len(merged), len(once))
		}
		s := open(t, merged)
		if s.Len() != len(living) || string(s.Meta()) != "meta" {
			t.Fatalf("%d files, want %d", s.Len(), len(living))
		}
		for i, f := range living {
			if string(s.Path(i)) != f.Path || !s.Same(i, f.Size, f.Mtime) || s.Same(i, f.Size, f.Mtime+1) {
				t.Fatalf("%d is %s", i, s.Path(i))
			}
		}
		for _, f := range living {
			q := Ask(f.Path)
			found, err := q.Search(len(living), Part{Segment: s})
			if err != nil {
				t.Fatal(err)
			}
			if len(found) == 0 {
				t.Fatalf("%s is not found by its own path", f.Path)
			}
		}
	})
}

func TestUnreadIsNeverTheSame(t *testing.T) {
	s := open(t, pack(File{Path: "a.go", Size: 1, Mtime: 2, Unread: true}))
	if s.Same(0, 1, 2) {
		t.Error("a file whose text was not read counts as read")
	}
}

func FuzzOpen(f *testing.F) {
	good := pack(File{Path: "auth/login.go", Text: []byte("func LoginHandler() {\n}")},
		File{Path: "README.md", Text: []byte("# Login\nhow the login handler works")})
	f.Add(good, 0, byte(0))
	f.Add(good, headSize+3, byte(7))
	f.Add(good, len(good)-3, byte(200))
	f.Add(pack(), 9, byte(1))
	f.Fuzz(func(t *testing.T, b []byte, at int, flip byte) {
		b = bytes.Clone(b)
		if len(b) > 0 {
			b[int(uint(at)%uint(len(b)))] ^= flip
		}
		s, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		q := Ask("where is the login handler")
		if _, err := q.Search(5, Part{Segment: s}); err != nil && !errors.Is(err, ErrCorrupt) {
			t.Fatal(err)
		}
		if _, err := Merge(nil, Part{Segment: s}); err != nil && !errors.Is(err, ErrCorrupt) {
			t.Fatal(err)
		}
	})
}

func FuzzBest(f *testing.F) {
	f.Add("a.go", "func Login() {\n\treturn\n}", "where is login")
	f.Add("a.md", "# x\n```\n# y", "y")
	f.Add("Makefile", ":\n\xff\n=\r\n", "\xff")
	f.Fuzz(func(t *testing.T, path, text, question string) {
		s := open(t, pack(File{Path: path, Text: []byte(text)}))
		q := Ask(question)
		if _, err := q.Search(3, Part{Segment: s}); err != nil {
			t.Fatal(err)
		}
		l := q.Best(path, []byte(text))
		if lines := strings.Count(text, "\n") + 1; l.Number < 1 || l.Number > lines {
			t.Fatalf("line %d of %d", l.Number, lines)
		}
	})
}
