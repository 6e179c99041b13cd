package files

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// maxTerm is the longest term in bytes; what is longer (hashes, base64) is no
// word that anybody asks for.
const maxTerm = 40

// eachTerm calls emit with every term of a line, in order and with repeats. A term
// is a word in lower case without its ending; the parts of an identifier
// (loginHandler, login_handler, login-handler) and the identifier whole, without
// its joints and with its ending; two neighbouring characters of a script that
// writes no spaces. Numbers and single letters alone are no terms. The bytes are
// only valid during the call.
func eachTerm(line []byte, emit func(term []byte)) {
	var buf [maxTerm + utf8.UTFMax]byte
	for i := 0; i < len(line); {
		if c := line[i]; c < utf8.RuneSelf {
			if class[c] == other {
				i++
				continue
			}
		} else {
			r, size := utf8.DecodeRune(line[i:])
			if text.IsUnspaced(r) {
				next, more := utf8.DecodeRune(line[i+size:])
				if text.IsUnspaced(next) {
					emit(line[i : i+size+more])
				}
				i += size
				continue
			}
			if !unicode.IsLetter(r) {
				i += size
				continue
			}
		}
		n := identifier(line[i:])
		parts(line[i:i+n], buf[:0], emit)
		i += n
	}
}

// The kinds of an ASCII character.
const (
	other = iota
	lower
	upper
	digit
)

var class = func() (t [utf8.RuneSelf]uint8) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z':
			t[c] = lower
		case 'A' <= c && c <= 'Z':
			t[c] = upper
		case '0' <= c && c <= '9':
			t[c] = digit
		}
	}
	return t
}()

// identifier returns the length in bytes of the identifier that a line begins with.
func identifier(line []byte) int {
	end := 0
	for end < len(line) {
		c := line[end]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(line[end:])
			if !unicode.IsLetter(r) && !unicode.IsMark(r) || text.IsUnspaced(r) {
				return end
			}
			end += size
		case class[c] != other:
			end++
		case (c == '_' || c == '-') && end+1 < len(line) &&
			(line[end+1] >= utf8.RuneSelf || class[line[end+1]] != other):
			end++
		default:
			return end
		}
	}
	return end
}

// parts emits the parts of an identifier and, where there are several, all of it.
func parts(id []byte, buf []byte, emit func([]byte)) {
	count, start, prev := 0, 0, uint8(other)
	part := func(end int) {
		if end == start {
			return
		}
		count++
		if w := fold(buf[:0], id[start:end]); len(w) > 1 && len(w) <= maxTerm && !number(w) {
			emit(stem(w))
		}
		start = end
	}
	for i, c := range id {
		now := uint8(lower) // what is beyond ASCII
		if c < utf8.RuneSelf {
			now = class[c]
		}
		switch {
		case now == other:
			part(i)
			start = i + 1
		case now == upper && (prev == lower || prev == digit),
			now == upper && prev == upper && i+1 < len(id) && id[i+1] < utf8.RuneSelf &&
				class[id[i+1]] == lower:
			part(i)
		}
		prev = now
	}
	part(len(id))
	if count < 2 || len(id) > maxTerm {
		return
	}
	if w := fold(buf[:0], id); len(w) > 1 && !number(w) {
		emit(w)
	}
}

// fold appends a word in lower case, without joints.
func fold(to, word []byte) []byte {
	for i := 0; i < len(word); {
		c := word[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(word[i:])
			to = utf8.AppendRune(to, unicode.ToLower(r))
			i += size
			if len(to) > maxTerm {
				return to
			}
			continue
		case class[c] == upper:
			to = append(to, c+'a'-'A')
		case class[c] != other:
			to = append(to, c)
		}
		i++
		if len(to) > maxTerm {
			return to
		}
	}
	return to
}

func number(w []byte) bool {
	for _, c := range w {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// endings are cut off a word if at least keep letters stay. The first one that fits counts. The common part
// of a word's forms is enough: handle, handler, handled and handling all become handl.
var endings = []struct {
	end  string
	keep int
	put  string
}{
	{"ations", 3, "at"}, {"ation", 3, "at"}, {"ators", 3, "at"}, {"ator", 3, "at"},
	{"tions", 3, "t"}, {"tion", 3, "t"}, {"sions", 3, "s"}, {"sion", 3, "s"},
	{"ments", 4, ""}, {"ment", 4, ""},
	{"ings", 3, ""}, {"ing", 3, ""}, {"ers", 3, ""}, {"er", 3, ""},
	{"ies", 2, "y"}, {"ied", 2, "y"}, {"ed", 3, ""}, {"sses", 2, "ss"}, {"xes", 2, "x"}, {"ches", 2, "ch"},
	{"shes", 2, "sh"}, {"es", 3, ""}, {"ss", 1, "ss"}, {"us", 1, "us"}, {"is", 1, "is"}, {"s", 3, ""},
	{"e", 3, ""},
}

// stem takes the ending off a folded word, in place.
func stem(w []byte) []byte {
	if len(w) < 4 {
		return w
	}
	switch w[len(w)-1] {
	case 's', 'n', 'r', 't', 'g', 'd', 'e':
	default:
		return w
	}
	for _, e := range endings {
		keep := len(w) - len(e.end)
		if keep < e.keep || string(w[keep:]) != e.end {
			continue
		}
		w = append(w[:keep], e.put...)
		// running, stopped: one letter less, but not of ll and ss.
		if n := len(w); e.put == "" && len(e.end) > 1 && n > 3 && w[n-1] == w[n-2] &&
			!bytes.ContainsRune([]byte("lsz"), rune(w[n-1])) {
			w = w[:n-1]
		}
		if n := len(w); n > 4 && w[n-1] == 'e' {
			w = w[:n-1]
		}
		return w
	}
	return w
}
