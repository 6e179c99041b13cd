package memory

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/text"
	"keepsake/pkg/text/version"
)

// A Check says how a memory would be known to be false. It is a line of text, in records and in drafts, that
// Keepsake itself evaluates: no shell, no program and no network. Parts that have blanks are quoted as in Go.
//
//	path_exists PATH                      there is something at the path
//	file_contains PATH TEXT               the file has the text
//	requires FILE NAME VERSION            go.mod, package.json or pyproject.toml requires NAME,
//	                                      VERSION or later
//	requires FILE NAME VERSION below V    and not V or later
//	symbol_defined PATH NAME              the file, or one right in the folder, defines NAME
//	commit_ancestor COMMIT                HEAD has the commit in its history
//	before DATE                           the day has not come
//
// Paths are relative to the project's root, with slashes. Whoever can write a record can write a check, so
// one may mark a memory and never hide it.
type Check struct {
	Kind    CheckKind
	Path    string // for the first four kinds
	Name    string // what is contained, required or defined
	AtLeast string // for Requires
	Below   string // for Requires; "" for no limit
	Commit  string // for CommitAncestor
	Date    string // for Before, as 2026-11-20
}

// CheckKind is what a check looks at. Its value is the first word of a check.
type CheckKind string

// The kinds of checks. There are no others.
const (
	PathExists     CheckKind = "path_exists"
	FileContains   CheckKind = "file_contains"
	Requires       CheckKind = "requires"
	SymbolDefined  CheckKind = "symbol_defined"
	CommitAncestor CheckKind = "commit_ancestor"
	Before         CheckKind = "before"
)

// Limits of checks.
const (
	MaxChecks     = 8   // of a record that is written
	maxCheck      = 500 // bytes of a check
	maxCheckPath  = 300 // bytes
	maxCheckWords = 200 // bytes of a name or of a text
)

var manifests = []string{"go.mod", "package.json", "pyproject.toml"}

// Manifests returns the names of the files that say what a project requires.
func Manifests() []string { return slices.Clone(manifests) }

// IsManifest reports whether a path is that of a file that says what a project requires.
func IsManifest(file string) bool { return slices.Contains(manifests, path.Base(file)) }

// ParseCheck returns the check that a line has. The error says what is wrong with it.
func ParseCheck(line string) (c Check, err error) {
	if len(line) > maxCheck {
		return c, fmt.Errorf("it has more than %d bytes", maxCheck)
	}
	if !isShown(line) {
		return c, fmt.Errorf("it has characters that are not shown")
	}
	words, err := wordsOf(line)
	if err != nil {
		return c, err
	}
	word := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	c.Kind = CheckKind(word(0))
	n := 2
	switch c.Kind {
	case PathExists:
		c.Path = word(1)
	case FileContains, SymbolDefined:
		c.Path, c.Name, n = word(1), word(2), 3
	case Requires:
		c.Path, c.Name, c.AtLeast, n = word(1), word(2), word(3), 4
		if word(4) == "below" {
			c.Below, n = word(5), 6
		}
	case CommitAncestor:
		c.Commit = word(1)
	case Before:
		c.Date = word(1)
	default:
		return Check{}, fmt.Errorf("%q is no check: want path_exists, file_contains, requires, "+
			"symbol_defined, commit_ancestor or before", text.Shorten(word(0), 40))
	}
	if len(words) != n {
		return Check{}, fmt.Errorf("%s has %d words, not %d: %s; parts with blanks are quoted", c.Kind,
			len(words), n, checkForm(c.Kind))
	}
	if fault := c.fault(); fault != "" {
		return Check{}, fmt.Errorf("%s", fault)
	}
	return c, nil
}

// isShown reports whether all of a line is seen by whoever reads it.
func isShown(s string) bool {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] >= ' ' && s[i] < 0x7F
	}
	return plain || text.Clean(s) == s && !strings.ContainsAny(s, "\n\t")
}

// checkForm returns how a check of a kind is written.
func checkForm(k CheckKind) string {
	return string(k) + map[CheckKind]string{
		PathExists: " PATH", FileContains: " PATH TEXT", SymbolDefined: " PATH NAME",
		Requires: " FILE NAME VERSION [below VERSION]", CommitAncestor: " COMMIT", Before: " DATE",
	}[k]
}

// wordsOf returns the words of a check, those in quotes without them.
func wordsOf(line string) (words []string, err error) {
	for rest := strings.TrimLeft(line, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		word, _, _ := strings.Cut(rest, " ")
		end := len(word)
		if rest[0] == '"' || rest[0] == '`' {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return nil, fmt.Errorf("a quote in it is not closed")
			}
			end = len(quoted)
			if word, err = strconv.Unquote(quoted); err != nil || end < len(rest) && rest[end] != ' ' {
				return nil, fmt.Errorf("a quoted part of it has more behind the quote")
			}
		}
		words, rest = append(words, word), rest[end:]
	}
	return words, nil
}

// fault returns what is wrong with the parts of a check, "" if nothing is.
func (c Check) fault() string {
	hasPath := c.Kind != CommitAncestor && c.Kind != Before
	switch {
	case hasPath && !isCheckPath(c.Path):
		return fmt.Sprintf("%q is no path of a file in the project, relative to its root",
			text.Shorten(c.Path, 60))
	case (c.Kind == FileContains || c.Kind == SymbolDefined || c.Kind == Requires) &&
		(strings.TrimSpace(c.Name) == "" || len(c.Name) > maxCheckWords || !isShown(c.Name)):
		return fmt.Sprintf("what it looks for must have 1 to %d bytes in one line", maxCheckWords)
	case c.Kind == SymbolDefined && !isSymbol(c.Name):
		return fmt.Sprintf("%q is no name of a symbol: want Name or Type.Name", text.Shorten(c.Name, 40))
	case c.Kind == Requires && !IsManifest(c.Path):
		return "requires looks into go.mod, package.json or pyproject.toml"
	case c.Kind == Requires && strings.Contains(c.Name, " "):
		return fmt.Sprintf("%q is no name of a module", text.Shorten(c.Name, 40))
	case c.Kind == Requires && (!version.Valid(c.AtLeast) || c.Below != "" && !version.Valid(c.Below)):
		return "a version is written as 1.2.3 or v1.2.3"
	case c.Kind == CommitAncestor && !isCommitPrefix(c.Commit):
		return "a commit is named by 7 to 64 hex digits"
	case c.Kind == Before && !isDate(c.Date):
		return "a date is written as 2026-11-20"
	}
	return ""
}

// isCheckPath reports whether a text is the clean relative path of something in the project. What git keeps
// for itself is not the project's.
func isCheckPath(p string) bool {
	if p == "" || p == "." || len(p) > maxCheckPath || path.Clean(p) != p || path.IsAbs(p) ||
		strings.ContainsAny(p, "\\\x00") || !isShown(p) {
		return false
	}
	first, _, _ := strings.Cut(p, "/")
	return first != ".." && !strings.EqualFold(first, ".git")
}

// isSymbol reports whether a text is an identifier, or two with a dot between.
func isSymbol(s string) bool {
	parts := strings.Split(s, ".")
	return len(parts) <= 2 && !slices.ContainsFunc(parts, func(p string) bool {
		return p == "" || p[0] >= '0' && p[0] <= '9' || strings.ContainsFunc(p, func(r rune) bool {
			return r < 0x80 && r != '_' && r != '$' && !(r >= '0' && r <= '9' || isLetter(r))
		})
	})
}

func isCommitPrefix(s string) bool {
	return len(s) >= 7 && len(s) <= 64 && strings.Trim(s, "0123456789abcdef") == ""
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// String returns the check as a line that ParseCheck reads.
func (c Check) String() string {
	words := []string{string(c.Kind)}
	switch c.Kind {
	case PathExists:
		words = append(words, c.Path)
	case FileContains, SymbolDefined:
		words = append(words, c.Path, c.Name)
	case Requires:
		if words = append(words, c.Path, c.Name, c.AtLeast); c.Below != "" {
			words = append(words, "below", c.Below)
		}
	case CommitAncestor:
		words = append(words, c.Commit)
	case Before:
		words = append(words, c.Date)
	}
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \"`") {
			words[i] = strconv.Quote(w)
		}
	}
	return strings.Join(words, " ")
}

// Checks returns the checks of a record that are on the list. Others cost nothing but themselves.
func (r Record) Checks() (all []Check) {
	for _, line := range r.Verify[:min(len(r.Verify), MaxChecks)] {
		if c, err := ParseCheck(line); err == nil {
			all = append(all, c)
		}
	}
	return all
}

// checkVerify adds what is wrong with the checks of a record that is written.
func (r Record) checkVerify(c *checker) {
	if len(r.Verify) > MaxChecks {
		c.addProblem("verify", fmt.Sprintf("at most %d checks", MaxChecks), strconv.Itoa(len(r.Verify)),
			"keep the most telling ones")
	}
	for i, line := range r.Verify {
		if _, err := ParseCheck(line); err != nil {
			c.addProblem(fmt.Sprintf("verify[%d]", i), "a check", strconv.Quote(text.Shorten(line, 60)),
				err.Error())
		}
	}
}

// mergeChecks returns the checks of a record that two sides changed, in order. Of too many, those that both
// sides have go first.
func mergeChecks(base, ours, theirs []string) []string {
	var both, one []string
	for _, line := range slices.Concat(ours, theirs) {
		o, t := slices.Contains(ours, line), slices.Contains(theirs, line)
		switch {
		case slices.Contains(both, line) || slices.Contains(one, line):
		case o && t:
			both = append(both, line)
		case !slices.Contains(base, line):
			one = append(one, line)
		}
	}
	slices.Sort(both)
	slices.Sort(one)
	all := slices.Concat(both, one)
	all = all[:min(len(all), max(MaxChecks, len(both)))]
	slices.Sort(all)
	return all
}

// An Expiry is when a constraint ends, as its field expires says. At most one part is set; none is for a
// text that only people read.
type Expiry struct {
	Date   string // the last day on which it holds
	Commit string // once HEAD has it in its history
	Check  Check  // once it holds; its Kind is "" for none
	Not    bool   // once Check fails instead
	// Name and Version are of something that a manifest requires, once it requires that version.
	Name, Version string
}

// ParseExpiry returns when a text says that something ends. Each form stands alone in the text: a date
// (2026-12-31), a commit ("commit 3f2a9bc"), a name and a version ("react 19", "react@19"), a check, or "not"
// and a check. acts is false for any other text.
func ParseExpiry(s string) (e Expiry, acts bool) {
	s = strings.TrimSuffix(strings.TrimSpace(s), ".")
	for _, lead := range []string{"until ", "on ", "when "} {
		s = strings.TrimPrefix(s, lead)
	}
	if isDate(s) {
		return Expiry{Date: s}, true
	}
	words := strings.Fields(s)
	if len(words) == 2 && words[0] == "commit" && isCommitPrefix(words[1]) {
		return Expiry{Commit: words[1]}, true
	}
	line, not := strings.CutPrefix(s, "not ")
	if c, err := ParseCheck(line); err == nil {
		return Expiry{Check: c, Not: not}, true
	}
	name, from := "", ""
	switch {
	case len(words) == 2:
		name, from = words[0], words[1]
	case len(words) == 1:
		if i := strings.LastIndex(s, "@"); i > 0 {
			name, from = s[:i], s[i+1:]
		}
	}
	if name != "" && version.Valid(from) && strings.ContainsFunc(name, isLetter) &&
		len(name) <= maxCheckWords && !version.Valid(name) {
		return Expiry{Name: name, Version: from}, true
	}
	return Expiry{}, false
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// Expiry returns when a record ends, if it says so in a form that acts.
func (r Record) Expiry() (e Expiry, acts bool) {
	return ParseExpiry(r.Expires())
}

// Expires returns what a record says of when it ends, "" if it says that it does not.
func (r Record) Expires() string {
	s, _ := r.Content["expires"].(string)
	if strings.EqualFold(s, "none") || strings.EqualFold(s, "never") {
		return ""
	}
	return s
}
