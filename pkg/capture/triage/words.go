package triage

import "keepsake/pkg/capture/stance"

// token is a word of a statement.
type token struct {
	id    uint16 // of its folded form, or one of the ids below
	start bool   // it begins a clause: after a comma, a dash, a colon, a parenthesis
	from  int32  // byte offset of its first byte
	to    int32  // and just after its last
}

// Ids of tokens that are not in the table.
const (
	idOther  uint16 = iota // a word the table does not know
	idCode                 // masked: code, a quotation, a path, a URL
	idNumber               // begins with a digit; "#" in the table
	idColon                // a colon right after a word; ":" in the table
	idFirst                // the first id of a word of the table
)

// Bytes that mask writes in place of others, so that offsets stay.
const (
	masked = '\x01'        // something its author did not say
	filler = stance.Filler // the rest of a character that was folded into one byte
)

// maxWord is the length of the longest word that can be in the table, in bytes.
const maxWord = 24

// tokenize appends the words of a masked text to dst. Words are folded to lower case; hyphens and slashes
// separate them, apostrophes do not.
func (m *matcher) tokenize(dst []token, text []byte) []token {
	var word [maxWord]byte
	clause := true
	for i := 0; i < len(text); {
		from := i
		switch c := text[i]; {
		case c == masked:
			for i < len(text) && text[i] == masked {
				i++
			}
			dst = append(dst, token{id: idCode, start: clause, from: int32(from), to: int32(i)})
			clause = false
		case stance.IsWordByte(c):
			n, foreign := 0, false
			for ; i < len(text); i++ {
				c := text[i]
				switch {
				case c == filler:
					continue
				case c >= 0x80:
					foreign = true // the table is English
				case !stance.IsWordByte(c) && c != '\'':
					goto done
				case c >= 'A' && c <= 'Z':
					c += 'a' - 'A'
				}
				if n < maxWord {
					word[n] = c
				}
				n++
			}
		done:
			t := token{start: clause, from: int32(from), to: int32(i)}
			switch {
			case text[from] >= '0' && text[from] <= '9':
				t.id = idNumber
			case !foreign && n <= maxWord:
				t.id = m.lookup(word[:n])
			}
			dst, clause = append(dst, t), false
		case c == ':':
			// Emphasis may stand between: **Fix**:
			if last := len(dst) - 1; last >= 0 && from-int(dst[last].to) <= 3 && dst[last].id != idColon {
				dst = append(dst, token{id: idColon, from: int32(from), to: int32(from + 1)})
			}
			clause = true
			i++
		case c == ',' || c == ';' || c == '(' || c == '.' || c == '!' || c == '?', c == '-' && i > 0 &&
			text[i-1] == ' ':
			clause = true
			i++
		default:
			i++
		}
	}
	return dst
}

// stem returns the length of a folded word without the ending of a plural or a third person: limits, crashes,
// teams'. The words of the table and of the text are cut alike.
func stem[T string | []byte](w T) int {
	n := len(w)
	for n > 0 && w[n-1] == '\'' {
		n--
	}
	if n < 4 || w[n-1] != 's' {
		return n
	}
	switch w[n-2] {
	case 's', 'u', 'i', '\'':
		return n // process, status, this, it's
	case 'e':
		if c := w[n-3]; n > 4 && (c == 'x' || c == 'h' || c == 's') {
			return n - 2 // fixes, crashes, passes
		}
	}
	return n - 1
}
