// Package drawer defines a drawer: one text that was promoted to the tier WHY, in a room of a wing, as
// MemPalace calls them. Its names follow MemPalace's rules, so that a drawer fits into either back end.
// The package also prints and parses the Markdown file in which the embedded back end keeps a drawer.
package drawer

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Decisions is the room of a promotion for which nobody named another.
const Decisions = "decisions"

// MaxText is the longest text of a drawer, in characters: MemPalace takes no more.
const MaxText = 100_000

// A Drawer is one text and its address.
type Drawer struct {
	Wing, Room string    // as Name returns them
	Text       string    // valid UTF-8, kept byte for byte
	Source     string    // what it was taken from, such as ".agents/memory/scratch/x.md:12"; may be ""
	Filed      time.Time // when it was written, UTC to the second; zero when unknown
}

// Check returns an error if the drawer must not be written: a name is not as Name returns it, or the text
// is blank, longer than MaxText or not valid UTF-8 without NULs.
func (d Drawer) Check() error {
	for _, n := range [...]struct{ what, name string }{{"wing", d.Wing}, {"room", d.Room}} {
		if clean, err := Name(n.name); err != nil {
			return fmt.Errorf("the %s: %w", n.what, err)
		} else if clean != n.name {
			return fmt.Errorf("the %s %q has spaces around it; hint: %q", n.what, n.name, clean)
		}
	}
	switch n := utf8.RuneCountInString(d.Text); {
	case strings.TrimSpace(d.Text) == "":
		return errors.New("a drawer without text; hint: give the text that is to be kept")
	case n > MaxText:
		return fmt.Errorf("the text has %d characters, a drawer takes at most %d; hint: promote what "+
			"matters of it", n, MaxText)
	case !utf8.ValidString(d.Text) || strings.ContainsRune(d.Text, 0):
		return errors.New("the text is not UTF-8, or has a zero byte; hint: take such bytes out")
	}
	return nil
}

const (
	idWords = 40 // characters of the text that begin an id
	idHash  = 6  // bytes of the digest that end it
)

// ID returns the name of a drawer: the first words of its text and a digest of wing, room and text. It is
// a valid Name and a valid file name, and never ends in a dot.
func (d Drawer) ID() string {
	return lead(d.Text, idWords) + "-" + Digest("", []Drawer{d})[:2*idHash]
}

// lead returns the first words of a text in lower case, joined by hyphens and at most n characters long;
// "drawer" if there are none.
func lead(text string, n int) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(text[:min(len(text), 1<<10)], func(r rune) bool {
		return !alphanumeric(r)
	}) {
		word = strings.ToLower(word)
		took := utf8.RuneCountInString(b.String())
		if took > 0 && took+1+utf8.RuneCountInString(word) > n {
			break
		}
		if took > 0 {
			b.WriteByte('-')
		}
		for i, r := range []rune(word) {
			if i < n {
				b.WriteRune(r)
			}
		}
	}
	if b.Len() == 0 {
		return "drawer"
	}
	return b.String()
}

// Digest returns the digest that a person approves with a promotion: SHA-256, in hex, over the name of
// the back end and the wing, room and text of all drawers in their order. Source and Filed are no part of
// it.
func Digest(backend string, all []Drawer) string {
	h := sha256.New()
	put := func(s string) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s)))) // "a"+"bc" is not "ab"+"c"
		h.Write([]byte(s))
	}
	put(backend)
	for _, d := range all {
		put(d.Wing)
		put(d.Room)
		put(d.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

const (
	maxName      = 128 // characters, by MemPalace's rule
	maxNameBytes = 255 // a name is also that of a folder
)

// Name returns the name of a wing or a room without the space around it, or an error if it is not valid.
// A name has at most 128 characters: letters and digits of any script, and between them also space,
// underscore, full stop, hyphen and apostrophe, but never two full stops in a row.
func Name(s string) (string, error) {
	s = strings.TrimSpace(s)
	switch n := utf8.RuneCountInString(s); {
	case s == "":
		return "", errors.New("a name is missing; hint: letters and digits, such as decisions")
	case n > maxName || len(s) > maxNameBytes:
		return "", fmt.Errorf("a name of %d characters is too long; hint: at most %d", n, maxName)
	}
	runes := []rune(s)
	for i, r := range runes {
		edge := i == 0 || i == len(runes)-1
		switch {
		case alphanumeric(r):
		case edge || !inner(r):
			return "",
				fmt.Errorf("%q is no name for a wing or room: %q can't stand there; hint: letters and "+
					"digits, and between them also space _ . - '", s, r)
		case r == '.' && runes[i-1] == '.':
			return "",
				fmt.Errorf("%q is no name for a wing or room: two full stops lead out of a folder; hint: one",
					s)
		}
	}
	return s, nil
}

// Tag returns the wing of a project: the base name of its root, made a valid Name.
func Tag(root string) string {
	root = strings.TrimRight(root, "/")
	base := root[strings.LastIndexByte(root, '/')+1:]
	var kept []rune
	bytes := 0
	for _, r := range base {
		switch {
		case unicode.IsMark(r): // of the letter before it, as some file systems spell it
			continue
		case !alphanumeric(r) && !inner(r):
			r = '-'
		}
		if !alphanumeric(r) && (len(kept) == 0 || kept[len(kept)-1] == r) {
			continue
		}
		if bytes += utf8.RuneLen(r); len(kept) == maxName || bytes > maxNameBytes {
			break
		}
		kept = append(kept, r)
	}
	if name := strings.TrimRightFunc(string(kept), func(r rune) bool {
		return !alphanumeric(r)
	}); name != "" {
		return name
	}
	return "project"
}

// alphanumeric reports whether MemPalace takes r for a letter or a digit. An underscore and a mark are
// neither.
func alphanumeric(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// inner reports whether r may stand inside a name, besides letters and digits.
func inner(r rune) bool { return strings.ContainsRune(" _.'-", r) }
