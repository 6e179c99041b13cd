package rules

import (
	"strings"
	"testing"
)

func TestDigest(t *testing.T) {
	const tool = "mcp__m__mempalace_add_drawer"
	of := func(args string) string { return Digest(MemPalaceWrite, tool, []byte(args)) }
	first := of(`{"wing":"w","room":"r","content":"a\nb","n":{"y":[1,2],"x":null}}`)
	if len(first) != 64 {
		t.Fatalf("%q", first)
	}
	for _, same := range []string{
		`{"room":"r","wing":"w","n":{"x":null,"y":[1,2]},"content":"a\nb"}`,
		" {\n \"wing\" : \"w\", \"room\":\"r\",\t\"content\":\"a\\nb\",\"n\":{\"y\":[ 1 , 2 ],\"x\":null}}\n",
	} {
		if of(same) != first {
			t.Errorf("another digest for %s", same)
		}
	}
	for _, other := range []string{
		`{"wing":"w","room":"r","content":"a\nb ","n":{"y":[1,2],"x":null}}`,
		`{"wing":"w","room":"r","content":"a\nb","n":{"y":[2,1],"x":null}}`,
		`{"wing":"w","room":"r","content":"a\nb","n":{"y":[1,2]}}`,
		`{"wing":"w","room":"r","content":"a\nb","n":{"y":[1,2.0],"x":null}}`,
		`{"wing":"w","room":"r","content":"a\nb","n":"{\"y\":[1,2],\"x\":null}"}`,
		`{"wing":"w","room":"r","content":"a\ud800b","n":{"y":[1,2],"x":null}}`,
		`{"wing":"w","room":"r","content":"a\ud801b","n":{"y":[1,2],"x":null}}`,
	} {
		if of(other) == first || of(other) == "" {
			t.Errorf("no digest of its own for %s", other)
		}
	}
	if of(`{"c":"\ud800"}`) == of(`{"c":"\ud801"}`) {
		t.Error("two broken texts have one digest")
	}
	if Digest(MemoryWrite, tool, []byte(`{}`)) == of(`{}`) ||
		Digest(MemPalaceWrite, tool+"s", []byte(`{}`)) == of(`{}`) {
		t.Error("the digest leaves out the checkpoint or the tool")
	}
	for _, none := range []string{"", "[]", `"x"`, "null", `{"a":1`, `{"a":1,"a":2}`, `{"a":{"b":1,"b":1}}`,
		`{"a":1,"\u0061":2}`, strings.Repeat(`{"a":`, 600) + "1" + strings.Repeat("}", 600)} {
		if d := of(none); d != "" {
			t.Errorf("%.40s has the digest %s", none, d)
		}
	}
}

func FuzzDigest(f *testing.F) {
	f.Add([]byte(`{"b":[{"y":1,"x":"é"}],"a":" "}`))
	f.Fuzz(func(t *testing.T, args []byte) {
		if d := Digest(MemPalaceWrite, "t", args); d != "" &&
			d != Digest(MemPalaceWrite, "t", append([]byte(" \n"), args...)) {
			t.Errorf("space in front of %q changes the digest", args)
		}
	})
}
