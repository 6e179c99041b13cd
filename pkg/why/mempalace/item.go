package mempalace

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// A Want names things to be read whole.
type Want struct {
	All   bool       `json:"all,omitempty"` // everything, up to MaxText
	IDs   []string   `json:"ids,omitempty"`
	Spans [][2]int64 `json:"spans,omitempty"` // rows behind the first number, up to the second
}

// MaxText is how much text All reads of one file, in bytes.
const MaxText = 32 << 20

// ErrLarge is the error for more text than MaxText.
var ErrLarge = errors.New("more than 32 MB of text")

// An Item is one thing in a palace: a drawer with all its pieces, a fact or a tunnel.
type Item struct {
	ID   string   `json:"id"`             // of the whole, as MemPalace's tools take it
	Rows []string `json:"rows,omitempty"` // ids of the pieces of a long drawer, in order
	Wing string   `json:"wing,omitempty"`
	Room string   `json:"room,omitempty"`
	Text string   `json:"text"`
	// Meta is all else that MemPalace stores of it: an object, or an array with one for each piece.
	Meta json.RawMessage `json:"meta,omitempty"`
}

// A Fact is the Meta of a fact.
type Fact struct {
	Subject   string `json:"subject_name"`
	Predicate string `json:"predicate"`
	Object    string `json:"object_name"`
	From      string `json:"valid_from"`
	To        string `json:"valid_to"`
	File      string `json:"source_file"`
	Drawer    string `json:"source_drawer_id"`
	Closet    string `json:"source_closet"`
}

// A Place is one of the two that a tunnel connects.
type Place struct {
	Wing   string `json:"wing"`
	Room   string `json:"room"`
	Drawer string `json:"drawer_id"`
}

// A Tunnel is the Meta of a tunnel.
type Tunnel struct {
	ID     string `json:"id"`
	Source Place  `json:"source"`
	Target Place  `json:"target"`
	Label  string `json:"label"`
	Kind   string `json:"kind"`
}

// IsOver reports whether the item is a fact that MemPalace has ended.
func (i Item) IsOver(k Kind) bool {
	var f Fact
	return k == Facts && json.Unmarshal(i.Meta, &f) == nil && f.To != ""
}

// sum returns a digest of what the item says and where. What MemPalace counts or notes by itself, such as how
// often a tunnel was followed, is not in it.
func (i Item) sum() string {
	h := sha256.New()
	for _, s := range []string{i.Wing, i.Room, i.Text} {
		h.Write([]byte(s + "\x00"))
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Same reports whether two items say the same in the same place.
func (i Item) Same(o Item) bool { return i.ID == o.ID && i.sum() == o.sum() }

// IsAny reports whether ids have the item or a piece of it.
func (i Item) IsAny(ids []string) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		return id == i.ID || Whole(id) == i.ID || slices.Contains(i.Rows, id)
	})
}

// Whole returns the id of the drawer of which a row is a piece, or else the row's own id.
func Whole(id string) string {
	whole, _, _ := strings.Cut(id, piece)
	return whole
}
