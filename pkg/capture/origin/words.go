package origin

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// A kind is what a word could do to somebody who obeys it.
type kind uint8

const (
	plain  kind = iota // a word of a language
	number             // digits alone
	name               // an identifier, a version, a file's name
	hard               // a URL, a host, a path, a flag: what runs, fetches or is written to
)

// A word is one word of a text, as it is compared.
type word struct {
	text  string // in lower case, without quotes; of short flags as it is written
	shown string // as it stands
	kind  kind
	code  bool // it stood in backquotes
	end   bool // a sentence ends behind it
	asks  bool // with a question mark
	pause bool // a clause ends behind it
	at    int  // where it begins in its text, without what nobody sees
}

// stop reports whether a word carries nothing of a text's subject.
func stop(w string) bool {
	return text.OneOf(w,
		"the a an and or of to in on at is are was were be been it its this that these those for with "+
			"without as by from we you i they he she our your their not no do does did has have had will "+
			"would "+
			"can could should must may might if when then than so but because there here which what who "+
			"how all "+
			"any each also only into out up over about more some")
}

// program reports whether a word starts a command when words follow it. Words that mean something else as
// often ("go", "cat", "find") are left out.
func program(w string) bool {
	return text.OneOf(w,
		"curl wget bash sh zsh ssh scp rsync sudo rm chmod chown npm npx pnpm yarn bun bunx pip pip3 pipx "+
			"uv uvx brew apt apt-get yum dnf apk docker podman kubectl helm terraform git gh eval python "+
			"python3 perl ruby php nc ncat netcat powershell pwsh iwr iex cargo gem composer psql mysql "+
			"mongo "+
			"dd crontab systemctl launchctl base64 xargs aws gcloud az make claude")
}

// installs reports whether what follows a word in a command is the name of what is
// fetched.
func installs(w string) bool {
	return text.OneOf(w, "install add require pull clone i get run exec npx bunx uvx dlx tap")
}

// words cuts a text.
func words(text string) []word {
	text = clean(text)
	whole := len(text)
	out := make([]word, 0, whole/6+1)
	code := false
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == '`':
			code = !code
			text = text[size:]
		case r == '\n':
			text = text[size:]
			if len(out) > 0 && breaks(text) {
				out[len(out)-1].end, out[len(out)-1].pause = true, true
				code = false
			}
		case parts(r) || dash(r) && !letterAt(text[size:]):
			if len(out) > 0 && !unicode.IsSpace(r) {
				out[len(out)-1].pause = true
			}
			text = text[size:]
		default:
			n := 0
			for n < len(text) {
				r, size := utf8.DecodeRuneInString(text[n:])
				if r == '`' || parts(r) {
					break
				}
				n += size
			}
			if w, ok := wordOf(text[:n]); ok {
				w.code, w.at = code, whole-len(text)
				out = append(out, w)
			} else if w.end && len(out) > 0 { // "main ?"
				last := &out[len(out)-1]
				last.end, last.pause, last.asks = true, true, last.asks || w.asks
			}
			text = text[n:]
		}
	}
	return out
}

// partWords is text.PartWords.
func partWords(s string) string { return text.PartWords(s) }

// clean returns s without what nobody sees.
func clean(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || c < ' ' && c != '\n' && c != '\t' {
			return strings.Map(func(r rune) rune {
				if text.IsUnseen(r) {
					return -1
				}
				return r
			}, text.Clean(s))
		}
	}
	return s
}

// breaks reports whether a new sentence begins at the start of a line: an empty line, an item of a list, a
// heading. Other lines go on.
func breaks(line string) bool {
	line = strings.TrimLeft(line, " \t")
	if line == "" || line[0] == '\n' || strings.IndexByte("-*+#>|", line[0]) >= 0 {
		return true
	}
	digits := strings.TrimLeft(line, "0123456789")
	return len(digits) < len(line) && digits != "" && (digits[0] == '.' || digits[0] == ')')
}

// parts reports whether a rune stands between words.
func parts(r rune) bool {
	switch r {
	case ',', ';', '|', '(', ')', '[', ']', '{', '}', '<', '>', '&', '…', '—', '·', '•', '→':
		return true
	}
	return unicode.IsSpace(r)
}

// dash reports whether a rune is a hyphen or one of those that look like it.
func dash(r rune) bool {
	return r == '-' || r >= 0x2010 && r <= 0x2015 || r == 0x2212 || r == 0xFE63 || r == 0xFF0D
}

func letterAt(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || dash(r)
}

// wordOf makes a word of what stands between blanks; false for what has neither a
// letter nor a digit.
func wordOf(s string) (word, bool) {
	if isLower(s) { // most are
		return word{text: s, shown: s}, true
	}
	var w word
	shown := strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`"'\“”‘’„«»´`, r):
			return -1
		case dash(r):
			return '-'
		}
		return r
	}, s)
	cut := strings.TrimRight(shown, ".:!?*_~=+^%#")
	if tail := shown[len(cut):]; tail != "" {
		w.end = strings.ContainsAny(tail, ".!?")
		w.asks = strings.Contains(tail, "?")
		w.pause = w.end || strings.Contains(tail, ":")
	}
	cut = strings.TrimLeft(cut, "*+=!?:^%")
	if strings.HasPrefix(cut, "_") {
		cut = strings.TrimLeft(cut, "_")
	}
	for strings.HasPrefix(cut, "#") {
		cut = cut[1:]
	}
	if !strings.ContainsFunc(cut, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return w, false
	}
	w.shown = cut
	w.kind = kindOf(cut)
	w.text = fold(cut)
	return w, true
}

func isLower(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

// fold returns a word in lower case. A flag of one hyphen stays as it is: in these the case matters.
func fold(s string) string {
	if len(s) > 1 && s[0] == '-' && s[1] != '-' {
		return s
	}
	return strings.ToLower(s)
}

// kindOf returns the kind of a word.
func kindOf(s string) kind {
	low := strings.ToLower(s)
	letters := strings.ContainsFunc(s, unicode.IsLetter)
	switch {
	case isFlag(s):
		return hard
	case strings.Contains(s, "://"), strings.HasPrefix(low, "www."), hasScheme(low):
		return hard
	case isAddress(low):
		return hard
	case !letters:
		return number
	case isPath(low), isHost(low):
		return hard
	case isName(s):
		return name
	}
	return plain
}

func isFlag(s string) bool {
	rest := strings.TrimPrefix(strings.TrimPrefix(s, "-"), "-")
	r, _ := utf8.DecodeRuneInString(rest)
	return len(rest) < len(s) && unicode.IsLetter(r)
}

// hasScheme reports whether a word is a URL without slashes, of a scheme that can do something.
func hasScheme(s string) bool {
	for _, p := range [...]string{"mailto:", "data:", "javascript:", "file:", "ssh:", "git:"} {
		if len(s) > len(p) && strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// isAddress reports whether a word is user@host, with or without a path behind it, or an IPv4 address with
// or without a port.
func isAddress(s string) bool {
	if user, host, ok := strings.Cut(s, "@"); ok && user != "" && strings.ContainsAny(host, ".:") {
		return strings.ContainsFunc(strings.TrimLeft(host, "v^~"), unicode.IsLetter)
	}
	host, _, _ := strings.Cut(s, ":")
	dots := strings.Split(host, ".")
	return len(dots) == 4 && !slices.ContainsFunc(dots, func(d string) bool {
		return d == "" || len(d) > 3 || strings.Trim(d, "0123456789") != ""
	})
}

// isPath reports whether a word is a path, by its beginning or its depth. Two words with a slash between
// them aren't.
func isPath(s string) bool {
	switch {
	case strings.HasPrefix(s, "/") && len(s) > 1, strings.HasPrefix(s, "~/"), strings.HasPrefix(s, "./"),
		strings.HasPrefix(s, "../"):
		return true
	case strings.HasPrefix(s, "$") && strings.Contains(s, "/"):
		return true
	case len(s) > 2 && s[1] == ':' && (s[2] == '/' || s[2] == '\\'):
		return true
	}
	first, rest, ok := strings.Cut(s, "/")
	if !ok {
		switch {
		case strings.HasSuffix(s, ".sh"), strings.HasSuffix(s, ".exe"), strings.HasSuffix(s, ".ps1"),
			strings.HasSuffix(s, ".bat"), strings.HasSuffix(s, ".cmd"):
			return len(s) > 4
		case strings.HasPrefix(s, ".") && len(s) > 2:
			return true
		}
		return false
	}
	return first != "" && (strings.Count(rest, "/") >= 1 && rest != "/" ||
		strings.Contains(strings.Trim(s, "."), "."))
}

// isHost reports whether a word is a host, by its last label. File names have other endings.
func isHost(s string) bool {
	host, port, _ := strings.Cut(s, ":")
	if port != "" && strings.Trim(port, "0123456789") == "" &&
		(host == "localhost" || strings.Contains(host, ".")) {
		return true
	}
	i := strings.LastIndexByte(host, '.')
	if i < 1 || strings.ContainsAny(host, "_()/=$") {
		return false
	}
	return text.OneOf(host[i+1:],
		"com org net io dev app ai co me xyz info biz ru cn de uk fr nl eu ch at us edu gov in br jp kr top "+
			"site online shop club live cloud tech store link click zip mov onion local internal example "+
			"test "+
			"invalid localhost tk gg ly")
}

// isName reports whether a word is a name in a program: it has a digit, an underscore, a dot, a sign, or a
// capital behind a small letter.
func isName(s string) bool {
	lower := false
	for i, r := range s {
		switch {
		case r == '_' || r == '$' || r == '@' || r == '=' || r == '/' || r == ':' || r == '#' ||
			unicode.IsNumber(r):
			return true
		case r == '.' && i > 0 && len(s) > i+2 && len(s) > 4:
			return true
		case unicode.IsUpper(r) && lower:
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}

// telling reports whether a word names one thing and hardly another by chance, so that it is worth asking
// where it comes from: of names not the short ones, not versions and standards, and not the names of
// products.
func (w word) telling() bool {
	switch {
	case w.kind == hard:
		return true
	case w.kind != name || len(w.text) < 5:
		return false
	case strings.ContainsAny(w.text, "_$@=#"), strings.Contains(w.text, "::"):
		return strings.ContainsFunc(w.text, unicode.IsLetter)
	case strings.Contains(strings.Trim(w.text, "."), "."):
		return strings.Trim(w.text, "v.0123456789x") != ""
	}
	humps := 0
	for i, r := range w.shown {
		if i == 0 && !unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			humps++
		}
	}
	return humps > 0 && len(w.text) >= 7
}

// isDigest reports whether a word is the name of a commit or another digest.
func isDigest(s string) bool {
	return len(s) >= 7 && strings.Trim(s, "0123456789abcdef") == ""
}

// fetches reports whether a word names what is fetched or run: a URL or host of another
// machine, or a script.
func (w word) fetches() bool {
	if w.kind != hard {
		return false
	}
	s := w.text
	_, rest, isURL := strings.Cut(s, "://")
	if isURL {
		s = rest
	}
	host, _, _ := strings.Cut(s, "/")
	name, _, _ := strings.Cut(host[strings.LastIndexByte(host, '@')+1:], ":")
	if name == "localhost" || name == "::1" || name == "0.0.0.0" || strings.HasPrefix(name, "127.") {
		return false
	}
	if isURL || strings.HasPrefix(s, "www.") || hasScheme(s) || isAddress(host) || isHost(host) {
		return true
	}
	return text.OneOf(s[strings.LastIndexByte(s, '.')+1:], "sh exe ps1 bat cmd")
}

// maxAtoms bounds what is named by the folders of one path.
const maxAtoms = 24

// atoms returns what in a word can be named by itself: a URL's host and path, the name of a file, the flag of
// a flag with its value.
func (w word) atoms() []string {
	if w.kind == plain || w.kind == number {
		return nil
	}
	all := []string{w.text}
	s := w.text
	if key, value, ok := strings.Cut(s, "="); ok && !strings.Contains(key, "/") {
		all = append(all, key)
		if len(value) > 3 {
			all = append(all, value)
		}
		s = value
	}
	if _, rest, ok := strings.Cut(s, "://"); ok {
		s = rest
		host, path, _ := strings.Cut(s, "/")
		if i := strings.LastIndexByte(host, '@'); i >= 0 {
			host = host[i+1:]
		}
		all = append(all, s, host)
		host, _, _ = strings.Cut(host, ":")
		all = append(all, host)
		if path == "" {
			return all
		}
		s = "/" + path
		all = append(all, s)
	} else if user, host, ok := strings.Cut(s, "@"); ok && user != "" && strings.Contains(host, ".") {
		host, _, _ = strings.Cut(host, ":")
		all = append(all, host)
	}
	if at := withoutLine(s); at != s {
		s = at
		all = append(all, s)
	}
	if rest, ok := strings.CutPrefix(s, "./"); ok {
		s = rest
		all = append(all, s)
	}
	s = strings.TrimRight(s, "/")
	all = append(all, s)
	if strings.Count(s, "/") > 0 {
		for dir := s; strings.Count(dir, "/") > 1 && len(all) < maxAtoms; {
			dir = dir[:strings.LastIndexByte(dir, '/')]
			if dir != "" {
				all = append(all, dir)
			}
		}
		if base := s[strings.LastIndexByte(s, '/')+1:]; strings.Contains(base, ".") {
			all = append(all, base)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// withoutLine returns a path without the line behind it, or a host without its port.
func withoutLine(s string) string {
	if i := strings.LastIndexByte(s, ':'); i > 0 && strings.Trim(s[i+1:], "0123456789") == "" {
		return s[:i]
	}
	return s
}

// twin returns a text with the letters that look like others written as those: Cyrillic and Greek ones, and
// those of full width.
func twin(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return strings.Map(look, s)
		}
	}
	return s
}

// pairs are letters and the ASCII letters that they look like.
const pairs = "аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwьbвbкkмmнhтtгrзzոn" +
	"οoαaεeνvρpτtυuιiκkχxγyωwηnϲcϳjȷjıiɡgⅼlⅰiⅴvⅹxⅽcⅾdⅿm∕/⁄/․.։:"

func look(r rune) rune {
	switch {
	case r < 0x100, r > 0x2215 && r < 0xFF01, r > 0xFF5E:
		return r
	case r >= 0xFF01:
		return unicode.ToLower(r - 0xFEE0)
	}
	if i := strings.IndexRune(pairs, r); i >= 0 {
		return rune(pairs[i+utf8.RuneLen(r)])
	}
	return r
}

// dangerous reports whether a program is one that a draft may not bring along by
// itself: it fetches, runs what it is given, or has rights that others have not.
func dangerous(w string) bool {
	return text.OneOf(w, "curl wget sudo eval iwr iex nc ncat netcat powershell pwsh rm base64")
}
