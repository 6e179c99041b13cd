package cues

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// phrase is a line of the data, folded and with its marks.
type phrase struct {
	text  string
	found Set
}

var languages = []string{"any", "en", "de", "fr", "es", "pt", "ru", "zh", "ja", "ko"}

// section is a section of a data file.
type section struct {
	lang, name, why string
	phrases         []string
}

func readSections(tb testing.TB) (all []section) {
	tb.Helper()
	for _, lang := range languages {
		path := filepath.Join("data", lang+".txt")
		b, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		for n, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
			if name, why, ok := strings.Cut(line, "]"); ok && strings.HasPrefix(line, "[") && why != "" {
				all = append(all, section{lang, name[1:], strings.TrimSpace(why), nil})
			} else if line == "" || len(all) == 0 || strings.TrimSpace(line) != line {
				tb.Fatalf("%s:%d: %q: want [family] why, or a phrase without spaces around it",
					path, n+1, line)
			} else {
				s := &all[len(all)-1]
				s.phrases = append(s.phrases, line)
			}
		}
	}
	return all
}

// readPhrases returns the phrases of the data with all of their spellings, sorted.
func readPhrases(tb testing.TB) (all []phrase) {
	tb.Helper()
	merged := map[string]Set{}
	for _, s := range readSections(tb) {
		f := slices.Index(names[:], s.name)
		if f < 0 {
			tb.Fatalf("data/%s.txt: no family is called %q; names are in cues.go", s.lang, s.name)
		}
		for _, line := range s.phrases {
			for _, text := range spellings(line, s.lang) {
				merged[text] |= 1 << f
			}
		}
	}
	for text, found := range merged {
		all = append(all, phrase{text, found})
	}
	slices.SortFunc(all, func(a, b phrase) int { return strings.Compare(a.text, b.text) })
	return all
}

var (
	withoutAccents = strings.NewReplacer("á", "a", "à", "a", "â", "a", "ã", "a", "ç", "c", "é", "e", "è", "e",
		"ê", "e", "ë", "e", "í", "i", "î", "i", "ï", "i", "ñ", "n", "ó", "o", "ô", "o", "õ", "o", "ú", "u",
		"ù", "u", "û", "u", "ü", "u", "œ", "oe")
	inASCII = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss")
)

// spellings returns a line of the data as it is found in a text, with its marks, and its other spellings.
func spellings(line, lang string) []string {
	var text []byte
	for i, r := range line {
		before := isLetterBefore(line, i)
		switch {
		case r == '*' && before:
			text = append(text, markRest)
		case r == '#':
			text = append(text, markNumber)
		case r == '^' && i == 0:
			text = append(text, markOpening)
		case r == '-' && joins(line, i):
			text = append(text, ' ')
		default:
			text = utf8.AppendRune(text, foldRune(r))
		}
	}
	all := []string{string(text)}
	switch lang {
	case "fr", "es", "pt":
		// Without its accent, many a participle is an English word: mergé, activé, résumé.
		if len(line) >= 5 && (strings.Contains(line, " ") || !strings.HasSuffix(line, "é")) {
			all = append(all, withoutAccents.Replace(all[0]))
		}
	case "de":
		all = append(all, inASCII.Replace(all[0]))
	case "ko":
		all = append(all, strings.ReplaceAll(all[0], " ", ""))
	}
	return slices.Compact(all)
}

// builder makes a table of sorted phrases: a trie whose equal branches are one, laid out as a double array.
type builder struct {
	table
	used  []bool
	bases []bool
	low   int
	made  map[string]unit // nodes by their children
	setOf map[Set]int
}

func newTable(all []phrase) (t table, root unit) {
	b := builder{made: map[string]unit{}, setOf: map[Set]int{}}
	b.grow(256)
	b.used[0], b.bases[0] = true, true
	root = b.node(all, 0)
	return b.table, root
}

func (b *builder) grow(n int) {
	for len(b.units) < n {
		b.units = append(b.units, make([]unit, 256)...)
		b.used = append(b.used, make([]bool, 256)...)
		b.bases = append(b.bases, make([]bool, 256)...)
	}
}

// node returns the node, without a label, of the phrases that share their first bytes.
func (b *builder) node(all []phrase, shared int) unit {
	type child struct {
		label byte
		to    unit
	}
	var children []child
	var flags unit
	for len(all) > 0 {
		if len(all[0].text) == shared {
			id, ok := b.setOf[all[0].found]
			if !ok {
				id = len(b.sets)
				b.setOf[all[0].found] = id
				b.sets = append(b.sets, all[0].found)
			}
			children = append(children, child{markEnd, unit(id) << baseShift})
			all, flags = all[1:], flags|hasEnd
			continue
		}
		c := all[0].text[shared]
		n := 1
		for n < len(all) && all[n].text[shared] == c {
			n++
		}
		switch c {
		case markRest:
			flags |= hasRest
		case markNumber:
			flags |= hasNumber
		}
		children = append(children, child{c, b.node(all[:n], shared+1)})
		all = all[n:]
	}
	key := fmt.Sprint(children)
	if at, ok := b.made[key]; ok {
		return at
	}
	for ; b.used[b.low]; b.low++ {
		b.grow(b.low + 512)
	}
	for slot := b.low; ; slot++ {
		b.grow(slot + 512)
		if b.used[slot] {
			continue
		}
		base := slot ^ int(children[0].label)
		taken := func(c child) bool { return b.used[base^int(c.label)] }
		if b.bases[base] || slices.ContainsFunc(children, taken) {
			continue
		}
		b.bases[base] = true
		for _, c := range children {
			b.used[base^int(c.label)] = true
			b.units[base^int(c.label)] = c.to | unit(c.label)
		}
		b.made[key] = unit(base)<<baseShift | flags
		return b.made[key]
	}
}

// source returns the generated file.
func source(t table, root unit) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("// Code generated by KEEPSAKE_GOLDEN=1 go test ./pkg/capture/cues; DO NOT EDIT.\n\n" +
		"package cues\n\n")
	fmt.Fprintf(&b, "const root unit = %d\n\n", root)
	b.WriteString("// theTable finds the phrases of data.\nvar theTable = table{\n\tunits: []unit{")
	width := 160
	item := func(text string) {
		if width += len(text) + 2; width > 150 {
			b.WriteString("\n\t\t")
			width = len(text)
		} else {
			b.WriteByte(' ')
		}
		b.WriteString(text + ",")
	}
	for _, u := range t.units {
		item(fmt.Sprint(uint32(u)))
	}
	b.WriteString("\n\t},\n\tsets: []Set{")
	width = 160
	for _, s := range t.sets {
		item(fmt.Sprintf("%#x", uint64(s)))
	}
	b.WriteString("\n\t},\n}\n")
	return format.Source(b.Bytes())
}

// TestTheTableIsOfTheData: a new phrase is not found until this test has rewritten the generated file.
func TestTheTableIsOfTheData(t *testing.T) {
	const path = "table_generated.go"
	table, root := newTable(readPhrases(t))
	if size := 4*len(table.units) + 8*len(table.sets); size > 256<<10 {
		t.Errorf("the table has %d bytes, want at most 256 KiB", size)
	}
	want, err := source(table, root)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("KEEPSAKE_GOLDEN") == "1" {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is of other data (%v); hint: KEEPSAKE_GOLDEN=1 go test ./pkg/capture/cues writes it",
			path, err)
	}
}
