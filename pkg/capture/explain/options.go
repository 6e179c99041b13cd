package explain

import (
	"slices"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/capture/wording"
	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// An option is an item of a list that the agent offered.
type option struct {
	key  int    // its place in the list, from 1: of "2.", "B)" and "(b)" it is 2
	text string // as it was listed
}

// A list is items that belong together.
type list struct {
	kind    listKind
	options []option
	asked   bool // within a question
}

type listKind uint8

const (
	prose    listKind = iota // "X or Y?"
	bulleted                 // items without a key
	tabled                   // rows or columns of a table without one
	lettered
	numbered
	letteredOptions // "Option B: …"
	numberedOptions // "Option 2: …"
)

// named reports whether the items call themselves options.
func (k listKind) named() bool { return k >= letteredOptions }

// keyed reports whether the items have numbers or letters.
func (k listKind) keyed() bool { return k >= lettered }

func (k listKind) letters() bool { return k == lettered || k == letteredOptions }

// maxOption bounds the text of an option, in bytes.
const maxOption = 400

// shortOption is the length below which an item's text goes on in its next line.
const shortOption = 60

// findLists returns the lists of at least two items in a text, in the order in which they end. Lists within
// code don't count. They are not to be changed, as splitWords says.
func findLists(said string) []list { return lastLists.Of(said, listsOf) }

var lastLists text.Memo[[]list]

func listsOf(said string) (lists []list) {
	var open [numberedOptions + 1]list
	var filling [numberedOptions + 1]filler // of the last item of each kind
	shut := func(k listKind) {
		if len(open[k].options) > 1 {
			lists = append(lists, open[k])
		}
		open[k] = list{kind: k}
	}
	for k := range open {
		open[k].kind = listKind(k)
	}
	var fence markdown.Fence
	blank := false
	var rows [][]string // of the table that is being read
	for line := range strings.SplitSeq(said+"\n", "\n") {
		body := strings.TrimSpace(line)
		code := fence.Read(line)
		if !code && strings.HasPrefix(body, "|") {
			rows = append(rows, cellsOf(body))
			continue
		}
		if l := tableList(rows); len(l.options) > 1 {
			lists = append(lists, l)
		}
		rows = nil
		if code {
			continue
		}
		if body == "" {
			blank = true
			continue
		}
		inner := inlineOptions(body)
		if len(inner.options) > 1 {
			lists = append(lists, inner)
		}
		kind, key, rest, ok := readItem(body)
		if ok = ok && len(inner.options) < 2; !ok {
			for k := range open {
				more := filling[k] == byAny || filling[k] == byIndented && isIndented(line)
				if more && len(open[k].options) > 0 && !strings.Contains(body, "?") {
					o := &open[k].options[len(open[k].options)-1]
					o.text = text.ShortenBytes(strings.TrimRight(o.text, ":")+": "+plain(body), maxOption)
				}
				filling[k] = byNone
			}
			// A bulleted list ends with the first paragraph behind it.
			if blank && !isIndented(line) {
				shut(bulleted)
			}
			blank = false
			if inner := inlineList(body); len(inner.options) > 1 {
				lists = append(lists, inner)
			}
			continue
		}
		blank = false
		have := len(open[kind].options)
		if kind == bulleted {
			if isIndented(line) {
				continue // a detail of an item
			}
			key = have + 1
		} else if key != have+1 {
			shut(kind)
			have = 0
		}
		if key == have+1 {
			open[kind].options = append(open[kind].options, option{key, text.ShortenBytes(rest, maxOption)})
			switch {
			case len(rest) >= shortOption || kind == bulleted:
				filling[kind] = byNone
			case body[0] == '#' || body[0] == '*' && body[1] == '*':
				filling[kind] = byAny // a heading
			default:
				filling[kind] = byIndented
			}
		}
	}
	for k := range open {
		shut(listKind(k))
	}
	return slices.Clip(append(lists, proseLists(said, lists)...))
}

// A filler is the kind of line that goes on with the text of a short item.
type filler uint8

const (
	byNone filler = iota
	byIndented
	byAny
)

func isIndented(line string) bool { return line[0] == ' ' || line[0] == '\t' }

// readItem takes the mark of an item off a line: "2. x", "B) x", "(b) x", "### Option 2: x", "- **Option A**
// — x", "- x".
func readItem(line string) (kind listKind, key int, rest string, ok bool) {
	rest = markdown.Title(line)
	if strings.HasPrefix(rest, "#") && strings.HasPrefix(line, rest) { // "#2" is no heading
		return 0, 0, "", false
	}
	bullet := false
	for _, mark := range []string{"- ", "* ", "• ", "+ "} {
		if after, cut := strings.CutPrefix(rest, mark); cut {
			rest, bullet = strings.TrimSpace(after), true
			break
		}
	}
	body := strings.TrimLeft(rest, "*_`【")
	named := false
	if word, after, cut := strings.Cut(body, " "); cut && isOptionNoun(word) {
		named, body = true, strings.TrimLeft(after, " #*_")
	} else if after, cut := wording.CutOption(body); cut { // 方案A
		named, body = true, strings.TrimLeft(after, " #*_")
	}
	paren := strings.HasPrefix(body, "(") || strings.HasPrefix(body, "（")
	body = strings.TrimLeft(body, "(（")
	key, letter, after := readKey(body)
	if key > 0 {
		if rest, cut := wording.CutOption(after); cut { // A案
			named, after = true, rest
		}
		mark := strings.TrimLeft(after, "*_` ")
		done := strings.IndexAny(after, ")）、") == 0 || !paren && strings.IndexAny(after, ".．") == 0
		if named {
			done = done || mark == "" || strings.IndexAny(mark, ":-–—(.)：（．】") == 0
		}
		if done {
			text := plain(strings.TrimLeft(mark, ":.)-–— *_：）．、】　"))
			switch {
			case named && letter:
				kind = letteredOptions
			case named:
				kind = numberedOptions
			case letter:
				kind = lettered
			default:
				kind = numbered
			}
			return kind, key, text, named || text != ""
		}
	}
	return bulleted, 0, plain(rest), bullet
}

func isOptionNoun(word string) bool {
	word = strings.ToLower(strings.Trim(word, "*_:"))
	return text.OneOf(word,
		"option approach alternative variant choice solution variante möglichkeit ansatz lösung vorschlag") ||
		wording.IsOption(word)
}

// readKey reads a number of at most two digits or a single letter.
func readKey(s string) (key int, letter bool, rest string) {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		key = 10*key + int(s[n]-'0')
		n++
	}
	switch {
	case n > 2:
		return 0, false, s
	case n > 0:
		return key, false, s[n:]
	}
	if s == "" || len(s) > 1 && isWord(s[1]) && !wording.Wide(s[1:]) {
		return 0, false, s
	}
	switch c := s[0] | 0x20; {
	case c >= 'a' && c <= 'h':
		return int(c-'a') + 1, true, s[1:]
	}
	return 0, false, s
}

func isWord(c byte) bool {
	letter := c|0x20 >= 'a' && c|0x20 <= 'z'
	return letter || c >= '0' && c <= '9' || c >= utf8.RuneSelf || c == '\''
}

// inlineList reads options within a sentence: "either (a) x or (b) y", "1) x, 2) y".
func inlineList(line string) (l list) {
	for _, form := range []struct {
		kind  listKind
		first string
	}{{lettered, "(a)"}, {numbered, "(1)"}, {lettered, "(A)"}, {lettered, "a)"}, {numbered, "1)"},
		{lettered, "A)"}} {
		at := markAt(line, form.first)
		if at < 0 {
			continue
		}
		l = list{kind: form.kind, asked: strings.Contains(line, "?")}
		rest := line[at+len(form.first):]
		for key := 1; ; key++ {
			next := []byte(form.first)
			next[len(next)-2] += byte(key)
			end := markAt(rest, string(next))
			item := rest
			if end >= 0 {
				item = rest[:end]
			} else if all := triage.Sentences(item); len(all) > 1 { // "…; 2) y. Which one?"
				item = all[0].Text
			}
			item = strings.Trim(strings.TrimSpace(item), ",;:?.")
			item = strings.TrimSuffix(strings.TrimSuffix(item, " or"), " and")
			l.options = append(l.options,
				option{key, text.ShortenBytes(plain(strings.Trim(item, ",; ")), maxOption)})
			if end < 0 || key == 8 {
				break
			}
			rest = rest[end+len(next):]
		}
		if len(l.options) > 1 {
			return l
		}
	}
	return list{}
}

// inlineOptions reads options that are named within a line: "Option A: x. Option B: y."
func inlineOptions(line string) (l list) {
	words := strings.Fields(line)
	at, from := 0, -1 // where the word stands, and where the text of the last option begins
	end := func(to int) {
		if from >= 0 {
			item := strings.Trim(plain(line[from:max(from, to)]), ",;:?. ")
			l.options = append(l.options, option{len(l.options) + 1, text.ShortenBytes(item, maxOption)})
		}
	}
	for i, w := range words {
		begin := at + strings.Index(line[at:], w)
		at = begin + len(w)
		if i+1 == len(words) {
			continue
		}
		next := strings.TrimLeft(words[i+1], "*_")
		key, letter, after := readKey(next)
		if key == 0 || !isOptionNoun(w) {
			continue
		}
		behind := strings.TrimLeft(after, "*_")
		if key != len(l.options)+1 && (from < 0 || key != len(l.options)+2) ||
			!strings.HasPrefix(behind, ":") && !strings.HasPrefix(behind, "：") &&
				!(behind == "" && i+2 < len(words) && text.OneOf(words[i+2], "- – —")) {
			continue
		}
		end(begin)
		if l.kind = numberedOptions; letter {
			l.kind = letteredOptions
		}
		from = at + strings.Index(line[at:], words[i+1]) + len(words[i+1])
		if behind == "" {
			from += strings.Index(line[from:], words[i+2]) + len(words[i+2])
		}
	}
	if from >= 0 {
		rest := line[from:]
		if stop := strings.IndexAny(rest, ".?!;"); stop >= 0 {
			rest = rest[:stop]
		}
		end(from + len(rest))
	}
	return l
}

// markAt returns where a mark begins a word.
func markAt(s, mark string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], mark)
		if i < 0 {
			return -1
		}
		if i += from; i == 0 || s[i-1] == ' ' {
			return i
		}
		from = i + 1
	}
}

// plain takes the marks of emphasis off a text.
func plain(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(s, "**", ""), "__", ""))
}

// label returns the name of an option: "Postgres" of "Postgres (recommended): jobs
// survive". An option that is only a sentence has none.
func (o option) label() string {
	name := o.text
	if i := strings.IndexAny(name, ":(—–：（"); i >= 0 {
		name = name[:i]
	} else if i := strings.Index(name, " - "); i >= 0 {
		name = name[:i]
	}
	if name = strings.Trim(name, " .`"); strings.Count(name, " ") > 3 {
		return ""
	}
	return name
}
