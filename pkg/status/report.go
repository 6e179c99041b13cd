package status

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/usage"
	"keepsake/pkg/project/session"
	"keepsake/pkg/project/verify"
	"keepsake/pkg/search/answer"
)

// A Report is what a person looks through to see what Keepsake remembers of a project.
type Report struct {
	Project    string            `json:"project"` // the name of its folder
	Version    string            `json:"version"` // of Keepsake
	Made       time.Time         `json:"made"`
	Since      time.Time         `json:"since"` // when the costs begin
	Categories []memory.Category `json:"categories"`
	Records    []Reported        `json:"records"`   // the one that was changed last comes first
	ToReview   int               `json:"to_review"` // how much wants the person's answer
	Costs      Costs             `json:"costs"`
	Unreadable []string          `json:"unreadable"` // files that can't be read
}

// Reported is a record in a report.
type Reported struct {
	Path     string          `json:"path"`
	Category memory.Category `json:"category"`
	Title    string          `json:"title"`
	Status   memory.Status   `json:"status"`
	Created  string          `json:"created"`
	Updated  string          `json:"updated"`
	Ended    string          `json:"ended,omitempty"` // when it was retired or archived
	By       string          `json:"by,omitempty"`    // the path of the one that took its place
	Took     []string        `json:"took,omitempty"`  // the paths of those whose place it took
	Missing  []string        `json:"missing,omitempty"`
	Trust    string          `json:"trust,omitempty"` // "held: …", "" where nothing is to be said
	Lines    []string        `json:"lines"`           // all that it says
	Usage    *usage.Count    `json:"usage,omitempty"` // what became of it when it was given
	Idle     bool            `json:"idle,omitempty"`  // given often and never used

	held bool
}

// ReportOf returns the report of a project, with its costs since a time. waits is what the inbox counts. What
// can't be read is missing from it, and in the error.
func ReportOf(s *session.Session, waits ToReview, since, now time.Time) (Report, error) {
	rep := Report{Project: brief.Line(filepath.Base(s.Place.Home)), Made: now, Since: since,
		ToReview:   waits.Total(),
		Categories: memory.Categories(), Records: []Reported{}, Unreadable: []string{}}
	loaded, err := s.Store().Load()
	for _, b := range loaded.Bad {
		rep.Unreadable = append(rep.Unreadable, brief.Line(b.Path))
	}
	log, uerr := s.Usage()
	counts, idle := log.Counts(), s.Idle()
	files, verr := verify.Open(s.Root, now.UTC().Format(time.DateOnly))
	if verr == nil {
		defer files.Close()
	}
	for _, r := range loaded.Records {
		one := reported(s, r, files)
		if c := counts[r.Path]; !c.IsZero() {
			one.Usage, one.Idle = &c, idle[r.Path]
		}
		rep.Records = append(rep.Records, one)
	}
	slices.SortStableFunc(rep.Records, func(a, b Reported) int {
		return cmp.Or(cmp.Compare(b.Updated, a.Updated), cmp.Compare(a.Path, b.Path))
	})
	var cerr error
	rep.Costs, cerr = CostsSince(s, since, time.Local)
	return rep, errors.Join(err, cerr, uerr, verr)
}

// DropHeld takes the memories out that wait for the person's yes, and returns how many they are.
func (r *Report) DropHeld() int {
	before := len(r.Records)
	r.Records = slices.DeleteFunc(r.Records, func(one Reported) bool { return one.held })
	return before - len(r.Records)
}

// reported returns a record as the report has it. files are the project's, nil if they can't be looked at.
func reported(s *session.Session, r memory.Stored, files *verify.Project) Reported {
	trust := s.TrustOf(r)
	out := Reported{Path: r.Path, Category: r.Category, Title: brief.Line(r.Title), Status: r.Status,
		Created: r.CreatedAt, Updated: r.UpdatedAt, By: r.SupersededBy, Took: r.Supersedes,
		Trust: answer.TrustMark(trust), Lines: brief.Record(r), held: trust.Held}
	for _, f := range answer.FlagMarks(trust) {
		out.Lines = append(out.Lines, "Flag: "+f)
	}
	for _, at := range []*string{r.RetiredAt, r.ArchivedAt} {
		if r.Status != memory.Active && at != nil && *at > out.Ended {
			out.Ended = *at
		}
	}
	for _, name := range r.RelatedFiles {
		c := memory.Check{Kind: memory.PathExists, Path: path.Clean(name)}
		if files != nil && files.Evaluate(c).Verdict == verify.Fails {
			out.Missing = append(out.Missing, brief.Line(name))
		}
	}
	return out
}

// ReportTitle is in the head of each page that HTML returns.
const ReportTitle = "<title>Keepsake report</title>"

//go:embed report.html
var reportPage []byte

//go:embed report.js
var reportScript []byte

// HTML returns the report as one page that loads nothing. The data is JSON in which "<" and "&" are escaped,
// so that nothing in it ends the element it stands in; only the script of the page may run.
func (r Report) HTML() ([]byte, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(reportScript)
	fill := func(page []byte, name string, with []byte) []byte {
		return bytes.Replace(page, []byte("{{"+name+"}}"), with, 1)
	}
	page := fill(reportPage, "hash", []byte("sha256-"+base64.StdEncoding.EncodeToString(sum[:])))
	page = fill(page, "script", reportScript)
	return fill(page, "data", data), nil // last: nothing in it is filled in
}
