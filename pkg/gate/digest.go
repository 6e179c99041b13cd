package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Digest names one call for an approval: the SHA-256, in hexadecimal, of the
// checkpoint, the tool and the arguments in canonical form. The order of keys
// and the space between tokens don't count; every other byte does. It is ""
// where args are not one JSON object, or name a key twice, so that what two
// readers could take differently can't be approved.
func Digest(checkpoint, tool string, args []byte) string {
	if !shallow(args) || !gjson.ValidBytes(args) {
		return ""
	}
	v := gjson.ParseBytes(args)
	if !v.IsObject() {
		return ""
	}
	b := make([]byte, 0, len(args)+len(checkpoint)+len(tool)+2)
	b = append(append(b, checkpoint...), 0)
	b = append(append(b, tool...), 0)
	b, ok := canonical(b, v)
	if !ok {
		return ""
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// canonical appends v with its keys sorted and no space between its tokens;
// false when an object names a key twice.
func canonical(b []byte, v gjson.Result) ([]byte, bool) {
	if !v.IsObject() && !v.IsArray() {
		return append(b, v.Raw...), true
	}
	type member struct{ key, value gjson.Result }
	var members []member
	v.ForEach(func(k, val gjson.Result) bool {
		members = append(members, member{k, val})
		return true
	})
	open, end := byte('['), byte(']')
	if v.IsObject() {
		open, end = '{', '}'
		slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.key.Str, b.key.Str) })
	}
	b = append(b, open)
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		if v.IsObject() {
			if i > 0 && members[i-1].key.Str == m.key.Str {
				return b, false
			}
			b = append(append(b, m.key.Raw...), ':')
		}
		var ok bool
		if b, ok = canonical(b, m.value); !ok {
			return b, false
		}
	}
	return append(b, end), true
}
