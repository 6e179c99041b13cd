package gate

import (
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// A Promotion is what a call of keepsake promote, or of save --tier why, would
// write, as the program itself says it before it writes.
type Promotion struct {
	Digest  string   // of the back end and of each text with its address
	To      string   // the back end, in words
	Where   string   // the address, in words
	Program string   // this plugin's own, absolute
	Words   []string // its arguments: the verb, what it was told, and last each text whole
	Near    []string // what is kept and says nearly the same, as wing/room/drawer
	Titles  []string // of Near, in words
	Unknown string   // why it was not compared with what is kept, "" when it was
	Secrets []string // the kinds that were taken out of the texts
}

// Input is the tool_input that takes the place of the call's own: the same
// promotion by this plugin's own program, with the nonce that lets it write, and
// with every text, so that the dialog shows it.
func (p Promotion) Input(nonce string) []byte {
	b, err := json.Marshal(map[string]string{"command": p.command(nonce)})
	if err != nil { // of a string
		return nil
	}
	return b
}

// command spells the call out for a shell.
func (p Promotion) command(nonce string) string {
	words := []string{shown(p.Program), p.Words[0], "--approval", nonce}
	for _, w := range p.Words[1:] {
		words = append(words, shown(w))
	}
	return strings.Join(words, " ")
}

// shown quotes a word so that a person can read it and bash and zsh give it back
// byte for byte: in single quotes with its line ends as they are, and where it has
// characters that a terminal would obey or hide, in $'…' with their bytes spelled
// out.
func shown(w string) string {
	name, value, isOption := strings.Cut(w, "=")
	switch {
	case plainWord(w):
		return w
	case isOption && strings.HasPrefix(name, "--") && plainWord(name):
		return name + "=" + shown(value)
	case !hidden(w) && !strings.Contains(w, "\r"): // which some shells drop before a line end
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for rest := w; rest != ""; {
		r, n := utf8.DecodeRuneInString(rest)
		switch {
		case hides(r) || r == utf8.RuneError:
			for _, c := range []byte(rest[:n]) {
				fmt.Fprintf(&b, `\x%02x`, c)
			}
		case r == '\\' || r == '\'':
			b.WriteString(`\` + rest[:n])
		default:
			b.WriteString(rest[:n])
		}
		rest = rest[n:]
	}
	return b.String() + "'"
}

// plainWord says that a shell takes a word as it is.
func plainWord(w string) bool {
	for i := 0; i < len(w); i++ {
		c := w[i]
		if !letter(c) && (c < 'A' || c > 'Z') && strings.IndexByte("-_./:,", c) < 0 {
			return false
		}
	}
	return w != ""
}

// hidden says that a text has characters that nobody sees.
func hidden(text string) bool {
	var p preview
	p.unseen(text)
	return p.hidden > 0
}

// promote judges a call of Keepsake that would keep something for good. A person
// can only be asked about one plain command, whose words are all known: the gate
// puts one of its own in its place.
func (s *shell) promote(f []string) {
	for _, a := range f[1:] {
		if a == "--" {
			break
		}
		if name, _, _ := strings.Cut(a, "="); name == "--approval" {
			s.find(ruleApproval, "keepsake --approval")
			return
		}
	}
	s.find(rulePromote, line(f))
	if j := s.judge; j.found != nil && j.found.rule == rulePromote && j.promoted == nil {
		j.promoted = f
	}
}

// looks says that what a verb would do is only looked at. Whatever else is said of
// --dry-run counts as no.
func looks(args []string) bool {
	only := false
	for _, a := range args {
		switch {
		case a == "--":
			return only
		case a == "--dry-run":
			only = true
		case strings.Contains(a, "dry-run"):
			return false
		}
	}
	return only
}

// promotion makes of a promotion's verdict one about what it would write. What
// can't be told beforehand is denied: there is nothing to show to a person.
func (j *judge) promotion(v Verdict) Verdict {
	deny := func(what, hint string) Verdict {
		v.Decision, v.Person = Deny, false
		v.Reason = visible(rules[rulePromote].says+": "+line(j.promoted)) + "\nNothing was stored: " + visible(what) + "\n" + hint
		return v
	}
	if !j.alone() {
		return deny("a person is asked about one plain command only.",
			"hint: run it as one command of its own: no cd, pipe, variable or script, its text in quotes")
	}
	if j.call.Promotion == nil {
		return deny("what it would write is not known here.", "hint: the person can run it themselves in a terminal")
	}
	p, err := j.call.Promotion(j.promoted[1:])
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return deny(first, "hint: say what is wrong; keepsake promote --help says what it takes")
	}
	v.Promotion = &p
	v.Reason = p.reason(v.Decision)
	return v
}

// alone says that the call is one plain command of Keepsake, nothing before,
// behind or around it, every word known.
func (j *judge) alone() bool {
	text, ok := j.one("command")
	if !ok || j.call.Tool != "Bash" || holed(j.promoted) {
		return false
	}
	f, err := syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
	if err != nil || len(f.Stmts) != 1 || len(f.Last) > 0 {
		return false
	}
	st := f.Stmts[0]
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || st.Negated || st.Background || st.Coprocess || st.Disown || len(st.Redirs) > 0 || len(st.Comments) > 0 || len(c.Assigns) > 0 || len(c.Args) == 0 {
		return false
	}
	for _, w := range c.Args {
		if !spelledOut(w) {
			return false
		}
	}
	return path.Base(j.promoted[0]) == "keepsake" && strings.Contains(wordText(c.Args[0]), "keepsake") && len(j.promoted) == len(c.Args)
}

// spelledOut says that no part of a word is for the shell to find out.
func spelledOut(w *syntax.Word) bool {
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				if _, ok := q.(*syntax.Lit); !ok {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// wordText is the literal text of a word, its quotes gone.
func wordText(w *syntax.Word) string {
	var b strings.Builder
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Lit:
			b.WriteString(n.Value)
		case *syntax.SglQuoted:
			b.WriteString(n.Value)
		}
		return true
	})
	return b.String()
}

// reason words what a person is asked, as Judge's other reasons are worded.
func (p Promotion) reason(d Decision) string {
	r := &rules[rulePromote]
	first := r.says
	var seen preview
	seen.string("command", p.command(strings.Repeat("x", nonceLen)))
	for _, w := range p.Words {
		seen.unseen(w)
	}
	if seen.rows > dialogRows {
		first += ", " + strconv.Itoa(seen.rows) + " lines (see keepsake review)"
	}
	last := r.because
	if d == Deny {
		last = r.remedy
	}
	details := []string{p.Where}
	seen.secrets = nil // what was found was taken out
	flags := seen.flags()
	if len(p.Secrets) > 0 {
		flags = append([]string{"taken out as a secret: " + some(p.Secrets)}, flags...)
	}
	if len(flags) > 0 {
		details = append(details, strings.Join(flags, "; "))
	}
	switch {
	case p.Unknown != "":
		details = append(details, "not compared with what is already kept: "+p.Unknown)
	case len(p.Titles) > 0:
		titles := make([]string, len(p.Titles))
		for i, t := range p.Titles {
			titles[i] = clip(t, 60)
		}
		details = append(details, "close to what is already kept: "+some(titles))
	}
	return joined(append([]string{first + ": " + p.To}, details...), last)
}

// nonceLen is how many characters a nonce has, for counting lines.
const nonceLen = 26
