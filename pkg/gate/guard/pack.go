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

	"keepsake/pkg/memory"
)

// The packed file has a line for each rule, below one with the digest of the rest. A line begins with what must
// stand in a call that the rule is about, so that most are passed over unread:
//
//	keepsake guards 1 5b0f1a7c
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

var table = crc32.MakeTable(crc32.Castagnoli)

// Pack returns the packed file of rules, of at most MaxRules and MaxPacked.
func Pack(all []Rule) []byte {
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
	return slices.Concat([]byte(head), fmt.Appendf(nil, "%08x\n", crc32.Checksum(rest, table)), rest)
}

// A row is a line of a packed file whose rule is not decoded yet.
type row struct {
	kind  byte
	key   string // "" where nothing must stand in the call
	needs string // the program of what the rule needs, or ""
	body  string
}

// rowsOf returns the rows of a packed file, none of an empty one. A file that was changed or cut is an error.
func rowsOf(packed []byte) ([]row, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	first, rest, ok := bytes.Cut(packed, []byte("\n"))
	digest, isOurs := bytes.CutPrefix(first, []byte(head))
	sum, err := strconv.ParseUint(string(digest), 16, 32)
	if !ok || !isOurs || err != nil || len(packed) > MaxPacked+100 ||
		uint32(sum) != crc32.Checksum(rest, table) {
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
		rows = append(rows, row{kind[0], key, needs, body})
	}
	return rows, nil
}

// rule decodes a row. It reports false for one that is none.
func (r row) rule() (rule Rule, ok bool) {
	if json.Unmarshal([]byte(r.body), &rule) != nil {
		return rule, false
	}
	_, ok = slices.BinarySearch([]string{memory.Ask, memory.Deny, memory.Say}, rule.Does)
	return rule, ok
}

// Unpack returns the rules of a packed file.
func Unpack(packed []byte) (all []Rule, err error) {
	rows, err := rowsOf(packed)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		rule, ok := r.rule()
		if !ok {
			return nil, ErrPacked
		}
		all = append(all, rule)
	}
	return all, nil
}
