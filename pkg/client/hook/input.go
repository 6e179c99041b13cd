package hook

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/tidwall/gjson"
)

// MaxInput is the size of the largest event that is read, in bytes. The client sends tool input whole (3 MB
// was seen).
const MaxInput = 16 << 20

// ErrTooLarge is the fault of an event of more than MaxInput bytes.
var ErrTooLarge = errors.New("event is larger than " + strconv.Itoa(MaxInput>>20) + " MiB")

// readValue reads one JSON object. It does not wait for the end of input, since the other side may keep stdin
// open, and ignores what follows the object.
func readValue(r io.Reader) ([]byte, error) {
	buf := make([]byte, 0, 32<<10)
	var f framer
	for {
		if len(buf) > MaxInput {
			return nil, ErrTooLarge
		}
		if len(buf) == cap(buf) {
			buf = append(make([]byte, 0, min(2*cap(buf), MaxInput+1)), buf...)
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		start := len(buf)
		buf = buf[:start+n]
		if end, done := f.scan(buf[start:]); done {
			buf = buf[:start+end]
			break
		}
		if f.notObject {
			return nil, errors.New("event is not a JSON object")
		}
		if f.tooDeep {
			return nil, fmt.Errorf("event is nested deeper than %d levels", maxDepth)
		}
		if err == io.EOF {
			return nil, errors.New("event ends in the middle")
		}
		if err != nil {
			return nil, fmt.Errorf("reading the event: %w", err)
		}
	}
	if len(buf) > MaxInput {
		return nil, ErrTooLarge
	}
	if !gjson.ValidBytes(buf) {
		return nil, errors.New("event is not valid JSON")
	}
	return buf, nil
}

// A framer finds the end of the first JSON object of a stream. It looks only at brackets and strings, and
// does not check whether the text is valid JSON.
type framer struct {
	depth     int
	inString  bool
	escaped   bool
	notObject bool
	tooDeep   bool
}

// maxDepth is how deep an event may be nested. Readers of JSON recurse, and a stack overflow cannot be
// recovered from. The client nests about ten levels; tool input comes from the model and is seldom deeper.
const maxDepth = 1000

// scan reads the next bytes. Once the object has ended it returns how many of them belong to it.
func (f *framer) scan(b []byte) (end int, done bool) {
	for i := 0; i < len(b); i++ {
		c := b[i]
		if f.inString {
			switch {
			case f.escaped:
				f.escaped = false
			case c == '\\':
				f.escaped = true
			case c == '"':
				f.inString = false
			default: // most of an event is text
				for i+1 < len(b) && b[i+1] != '"' && b[i+1] != '\\' {
					i++
				}
			}
			continue
		}
		switch c {
		case '"':
			f.inString = true
		case '{', '[':
			if f.depth++; f.depth > maxDepth {
				f.tooDeep = true
				return 0, false
			}
		case '}', ']':
			f.depth--
			if f.depth == 0 {
				return i + 1, true
			}
		}
		if f.depth == 0 && c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			f.notObject = true
			return 0, false
		}
	}
	return 0, false
}
