package guard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
)

// The packed file has a line for each rule, below one with the digest of the rest. A line begins with what
// must stand in a call that the rule is about, so that most are passed over unread. BASIS is whatever the
// rules were made from, so that they are made again when that has changed.
//
//	keepsake guards 1 5b0f1a7c BASIS
//	c git make {"command":["git","push"],"needs":["make","test"],…}
//	p migrations - {"path":"db/migrations/",…}
//	t WebFetch - {"tool":"WebFetch",…}
const head = "keepsake guards 1 "

// Limits of a packed file.
const (
	MaxRules  = 1000    // rules; what comes after them is left out
	MaxPacked = 1 << 20 // bytes
)

// ErrPacked is the error of a packed file that is broken.
var ErrPacked = errors.New("the packed file of guards is broken")

// Pack returns the packed file of rules, of at most MaxRules and MaxPacked, made from a basis, which is one
// word.
func Pack(all []Rule, basis string) []byte {
	var b bytes.Buffer
	for _, r := range all[:min(len(all), MaxRules)] {
		kind, key, needs := "c", "", "-"
		switch {
		case r.Tool != "":
			kind, key = "t", r.Tool
		case r.Path != "":
			kind, key = "p", fixedPart(r.Path)
		default:
			key = normal(r.Command)[0]
		}
		if len(r.Needs) > 0 {
			needs = normal(r.Needs)[0]
		}
		if key == "" || strings.ContainsAny(key, " \n") {
			key = "-"
		}
		body, _ := json.Marshal(r) // of strings
		if b.Len()+len(body)+200 > MaxPacked {
			break
		}
		fmt.Fprintf(&b, "%s %s %s %s\n", kind, key, needs, body)
	}
	rest := b.Bytes()
	return slices.Concat([]byte(head), fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE(rest), basis),
		rest)
}

// Basis returns what a packed file was made from, "" where it is broken.
func Basis(packed []byte) string {
	first, _, _ := bytes.Cut(packed, []byte("\n"))
	if _, err := rowsOf(packed); err != nil || len(first) < len(head)+9 {
		return ""
	}
	return string(first[len(head)+9:])
}

// A row is a line of a packed file whose rule is not decoded yet.
type row struct {
	kind  byte
	key   string // "" where nothing must stand in the call
	needs string // the program of what the rule needs, or ""
	body  string

	decoded  *Rule // once asked for
	none     bool  // the body is no rule
	hit, ran bool  // the call is one that the rule is about, or runs what it needs
}

// rowsOf returns the rows of a packed file, none of an empty one. A file that was changed or cut is an error.
func rowsOf(packed []byte) ([]row, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	first, rest, ok := bytes.Cut(packed, []byte("\n"))
	digest, isOurs := bytes.CutPrefix(first, []byte(head))
	digest, _, _ = bytes.Cut(digest, []byte(" "))
	sum, err := strconv.ParseUint(string(digest), 16, 32)
	if !ok || !isOurs || err != nil || len(packed) > MaxPacked+100 ||
		uint32(sum) != crc32.ChecksumIEEE(rest) {
		return nil, ErrPacked
	}
	lines := string(rest) // once, of which all that follows is a part
	rows := make([]row, 0, strings.Count(lines, "\n"))
	for lines != "" {
		var line string
		line, lines, _ = strings.Cut(lines, "\n")
		kind, line, ok1 := strings.Cut(line, " ")
		key, line, ok2 := strings.Cut(line, " ")
		needs, body, ok3 := strings.Cut(line, " ")
		if !ok1 || !ok2 || !ok3 || len(kind) != 1 {
			return nil, ErrPacked
		}
		if key == "-" {
			key = ""
		}
		if needs == "-" {
			needs = ""
		}
		rows = append(rows, row{kind: kind[0], key: key, needs: needs, body: body})
	}
	return rows, nil
}

// rule decodes a row, once. It is nil for one that is none.
func (r *row) rule() *Rule {
	if r.decoded == nil && !r.none {
		rule := new(Rule)
		r.none = json.Unmarshal([]byte(r.body), rule) != nil || rule.Valid() != nil
		r.decoded = rule
	}
	if r.none {
		return nil
	}
	return r.decoded
}

// Unpack returns the rules of a packed file.
func Unpack(packed []byte) (all []Rule, err error) {
	rows, err := rowsOf(packed)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		rule := r.rule()
		if rule == nil {
			return nil, ErrPacked
		}
		all = append(all, *rule)
	}
	return all, nil
}
