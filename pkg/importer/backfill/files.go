package backfill

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"keepsake/pkg/capture/explain"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/disk"
	"keepsake/pkg/importer"
	"keepsake/pkg/importer/exchange"
	"keepsake/pkg/layout"
	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// decisionFolders are where projects keep the records of their decisions.
var decisionFolders = []string{"docs/adr", "docs/adrs", "docs/ADR", "doc/adr", "docs/decisions",
	"docs/architecture/decisions", "docs/architecture/adr", "docs/architecture-decisions",
	"architecture/decisions", "adr", "decisions"}

// agentsFile has rules for all agents. The client does not load it by itself.
const agentsFile = "AGENTS.md"

// Bounds of what is read of a repository's files. A candidate of a file scores fileScore: what was said in a
// conversation and is sure comes before it.
const (
	maxFile   = 256 << 10 // bytes
	maxFiles  = 500
	fileScore = 0.5
)

// filesOf returns the files of a project that are read for candidates, and those that the client loads.
func filesOf(s *session.Session) (files, known []string) {
	isFile := func(path string) bool {
		info, err := os.Lstat(path)
		return err == nil && info.Mode().IsRegular() && layout.Inside(path, s.Root)
	}
	if path := filepath.Join(s.Root, agentsFile); isFile(path) {
		files = append(files, path)
	}
	for _, folder := range decisionFolders {
		dir := filepath.Join(s.Root, filepath.FromSlash(folder))
		if !layout.Inside(dir, s.Root) {
			continue
		}
		entries, _ := os.ReadDir(dir) // mostly it is not there
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if len(files) < maxFiles && strings.EqualFold(filepath.Ext(path), ".md") && isFile(path) &&
				!slices.ContainsFunc(files, func(f string) bool { return isSame(f, path) }) {
				files = append(files, path)
			}
		}
	}
	for _, path := range append(layout.Instructions(s.Root), filepath.Join(layout.ClientMemory(
		s.ClientConfig(), s.Place.Home), memdir.Index)) {
		if _, err := os.Stat(path); err == nil {
			known = append(known, path)
		}
	}
	return files, known
}

// isSame reports whether two names are one file, as where case does not matter.
func isSame(a, b string) bool {
	x, err := os.Lstat(a)
	y, yerr := os.Lstat(b)
	return err == nil && yerr == nil && os.SameFile(x, y)
}

// fromFiles returns what files of the repository say that may be worth keeping: the rules of AGENTS.md, and
// the decisions that hold. Whoever can commit wrote them, so they have no origin.
func fromFiles(ctx context.Context, s *session.Session, files []string) (all []Candidate, failed []Passed) {
	for _, path := range files {
		var found []finding.Finding
		var err error
		if filepath.Base(path) == agentsFile {
			found, err = rulesIn(ctx, s, path)
		} else {
			found, err = decisionIn(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, Passed{path, err.Error()})
		}
		name, _ := layout.Relative(s.Root, path)
		for _, f := range found {
			f.Text = text.OneLine(secret.Redact(f.Text))
			f.By, f.Origin, f.Level, f.Offset, f.Imported = finding.Program, finding.NoOrigin,
				finding.Candidate, -1, true
			f.Score, f.Cue, f.Digest = fileScore, name, finding.Digest(f.Text)
			f.Context = []finding.Line{{By: finding.Program, Role: finding.Quoted, Text: "from " + name}}
			all = append(all, Candidate{Finding: f})
		}
	}
	return all, failed
}

// rulesIn returns the rules of a file for agents.
func rulesIn(ctx context.Context, s *session.Session, path string) (all []finding.Finding, err error) {
	src, err := importer.Read(ctx, s, path, importer.Rules, false)
	if err != nil {
		return nil, err
	}
	for _, o := range src.Offers {
		all = append(all, ruleOf(o, s.Options()))
	}
	return all, nil
}

// ruleOf returns a rule as a finding. Its words decide the category where they surely do, as in a transcript.
func ruleOf(o exchange.Offer, options triage.Options) finding.Finding {
	at, _ := memory.ParseStamp(o.CreatedAt)
	rule, _ := o.Content["value"].(string)
	reason, _ := o.Content["reason"].(string)
	if reason != "" && !strings.HasPrefix(reason, "Stated in ") {
		rule += " because " + reason
	}
	return finding.Finding{Text: rule, Category: cmp.Or(explain.SureCategoryOf(rule, options), o.Category),
		Time: at.UTC()}
}

// patterns are what a record of a decision is read by. They are compiled when the first is.
type patterns struct {
	number  *regexp.Regexp // leads its title: "7.", "ADR-0007:", "ADR 7 -"
	decided *regexp.Regexp // leads the paragraph that says what was decided, where no heading does
	status  *regexp.Regexp // leads a line that says whether it holds
	over    *regexp.Regexp // is in the status of what does not hold, or not yet
}

var decisions = sync.OnceValue(func() patterns {
	return patterns{
		number:  regexp.MustCompile(`(?i)^(?:adr[ -]?)?\d+\s*[.:–—-]*\s*`),
		decided: regexp.MustCompile(`(?i)^\*\*decision[.:]?\*\*[.:]?\s*`),
		status:  regexp.MustCompile(`(?i)^[*\s-]*status[*:\s]+(\S.*)$`),
		over:    regexp.MustCompile(`(?i)supersed|deprecat|reject|propos|draft|withdrawn|obsolete|abandon`),
	}
})

// decisionIn returns the decision that a file records: its title, and the first paragraph of what was
// decided. A file without either, and a decision that does not hold, gives none.
func decisionIn(path string) ([]finding.Finding, error) {
	b, info, err := disk.ReadInfo(path, maxFile)
	if err != nil {
		return nil, err
	}
	title, said, holds := parseDecision(b)
	if title == "" || said == "" || !holds {
		return nil, nil
	}
	return []finding.Finding{{Text: title + ": " + said, Category: memory.Decision,
		Time: info.ModTime().UTC().Truncate(time.Second)}}, nil
}

// maxDecision is how much of a decision is taken, in bytes.
const maxDecision = 400

// parseDecision returns the title of a record of a decision, what was decided, and whether it holds.
func parseDecision(b []byte) (title, said string, holds bool) {
	doc, is := markdown.Parse(b), decisions()
	state, _ := doc.Front.Get("status")
	for _, sec := range doc.Sections() {
		body := sec.Body
		switch low := strings.ToLower(sec.Title); {
		case title == "" && sec.Level == 1:
			title = is.number.ReplaceAllString(markdown.PlainText(sec.Title), "")
		case low == "status":
			state = paragraphAt(doc, body, sec.End)
		case said == "" && strings.HasPrefix(low, "decision") && !strings.Contains(low, "driver"):
			said = paragraphAt(doc, body, sec.End)
		}
	}
	for i, line := range doc.Lines {
		if m := is.status.FindStringSubmatch(line.Text); m != nil && state == "" {
			state = m[1]
		}
		if lead := is.decided.FindString(line.Text); lead != "" && said == "" {
			said = strings.TrimSpace(paragraphAt(doc, i, len(doc.Lines))[len(lead):])
		}
	}
	return title, text.ShortenBytes(said, maxDecision), !is.over.MatchString(state)
}

// paragraphAt returns the first text between two lines, up to the next blank one.
func paragraphAt(doc markdown.Doc, from, to int) string {
	var lines []string
	for _, l := range doc.Lines[from:to] {
		line := strings.TrimSpace(l.Text)
		if line == "" || l.Kind == markdown.Comment || markdown.HeadingLevel(line) > 0 {
			if len(lines) > 0 {
				break
			}
			continue
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, " ")
}
