package checks

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/source"
	"keepsake/pkg/project/verify"
	"keepsake/pkg/text"
	"keepsake/pkg/text/version"
)

// Propose returns the checks with which a draft's memory is saved: its own, one for each of its related
// files, and
// one for each version that it names of something that the project requires. Each must hold now. Notes
// say which of its own are left out, and why.
func Propose(root string, now time.Time, d draft.Draft,
	ancestor func(commit string) (bool, error)) (lines, notes []string) {
	p, err := verify.Open(root, now.UTC().Format(time.DateOnly))
	if err != nil {
		if d.Checks {
			notes = append(notes, draft.CheckNote+"left out: the project can't be looked at: "+err.Error())
		}
		return nil, notes
	}
	defer p.Close()
	p.Ancestor = ancestor
	add := func(c memory.Check) (leftOut string) {
		line := c.String()
		if _, err := memory.ParseCheck(line); err != nil || slices.Contains(lines, line) ||
			len(lines) == memory.MaxChecks {
			return ""
		}
		switch r := p.Evaluate(c); r.Verdict {
		case verify.Holds:
			lines = append(lines, line)
			return ""
		case verify.Fails:
			return ", since it does not hold now: " + r.Why
		default:
			return ": " + r.Why
		}
	}
	for _, line := range d.Verify {
		c, err := memory.ParseCheck(line)
		if err != nil {
			continue // Parse took it
		}
		if why := add(c); why != "" {
			notes = append(notes, fmt.Sprintf(draft.CheckNote+"%q is left out%s", text.Shorten(line, 60),
				why))
		}
	}
	r := memory.Record{Category: d.Category, Content: d.Content}
	if e, acts := r.Expiry(); acts {
		if got := p.Expired(e); got.Verdict == verify.Fails {
			notes = append(notes, fmt.Sprintf(draft.CheckNote+"expires %q: it ends at once, since %s",
				text.Shorten(r.Expires(), 60), got.Why))
		}
	}
	for _, file := range d.RelatedFiles {
		add(memory.Check{Kind: memory.PathExists, Path: path.Clean(file)})
	}
	said := saidBy(d)
	for _, file := range memory.Manifests() {
		for _, c := range named(said, file, p.Manifests()[file]) {
			add(c)
		}
	}
	return lines, notes
}

// saidBy returns the words of a draft.
func saidBy(d draft.Draft) string {
	r := memory.Record{Category: d.Category, Content: d.Content}
	return d.Title + "\n" + r.Body()
}

// maxNamed is how many names of a manifest are looked for.
const maxNamed = 2000

// named returns checks for what a manifest requires and a text names with a version: "pgx v5", "React 18.2",
// "go 1.26 or later", "django>=5". A name with two versions has none, since the text may be about a change
// from one to the other.
func named(said, file string, all source.Requirements) (checks []memory.Check) {
	low := strings.ToLower(said)
	short := map[string]int{} // how many names have it
	for name := range all.Lowest {
		short[shortName(name)]++
	}
	for _, name := range all.Names()[:min(len(all.Lowest), maxNamed)] {
		forms := []string{strings.ToLower(name)}
		if s := shortName(name); short[s] == 1 && s != forms[0] {
			forms = append(forms, s)
		}
		versions := map[string]bool{}
		for _, form := range forms {
			if len(form) < 2 || !strings.Contains(low, form) {
				continue
			}
			re := regexp.MustCompile(`(?:^|[^\w@/.-])` + regexp.QuoteMeta(form) +
				`(\s+version)?(?:(\s*(?:[@:]|>=|==|~=|\^|~)\s*)|\s+)(v)?(\d+(?:\.\d+){0,3})(?:[^\w%]\s*([a-z]*)|$)`)
			for _, m := range re.FindAllStringSubmatch(low, 20) {
				plain := m[1] == "" && m[2] == "" && m[3] == "" && !strings.Contains(m[4], ".")
				if !plain || m[5] == "" || !strings.Contains(counted, " "+m[5]+" ") {
					versions[m[4]] = true
				}
			}
		}
		if len(versions) != 1 {
			continue
		}
		for v := range versions {
			c := memory.Check{Kind: memory.Requires, Path: file, Name: name, AtLeast: v}
			if name != "go" && name != "node" && name != "npm" && name != "python" {
				c.Below = version.NextMajor(v)
			}
			checks = append(checks, c)
		}
	}
	return checks
}

// counted has words of which a number before them says how many: "React 2 seconds later" names no version.
const counted = " " +
	"seconds second secs sec s ms minutes minute min hours hour days day weeks months " +
	"years times retries attempts tries workers threads processes users people requests " +
	"calls jobs rows files lines bytes kb mb gb kib mib gib percent tests instances " +
	"replicas nodes connections items steps ways things components pages places levels " +
	"hooks modules packages services "

// shortName returns what a module is called in a text: the last part of its path that is no version.
func shortName(name string) string {
	name = strings.ToLower(name)
	base := path.Base(name)
	if v, is := strings.CutPrefix(base, "v"); is && v != "" && strings.Trim(v, "0123456789") == "" {
		base = path.Base(path.Dir(name))
	}
	return strings.TrimPrefix(base, "@")
}
