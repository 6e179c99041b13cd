// Package memory defines a memory: its category, its status, its fields and its file.
//
// A record is one JSON object in <folder>/<id>.json:
//
//	{
//	  "schema_version": "1.0",
//	  "category": "decision",
//	  "id": "use-postgres",
//	  "title": "Use Postgres for billing",
//	  "record_status": "active",
//	  "created_at": "2026-11-20T09:00:00Z",
//	  "updated_at": "2026-11-20T09:00:00Z",
//	  "tags": ["billing", "database"],
//	  "content": { "status": "accepted", "context": "…", "decision": "…", "rationale": ["…"] },
//	  "times_updated": 0
//	}
//
// One table per category (Fields) determines validation, the order of encoding, the searchable text and the
// coercion of drafts. The package does no I/O and reads no clock. It is strict about what is written
// (Record.Validate) and reads everything that claude-memory wrote (Decode).
package memory

import (
	"encoding/json"
	"fmt"
	"strings"

	"keepsake/pkg/text"
)

// Category is what a memory is about. Its value is the name used in files.
type Category string

// The six categories. There are no others.
const (
	SessionSummary Category = "session_summary"
	Decision       Category = "decision"
	Runbook        Category = "runbook"
	Constraint     Category = "constraint"
	TechDebt       Category = "tech_debt"
	Preference     Category = "preference"
)

// Categories returns all categories in the order in which they are shown.
func Categories() []Category {
	return []Category{SessionSummary, Decision, Runbook, Constraint, TechDebt, Preference}
}

// ParseCategory parses a category as people and models write it: in any case, with hyphens or spaces for
// underscores, or as the name of its folder.
func ParseCategory(s string) (Category, error) {
	name := strings.ToLower(strings.TrimSpace(s))
	name = strings.NewReplacer("-", "_", " ", "_").Replace(name)
	for _, c := range Categories() {
		if name == string(c) || name == strings.ReplaceAll(c.Folder(), "-", "_") {
			return c, nil
		}
	}
	return "",
		fmt.Errorf("category %q is unknown: want one of session_summary, decision, runbook, constraint, "+
			"tech_debt, preference", text.Shorten(s, 40))
}

// Folder returns the folder of the category below the store's root, or "" for an unknown category.
func (c Category) Folder() string {
	switch c {
	case SessionSummary:
		return "sessions"
	case Decision:
		return "decisions"
	case Runbook:
		return "runbooks"
	case Constraint:
		return "constraints"
	case TechDebt:
		return "tech-debt"
	case Preference:
		return "preferences"
	}
	return ""
}

// Display returns the category as index.md and people have it: "TECH_DEBT".
func (c Category) Display() string { return strings.ToUpper(string(c)) }

// Count returns a number of memories of the category in words: "1 decision", "2 session summaries".
func (c Category) Count(n int) string {
	return text.Count(n, strings.ReplaceAll(string(c), "_", " "))
}

// Status is where a record is in its life. Only active records are indexed and
// recalled.
type Status string

// The three statuses. Retired records are collected after a grace period,
// archived ones stay.
const (
	Active   Status = "active"
	Retired  Status = "retired"
	Archived Status = "archived"
)

// Limits of a record, which are those of claude-memory.
const (
	MaxTitle   = 120 // runes in a title
	MaxSummary = 300 // runes in the summary of a change, and in a reason
	MaxID      = 80  // runes in an id
	MaxIDBytes = 200 // bytes in an id: ".json" and a temporary suffix must fit in 255
	MaxTags    = 12  // that are written; more are read
	MaxChanges = 50  // that are written; the oldest are dropped

	// MaxBytes limits a file so that nothing makes us read forever. The largest record known of the original
	// has some 20 KB.
	MaxBytes = 1 << 20
)

// Content holds what a record says, by field name. The Kind of the field decides the type of the value:
// string (Text, Enum), bool (Flag), []string (List), []map[string]string (Alternatives), map[string][]string
// (Examples).
type Content map[string]any

// Record is one memory. An optional field is absent if it is zero.
type Record struct {
	SchemaVersion  string      `json:"schema_version"` // "" in a new record: Encode sets it
	Category       Category    `json:"category"`
	ID             string      `json:"id"` // the stem of its file name
	Title          string      `json:"title"`
	Status         Status      `json:"record_status"`
	CreatedAt      string      `json:"created_at"` // RFC 3339, UTC; see Stamp
	UpdatedAt      string      `json:"updated_at"`
	Tags           []string    `json:"tags"`
	RelatedFiles   []string    `json:"related_files,omitempty"`
	Confidence     *float64    `json:"confidence,omitempty"` // 0 to 1
	Content        Content     `json:"content"`
	Changes        []Change    `json:"changes,omitempty"` // oldest first
	TimesUpdated   int         `json:"times_updated"`
	RetiredAt      *string     `json:"retired_at,omitempty"`
	RetiredReason  *string     `json:"retired_reason,omitempty"`
	ArchivedAt     *string     `json:"archived_at,omitempty"`
	ArchivedReason *string     `json:"archived_reason,omitempty"`
	Provenance     *Provenance `json:"provenance,omitempty"` // schema 1.1
	Guard          *Guard      `json:"guard,omitempty"`      // schema 1.3

	Verify []string `json:"verify,omitempty"` // schema 1.3: lines that ParseCheck reads
	Branch *Branch  `json:"branch,omitempty"` // schema 1.3

	// Schema 1.2. Supersedes are the records whose place this one took. SupersededBy, in a retired record, is
	// the one that took its place. Both are paths below the store's root. Ext belongs to later versions and
	// other tools; nothing here reads it.
	SupersededBy string         `json:"superseded_by,omitempty"`
	Supersedes   []string       `json:"supersedes,omitempty"`
	Ext          map[string]any `json:"ext,omitempty"` // decoded JSON, with json.Number

	// Unknown holds the top-level fields of a newer version, which are written back as they were read.
	Unknown map[string]json.RawMessage `json:"-"`
}

// Change is one entry of a record's own history.
type Change struct {
	Date     string `json:"date"`
	Summary  string `json:"summary"`
	Field    string `json:"field,omitempty"` // "title", "content.status"; "" for a change of the whole
	OldValue any    `json:"old_value,omitempty"`
	NewValue any    `json:"new_value,omitempty"`
}

// Provenance says where the present text of a record came from. It proves nothing.
type Provenance struct {
	Session string `json:"session,omitempty"` // the client's session id
	// the maker: "drafter", "extractive", "hand" ("person" until 1.1) or "import"
	Origin string `json:"origin,omitempty"`
	Branch string `json:"branch,omitempty"`
	Commit string `json:"commit,omitempty"`
}

// Stored is a record as read from a store.
type Stored struct {
	Record
	Path   string // relative to the store's root, with slashes
	Digest string // plan.DigestOf the file's bytes: the guard of an edit
	File   File   // the zero File for a record that has no file yet
}

// File tells versions of a file apart without reading it. The zero File stands for no file.
type File struct {
	Time int64 // of the last change, in nanoseconds since 1970
	Size int64 // in bytes
}

// Path returns the path of the record with that id below the store's root: "decisions/use-postgres.json".
func Path(c Category, id string) string { return c.Folder() + "/" + id + ".json" }
