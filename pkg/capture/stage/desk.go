// Package stage is one session's desk: contexts go out to drafters, drafts come back in, one state file says
// how far the session has been read.
//
// The desk itself lies on the private runtime directory and holds work in flight only (it is gone at logout):
//
//	<base>/.keepsake-staging-<12 hex of project>/<session>/
//		context-<category>.txt   what a drafter reads
//		triage-data.json         which categories, which models
//		intent-<category>.json   what a drafter wrote
//		plan.json                what would be written to the store
//		draft-<name>.txt         what a verifier reads
//		moments.json             what belongs into the Markdown memories
//		.triage-pending.json     drafts wait because no drafter delivered
//
// What must last is under the state home (see State and Pending). Directories are 0700, files 0600; every
// text is redacted before it is written, and no link is ever followed.
package stage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
)

// Desks returns the desks in a directory, one for each folder; none where it isn't there.
func Desks(dir string) (all []Desk, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if e.IsDir() {
			all = append(all, Desk{filepath.Join(dir, e.Name())})
		}
	}
	return all, err
}

// session returns the session of the desk, from the name of its folder.
func (d Desk) session() string { return filepath.Base(d.Dir) }

// MaxFile is the largest file that is read from the stage, in bytes.
const MaxFile = 1 << 20

// A Desk is one session's directory on the stage. It may not exist yet.
type Desk struct{ Dir string }

// Make creates the desk and its parent, private to this user.
func (d Desk) Make() error {
	if err := disk.Private(filepath.Dir(d.Dir)); err != nil {
		return err
	}
	return disk.Private(d.Dir)
}

// Read returns a file of the desk by its name.
func (d Desk) Read(name string) ([]byte, error) {
	return disk.Read(filepath.Join(d.Dir, name), MaxFile)
}

// Write puts a file on the desk, whole or not at all.
func (d Desk) Write(name string, data []byte) error {
	if err := d.Make(); err != nil {
		return err
	}
	return disk.Replace(filepath.Join(d.Dir, name), data, 0o600)
}

// WriteJSON puts a value on the desk as a file of JSON.
func (d Desk) WriteJSON(name string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return d.Write(name, append(b, '\n'))
}

// Remove takes files off the desk and returns the names of those that were there.
func (d Desk) Remove(names ...string) ([]string, error) {
	var gone []string
	var errs []error
	for _, n := range names {
		switch err := os.Remove(filepath.Join(d.Dir, n)); {
		case err == nil:
			gone = append(gone, n)
		case !errors.Is(err, fs.ErrNotExist):
			errs = append(errs, err)
		}
	}
	return gone, errors.Join(errs...)
}

// Files returns the names of the regular files on the desk in order. A desk that does not exist has none.
func (d Desk) Files() ([]string, error) {
	entries, err := os.ReadDir(d.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// Put merges a context with what is on the desk for its category.
func (d Desk) Put(c Context) error {
	if old, err := d.Context(c.Category); err == nil {
		c = old.Merge(c)
	}
	return d.Write(c.Name(), c.Encode())
}

// Context reads one category's context.
func (d Desk) Context(c memory.Category) (Context, error) {
	b, err := d.Read(ContextName(c))
	if err != nil {
		return Context{}, err
	}
	return ParseContext(b)
}

// Contexts returns the contexts on the desk in the order of memory.Categories. One that can't be read is an
// error beside those that can.
func (d Desk) Contexts() ([]Context, error) {
	var all []Context
	var errs []error
	for _, cat := range memory.Categories() {
		c, err := d.Context(cat)
		switch {
		case err == nil:
			all = append(all, c)
		case !errors.Is(err, fs.ErrNotExist):
			errs = append(errs, fmt.Errorf("%s: %w", ContextName(cat), err))
		}
	}
	return all, errors.Join(errs...)
}

// IntentName returns the file name of a drafter's output for a category.
func IntentName(c memory.Category) string { return "intent-" + string(c) + ".json" }

// HandName returns the file name of a draft that was written by hand, beside that of a drafter.
func HandName(c memory.Category) string { return "intent-" + string(c) + ".hand.json" }

// VerifyName returns the name of the file that a verifier reads about a draft. name is the draft's, such as
// "decision" or "decision.2".
func VerifyName(name string) string { return "draft-" + name + ".txt" }

// IsVerify reports whether a file has a name that VerifyName makes.
func IsVerify(file string) bool {
	return strings.HasPrefix(file, "draft-") && strings.HasSuffix(file, ".txt")
}

// Names of the other files on the stage.
const (
	TriageName  = "triage-data.json"
	PlanName    = "plan.json"
	PendingName = ".triage-pending.json"
	MomentsName = "moments.json"
)

// FileVersion is the version of the files with an own form on the stage and among the pending work that this
// code writes. One that is newer is refused with ErrNewer and left as it is.
const FileVersion = 1

// checkVersion refuses a file of a newer version, by its name.
func checkVersion(path string, version int) error {
	if version > FileVersion {
		return fmt.Errorf("%s: version %d: %w", path, version, ErrNewer)
	}
	return nil
}

// TriageData is triage-data.json, which the save skill reads.
type TriageData struct {
	// FileVersion; 0 in a file of before there was one, which reads the same
	Version    int               `json:"version"`
	Categories []TriagedCategory `json:"categories"`
	Parallel   ParallelConfig    `json:"parallel_config"`
	Start      float64           `json:"triage_start_ts"` // Unix seconds
	StagingDir string            `json:"staging_dir"`
}

// A TriagedCategory is one category to be drafted.
type TriagedCategory struct {
	Category    memory.Category `json:"category"`
	Score       float64         `json:"score"` // 4 decimals
	Description string          `json:"description,omitempty"`
	ContextFile string          `json:"context_file"`
	// Quotes is how many of the context's snippets its drafter is given. Those that come later are news, and
	// stay when the draft is saved.
	Quotes int `json:"quotes,omitempty"`
}

// ParallelConfig says how drafters are run.
type ParallelConfig struct {
	Enabled        bool                       `json:"enabled"`
	CategoryModels map[memory.Category]string `json:"category_models"`
	DefaultModel   string                     `json:"default_model"`

	// Whether a second agent looks at risky drafts before they are applied.
	VerificationEnabled bool   `json:"verification_enabled"`
	VerificationModel   string `json:"verification_model"`
}

// Announce writes triage-data.json for all contexts on the desk and returns its path, ready to be named to
// the agent.
func (d Desk) Announce(p ParallelConfig, now time.Time) (string, TriageData, error) {
	contexts, err := d.Contexts()
	if err != nil && len(contexts) == 0 {
		return "", TriageData{}, err
	}
	if _, err := d.Triage(); errors.Is(err, ErrNewer) {
		return "", TriageData{}, err
	}
	data := TriageData{Version: FileVersion, Categories: []TriagedCategory{}, Parallel: p,
		Start: float64(now.UnixMilli()) / 1000, StagingDir: d.Dir}
	for _, c := range contexts {
		data.Categories = append(data.Categories, TriagedCategory{
			Category: c.Category, Score: float64(int(c.Score*1e4+.5)) / 1e4, Description: c.Description,
			ContextFile: filepath.Join(d.Dir, c.Name()), Quotes: len(c.Snippets),
		})
	}
	return filepath.Join(d.Dir, TriageName), data, d.WriteJSON(TriageName, data)
}

// Triage reads triage-data.json back.
func (d Desk) Triage() (TriageData, error) {
	var t TriageData
	b, err := d.Read(TriageName)
	if err != nil {
		return t, err
	}
	path := filepath.Join(d.Dir, TriageName)
	err = json.Unmarshal(b, &t) // fills in the version even when another field has a newer form
	if newer := checkVersion(path, t.Version); newer != nil {
		return TriageData{}, newer
	}
	if err != nil {
		return t, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// IsWork reports whether a file is somebody's unsaved work, such as a context or a draft. Other files only
// organise that work.
func IsWork(name string) bool {
	return strings.HasPrefix(name, "context-") || strings.HasPrefix(name, "intent-") || name == MomentsName
}

// An Intent is one draft on the desk.
type Intent struct {
	Name     string // file name
	Category memory.Category
	Data     []byte
}

// Intents returns the drafts on the desk in the order of memory.Categories. Several of one category
// (intent-decision.json, intent-decision.2.json) come by name. One that can't be read is an error beside
// those that can.
func (d Desk) Intents() ([]Intent, error) {
	names, err := d.Files()
	if err != nil {
		return nil, err
	}
	var all []Intent
	var errs []error
	for _, cat := range memory.Categories() {
		for _, n := range names {
			stem, ok := strings.CutPrefix(n, "intent-"+string(cat))
			if !ok || !strings.HasSuffix(stem, ".json") || stem[0] != '.' {
				continue
			}
			b, err := d.Read(n)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", n, err))
				continue
			}
			all = append(all, Intent{n, cat, b})
		}
	}
	return all, errors.Join(errs...)
}
