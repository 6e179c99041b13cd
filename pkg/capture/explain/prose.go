package explain

import (
	"strings"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/capture/wording"
	"keepsake/pkg/text"
)

// Words of a sentence that offers a choice, as text.OneOf takes them.
const (
	// asksFor may lead up to the first option, and to a later one again.
	asksFor = "should shall do does would could can will are is you we i want me us to like prefer rather " +
		"have haben either soll sollen sollten ich wir willst möchtest wollen wollt du lieber entweder " +
		"können könnten"
	// details begin a part of a sentence that is about the one before it.
	details = "which that since because so but and with who where der die das was weil aber und wobei"
	// mights say that a sentence leaves open which: "we could either".
	mights = "can could should would may might können könnten kannst könntest sollten würden"
	ours   = "we you i wir ich du man"
)

// maxProse is how many sentences of a text are looked at for options in prose, from its end.
const maxProse = 6

// proseLists returns the options that the last sentences of a text name in prose: "should we use X or Y?",
// "we can either X or Y". A question that only asks which item of an earlier list to take doesn't count.
func proseLists(text string, before []list) (lists []list) {
	all := triage.Sentences(text)
	for i := max(0, len(all)-maxProse); i < len(all); i++ {
		l := proseList(all[i], i+1 < len(all) && asksToChoose(all[i+1]))
		again := false
		for _, b := range before {
			again = again || len(b.options) == len(l.options)
		}
		if len(l.options) > 1 && !again {
			lists = append(lists, l)
		}
	}
	return lists
}

// maxPart is how many words an option in prose has at most, and maxItem how many one has
// that stands between commas.
const (
	maxPart = 20
	maxItem = 4
)

// asksToChoose reports whether a sentence asks which of several things it is to be.
func asksToChoose(s triage.Sentence) bool {
	return s.Question && hasWord(splitWords(s.Text), offering)
}

// proseList returns the options that a sentence names; asked is that the next one asks which.
func proseList(s triage.Sentence, asked bool) (l list) {
	said := wording.WithOr(strings.TrimRight(plain(s.Text), "?!. ？。"))
	if !strings.Contains(said, " or ") && !strings.Contains(said, " oder ") {
		return list{}
	}
	words := splitWords(s.Text)
	either, open, own := false, false, false
	for i, w := range words {
		switch {
		case w.in("either entweder"):
			either = true
			if i == 0 {
				open, own = true, true
			}
		case w.in("or oder") && i+1 < len(words) && words[i+1].in("not nicht"):
			return list{}
		case !either:
			open, own = open || w.in(mights), own || w.in(ours)
		}
		if w.in(nowWords + " ahead") {
			return list{}
		}
	}
	if !s.Question && !(either && open && (own || asked)) || isAboutWork(s.Text) || isWork(words) {
		return list{}
	}
	said = strings.ReplaceAll(said, " oder ", " or ")
	for _, mark := range []string{" either ", " entweder ", "Either ", "Entweder ", ": "} {
		if _, after, ok := strings.Cut(said, mark); ok && strings.Contains(after, " or ") {
			said = after
		}
	}
	for _, mark := range []string{", ", " — ", " – ", " - "} { // "for the queue, should we …"
		if _, after, ok := strings.Cut(said, mark); ok && strings.Contains(after, " or ") {
			if first := splitWords(after); len(first) > 0 && first[0].in(asksFor) {
				said = after
			}
		}
	}
	parts := strings.Split(said, " or ")
	if len(parts) < 2 || len(parts) > 4 {
		return list{}
	}
	l = list{kind: prose, asked: true}
	for i, part := range parts {
		last := i == len(parts)-1
		for _, x := range splitItems(part, last) {
			words := splitWords(x)
			if len(words) == 0 || len(words) > maxPart || pointsAtOption(words) {
				return list{}
			}
			l.options = append(l.options, option{len(l.options) + 1, text.ShortenBytes(x, maxOption)})
		}
	}
	return l
}

// splitItems returns the options in a part of a sentence, without what leads up to them and
// what is said about them.
func splitItems(part string, last bool) (items []string) {
	chunks := strings.Split(strings.Trim(part, ", "), ", ")
	for i, chunk := range chunks {
		chunk = withoutLead(chunk)
		words := splitWords(chunk)
		switch {
		case last && i > 0, i > 0 && len(words) > 0 && words[0].in(details):
			return items
		case i > 0 && len(words) > maxItem:
			return items
		}
		if last {
			if at := strings.IndexAny(chunk, ";(—–"); at > 0 {
				chunk = chunk[:at]
			}
			if n := len(words); n > 1 && words[n-1].in(closesVerb) {
				chunk = strings.TrimSpace(strings.TrimSuffix(chunk, words[n-1].raw))
			}
		}
		items = append(items, strings.TrimSpace(chunk))
	}
	return items
}

// withoutLead returns a text without what leads up to an option.
func withoutLead(option string) string {
	for {
		first, rest, ok := strings.Cut(strings.TrimSpace(option), " ")
		if !ok || !text.OneOf(strings.ToLower(first), asksFor) {
			return strings.TrimSpace(option)
		}
		option = rest
	}
}

// pointsAtOption reports whether words only name an option of another list: "2", "option B",
// "the first one".
func pointsAtOption(words []word) bool {
	for _, w := range words {
		key, _, rest := readKey(w.raw)
		if !(key > 0 && rest == "") && !w.in(articles) && !w.in(pickNouns) &&
			ordinalOf(w.text) == 0 && !w.in("go with do it something else later both neither no yes") {
			return false
		}
	}
	return true
}
