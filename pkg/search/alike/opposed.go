package alike

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// Opposed reports whether two records about one subject make choices that can't both hold. In doubt it
// reports false.
func Opposed(a, b memory.Record) bool { return opposed(choiceOf(a), choiceOf(b)) }

// OtherChoice reports whether the second of two texts about one thing chooses differently, and doesn't just
// add something. It rejects what the first chooses, names something else in its place, or shares hardly a
// word with it.
func OtherChoice(before, after string) bool {
	was, now := wordsOf(clausesOf(before)), wordsOf(clausesOf(after))
	a, b := bagOfWords(withoutReasons(was)), bagOfWords(withoutReasons(now))
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	if turnsDown(a, b) || turnsDown(b, a) || antonyms(a, b) {
		return true
	}
	mine, other := missingChoices(a, b), missingChoices(b, a)
	for _, x := range mine {
		for _, y := range other {
			if isFigure(x) == isFigure(y) {
				return true
			}
		}
	}
	if len(mine)+len(other) > 0 {
		return false
	}
	return a.weight() >= 2 && b.weight() >= 2 && a.share(now, nil) < 0.2 && b.share(was, nil) < 0.2
}

// isFigure reports whether a word is a number rather than a name with a digit. A number does not replace a
// name, and "retried three times" can be added to a text that names what does it.
func isFigure(w word) bool { return w.number && !strings.ContainsFunc(w.root, unicode.IsLetter) }

// weight returns how much the words of a bag say together.
func (b bag) weight() (sum float64) {
	for _, w := range b {
		sum += w.weight()
	}
	return sum
}

func withoutReasons(list []word) []word {
	kept := slices.DeleteFunc(slices.Clone(list), func(w word) bool { return w.reason })
	if len(kept) == 0 {
		return list
	}
	return kept
}

// turnsDown reports whether b turns down something that a chooses.
func turnsDown(a, b bag) bool {
	aSays, bSays := false, false
	for _, w := range a {
		aSays = aSays || !w.denied
	}
	for _, w := range b {
		bSays = bSays || !w.denied
	}
	for _, w := range a {
		found, ok := b.find(w)
		if !ok || w.denied == found.denied || w.dense || isWeakWord(w.root) {
			continue
		}
		if (w.name || found.name) && found.denied || aSays != bSays && len(a) > 0 &&
			sharedWeight(a, b) >= 0.6 {
			return true
		}
	}
	return false
}

// sharedWeight returns how much of two texts is the same, by the weight of their words.
func sharedWeight(a, b bag) float64 {
	list := func(x bag) []word {
		out := x.list()
		for i := range out {
			out[i].denied = false
		}
		return out
	}
	return min(a.share(list(b), nil), b.share(list(a), nil))
}

// missingChoices returns the names and numbers that a chooses and b does not.
func missingChoices(a, b bag) (out []word) {
	for _, w := range a {
		if !isChosen(w) {
			continue
		}
		if found, ok := b.find(w); !ok || found.denied {
			out = append(out, w)
		}
	}
	return out
}

// antonyms reports whether two texts differ in a word and its opposite.
func antonyms(a, b bag) bool {
	for _, w := range a {
		o := antonymOf(w.root)
		if o == "" || w.denied {
			continue
		}
		if found, ok := b[o]; !ok || found.denied {
			continue
		}
		_, again := b[w.root]
		if _, mine := a[o]; !again && !mine {
			return true
		}
	}
	return false
}

// antonymOf returns the root that is the opposite of a root, or "" if none is known.
func antonymOf(root string) string {
	pairs := [...][2]string{
		{"singl", "doubl"}, {"single", "double"}, {"sync", "async"}, {"synchronous", "asynchronous"},
		{"enabl", "disabl"}, {"allow", "forbid"},
		{"light", "dark"}, {"public", "privat"}, {"monorepo", "polyrepo"}, {"short", "long"},
		{"vers", "terse"}, {"verbos", "terse"}, {"strict", "loos"},
		{"mandator", "optional"}, {"requir", "optional"}, {"manual", "automatic"}, {"daily", "weekly"},
		{"dail", "week"}, {"monolith", "microservic"},
		{"open", "clos"}, {"left", "right"}, {"upper", "lower"}, {"camelcase", "snake"}, {"server", "client"},
		{"push", "pull"}, {"rebas", "merg"}, {"rebas", "squash"},
		{"global", "local"}, {"inlin", "extern"}, {"mutabl", "immutabl"}, {"formal", "casual"},
		{"dens", "spars"}, {"ascend", "descend"},
	}
	for _, p := range pairs {
		switch root {
		case p[0]:
			return p[1]
		case p[1]:
			return p[0]
		}
	}
	return ""
}

// A choice is what a record chooses, and what for.
type choice struct {
	words []word // of the title and the main text, without reasons
	all   bag    // the same
	main  bag    // of the main text
	scope bag    // what it is chosen for
	topic bag    // of a preference
	lost  bag    // what was turned down for it
	// the title, if it adds anything, and the sentences of the main text
	says   []sentence
	counts []counted // of each sentence; counting is what comparing costs most
	titled bool
	// what it puts in the place of something else, if it does
	exchange  exchange
	exchanged bool

	signature *signature // nil for a choice that is not compared with many
}

// replaces reports whether a choice puts something in the place of what another one chooses.
func (c choice) replaces(other choice) bool { return c.exchanged && c.exchange.replaces(other.words) }

// spares reports whether a choice puts something in the place of something else, and another one is what it
// takes, or is about another thing.
func (c choice) spares(other choice) bool {
	return c.exchanged && c.exchange.spares(other.words)
}

func choiceOf(r memory.Record) choice {
	main, _ := r.Content[r.Category.ChoiceField()].(string)
	topic, _ := r.Content["topic"].(string)
	title, about, comes := wordsOf(clausesOf(r.Title)), wordsOf(clausesOf(topic)), wordsOf(clausesOf(main))
	head := withoutReasons(slices.Concat(title, about, comes))
	c := choice{words: head, all: bagOfWords(head), scope: bag{}, lost: bag{}}
	c.main, c.topic = bagOfWords(withoutReasons(comes)), bagOfWords(about)
	c.exchange, c.exchanged = exchangeOf(c.all)
	c.says = sentencesOf(main)
	own := r.Title != "" && Headline(main) != r.Title && !strings.HasPrefix(main,
		strings.TrimSuffix(r.Title, "…"))
	if own {
		if title := sentencesOf(r.Title); len(title) == 1 {
			c.says, c.titled = append(title, c.says...), true
		}
	}
	for _, s := range c.says {
		c.counts = append(c.counts, countOf(s))
	}
	for root, w := range c.all {
		if w.denied {
			c.lost[root] = w
		}
	}
	if alternatives, ok := r.Content["alternatives"].([]map[string]string); ok {
		for _, alt := range alternatives {
			for root, w := range bagOf(alt["option"]) {
				if _, said := c.all[root]; !said && w.name {
					c.lost[root] = w
				}
			}
		}
	}
	for _, w := range head {
		if w.scope && !w.denied && !w.number && kindOf(w.root) == "" {
			c.scope[w.root] = w
		}
	}
	return c
}

// sameScope is how much of their scopes two choices must share to be about the same thing.
const sameScope = 0.5

// opposed reports whether two choices about one subject differ: one turns down what the other takes, or they
// have different values in the same place. In doubt it reports false. Two choices for two things are not
// opposed, and neither are a rule and its exception.
func opposed(a, b choice) bool {
	if len(a.all) == 0 || len(b.all) == 0 {
		return false
	}
	if a.replaces(b) || b.replaces(a) {
		return true
	}
	if a.spares(b) || b.spares(a) {
		return false
	}
	switch a.compare(b) {
	case equalSaid, sideBySide:
		return false
	case otherValue:
		return true
	}
	if len(a.topic) > 0 && len(b.topic) > 0 && sharedWeight(a.topic, b.topic) < sameScope &&
		!subjectShared(a, b) {
		return false
	}
	if len(missingChoices(a.topicNames(), b.topic)) > 0 || len(missingChoices(b.topicNames(), a.topic)) > 0 {
		return false // two things, or one is the exception
	}
	if (len(a.scope) > 0) != (len(b.scope) > 0) && !mentionsScope(a, b) {
		return false // a rule, and a choice for one thing
	}
	if len(a.scope) > 0 && len(b.scope) > 0 && sharedWeight(a.scope, b.scope) < sameScope {
		return false
	}
	if deniesChoice(a, b) || deniesChoice(b, a) {
		return true
	}
	if len(a.main) > 0 && equalBags(a.main, b.main) {
		return false // the same of two things, which only their titles name
	}
	return hasOtherValue(a, b)
}

// A stance is a record's choice, and the person's own words about it: an agent's wording may have left the
// choice out.
type stance struct {
	choice
	quoted []choice
}

// maxQuoted is how many quotes of a record are compared.
const maxQuoted = 4

func stanceOf(r memory.Record, quotes []string) stance {
	s := stance{choice: choiceOf(r)}
	for _, q := range quotes[:min(len(quotes), maxQuoted)] {
		said := choiceOf(memory.Record{Category: r.Category,
			Content: memory.Content{r.Category.ChoiceField(): text.WithoutLeadIn(q)}})
		if !opposed(said, s.choice) { // otherwise the record has changed since
			s.quoted = append(s.quoted, said)
		}
	}
	return s
}

// against reports whether two stances about one subject differ in their records or in what was said of them.
// They do not if any part of that is the same, or if their titles name two things.
func (s stance) against(other stance) bool {
	if opposed(s.choice, other.choice) {
		return true
	}
	if len(s.quoted)+len(other.quoted) == 0 || s.compare(other.choice) == equalSaid ||
		s.titled && other.titled && compareSentences(s.says[0], other.says[0]) == sideBySide {
		return false
	}
	differ := false
	for i := -1; i < len(s.quoted); i++ {
		for j := -1; j < len(other.quoted); j++ {
			if i < 0 && j < 0 {
				continue
			}
			a, b := s.choice, other.choice
			if i >= 0 {
				a = s.quoted[i]
			}
			if j >= 0 {
				b = other.quoted[j]
			}
			if a.compare(b) == equalSaid {
				return false
			}
			differ = differ || opposed(a, b)
		}
	}
	return differ
}

// sign gives its choice and the quotes signatures.
func (s *stance) sign() {
	s.choice.sign()
	for i := range s.quoted {
		s.quoted[i].sign()
	}
}

// mayBeAgainst reports whether against may be true. It is quick if both have signatures.
func (s *stance) mayBeAgainst(other *stance) bool {
	for i := -1; i < len(s.quoted); i++ {
		for j := -1; j < len(other.quoted); j++ {
			a, b := &s.choice, &other.choice
			if i >= 0 {
				a = &s.quoted[i]
			}
			if j >= 0 {
				b = &other.quoted[j]
			}
			if a.signature == nil || b.signature == nil || mayOppose(a, b) {
				return true
			}
		}
	}
	return false
}

// keys returns the keys of its choice and of the quotes.
func (s stance) keys() []string {
	keys := s.choice.keys()
	for _, q := range s.quoted {
		keys = append(keys, q.keys()...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// maxSaid is the length up to which a main text can be the value of its title, in pieces.
const maxSaid = 5

// compare compares two choices by their sentences. Choices that agree in one place are not opposed, and
// neither are statements about two things.
func (c choice) compare(other choice) (how howSentences) {
	for i, a := range c.says {
		for j, b := range other.says {
			said := compareCounted(a, b, &c.counts[i], &other.counts[j])
			if said == equalSaid && i == 0 && j == 0 && c.titled && other.titled {
				continue // they are about one thing
			}
			if said == equalSaid || said == sideBySide || how == unlike {
				how = said
			}
			if how == equalSaid {
				return how
			}
		}
	}
	if how == unlike && c.titled && other.titled && len(c.says) == 2 && len(other.says) == 2 &&
		compareSentences(c.says[0], other.says[0]) == equalSaid && len(c.says[1]) <= maxSaid &&
		len(other.says[1]) <= maxSaid {
		return compareSentences(c.says[1].of(c.says[0]), other.says[1].of(c.says[0]))
	}
	return how
}

// of returns a sentence as a statement about a thing.
func (s sentence) of(thing sentence) sentence {
	return slices.Concat(thing, sentence{{root: ":", role: copula}}, s)
}

// equalBags reports whether two texts have the same words, each denied in both or in neither.
func equalBags(a, b bag) bool {
	if len(a) != len(b) {
		return false
	}
	for root, w := range a {
		if x, ok := b[root]; !ok || x.denied != w.denied {
			return false
		}
	}
	return true
}

// topicNames returns the names in a topic that are not what is chosen.
func (c choice) topicNames() bag {
	out := bag{}
	for root, w := range c.topic {
		if _, ok := c.main.find(w); !ok {
			out[root] = w
		}
	}
	return out
}

// subjectShared reports whether the subjects of two choices overlap.
func subjectShared(a, b choice) bool {
	x, y := a.subject(), b.subject()
	return len(x) > 0 && len(y) > 0 && sharedWeight(x, y) >= sameScope
}

// subject returns what a choice says apart from what it chooses.
func (c choice) subject() bag {
	if c.signature != nil {
		return c.signature.subject
	}
	out := bag{}
	for root, w := range c.all {
		if !w.name && !w.number && !w.denied && antonymOf(root) == "" && !isWeakWord(root) {
			out[root] = w
		}
	}
	return out
}

// mentionsScope reports whether, of two choices, the one without a scope mentions the other's scope.
func mentionsScope(a, b choice) bool {
	if len(a.scope) == 0 {
		a, b = b, a
	}
	for _, w := range a.scope {
		if _, ok := b.all.find(w); ok {
			return true
		}
	}
	return false
}

// deniesChoice reports whether b turns down what a chooses, and either chooses something else or says that it
// does not hold.
func deniesChoice(a, b choice) bool {
	if a.hasBounds() != b.hasBounds() {
		return false
	}
	for _, w := range b.lost {
		chosen, ok := a.all[w.root]
		again, said := b.all[w.root]
		if !ok || chosen.denied || !w.name && !chosen.name || said && !again.denied {
			continue
		}
		// The name may be what a is about, rather than what it chooses.
		if !chosen.scope && !apartFrom(w, a, b) {
			return true
		}
	}
	return isDenial(a.main, b.main)
}

// sameWords is how much of two sentences must be the same for one to be the other's denial.
const sameWords = 0.8

// isDenial reports whether b is the sentence a, denied.
func isDenial(a, b bag) bool {
	if sharedWeight(a, b) < sameWords {
		return false
	}
	for root, w := range a {
		if found, ok := b[root]; ok && !w.denied && found.denied {
			return true
		}
	}
	return false
}

// hasBounds reports whether a choice turns down only what is more or less than a number: "none over 10 MB"
// does not turn down 10 MB.
func (c choice) hasBounds() bool {
	return slices.ContainsFunc(c.says, func(s sentence) bool {
		return slices.ContainsFunc(s, negates) &&
			slices.ContainsFunc(s, func(p piece) bool {
				return p.role == quantity || p.role == bareNumber
			}) &&
			slices.ContainsFunc(s, func(p piece) bool {
				return text.OneOf(p.root,
					"over more less above below beyond under than after nach mehr weniger über unter")
			})
	})
}

// apartFrom reports whether b turns a name down for something that a does not mention: those who never deploy
// on Fridays may still meet then. A general choice is against one for a thing only if that says hardly more
// than the name.
func apartFrom(w word, a, b choice) bool {
	mine, shared := 0, false
	for root, x := range a.all {
		if x.name || x.number || isWeakWord(root) {
			continue
		}
		mine++
		if _, ok := b.all.find(x); ok {
			shared = true
		}
	}
	return !shared && (w.scope || mine > 1)
}

// hasOtherValue reports whether two choices have different values in the same place: names of one kind,
// opposites, or one sentence with another name or number.
func hasOtherValue(a, b choice) bool {
	mine, other := missingChoices(a.all, b.all), missingChoices(b.all, a.all)
	frame := sharedWeight(a.subject(), b.subject())
	bothBare := len(a.subject()) == 0 && len(b.subject()) == 0
	if antonyms(a.all, b.all) && (frame >= 0.6 || bothBare) {
		return len(mine) == 0 && len(other) == 0
	}
	if len(mine) == 0 || len(other) == 0 || len(mine) > 3 || len(other) > 3 {
		return false
	}
	for _, x := range mine {
		for _, y := range other {
			kind := kindOf(x.root)
			if kind == "" || kind != kindOf(y.root) || x.scope && !y.scope || y.scope && !x.scope {
				continue
			}
			if frame >= 0.6 || bothBare || len(a.scope) > 0 && sharedWeight(a.scope, b.scope) >= sameScope {
				return true
			}
		}
	}
	return false
}

// A Dispute is an older record that says the opposite of one that is kept.
type Dispute struct {
	Path, Title string
	Since       string // the day on which it was said, according to its record
}

// Disputed finds records that make opposed choices. Of two, only the newer is in keep, which has the order of
// found. disputes holds the older ones by the path of the one that is kept. quotes returns what a person said
// in a record, word for word, newest first; it may be nil.
func Disputed(found []memory.Stored, quotes func(memory.Stored) []string) (keep []memory.Stored,
	disputes map[string][]Dispute) {
	keep, disputes, _ = DisputedAmong(found, quotes, nil)
	return keep, disputes
}

// DisputedAmong is Disputed for any number of records. both reports whether a person said that two of them
// both hold; it may be nil. partly is how many of them were not compared with all that they share a word
// with, since there are too many.
func DisputedAmong(found []memory.Stored, quotes func(memory.Stored) []string,
	both func(a, b memory.Stored) bool) (keep []memory.Stored, disputes map[string][]Dispute, partly int) {
	lost := map[int]int{} // index of the newer record by index of the older
	choices := make([]stance, len(found))
	for i, r := range found {
		if r.Category.IsChoice() && r.Status == memory.Active {
			var said []string
			if quotes != nil {
				said = quotes(r)
			}
			choices[i] = stanceOf(r.Record, said)
			if len(found) > fewRecords {
				choices[i].sign()
			}
		}
	}
	near := nearOf(found, choices)
	compared := 0
	against := func(i, j int) bool {
		if !choices[i].mayBeAgainst(&choices[j]) || compared == mostCompared {
			return false
		}
		compared++
		return choices[i].against(choices[j])
	}
	for i, a := range found {
		others, cut := near(i)
		if a.Category.IsChoice() && (cut || compared == mostCompared) {
			partly++
		}
		for _, j := range others {
			b := found[j]
			if a.Path == b.Path || !a.Category.IsChoice() || !b.Category.IsChoice() ||
				!against(i, j) && !areLinked(a, b) || both != nil && both(a, b) {
				continue
			}
			older, newer := j, i
			if IsOlder(a, b) {
				older, newer = i, j
			}
			if _, ok := lost[older]; !ok {
				lost[older] = newer
			}
		}
	}
	for i, r := range found {
		by, ok := lost[i]
		if !ok {
			keep = append(keep, r)
			continue
		}
		for range lost { // the newer one may have lost to another
			if next, ok := lost[by]; ok {
				by = next
			}
		}
		if disputes == nil {
			disputes = map[string][]Dispute{}
		}
		path := found[by].Path
		disputes[path] = append(disputes[path], Dispute{r.Path, r.Title, saidAt(r.Record)})
	}
	return keep, disputes, partly
}

// Bounds of what is compared, each of about a second.
const (
	// mostPairs is about how many pairs of records are looked at. Up to a thousand records none is left out.
	// Of more, one is looked at with those first that share its rarest words.
	mostPairs = 1_000_000
	// mostCompared is how many of these are compared word for word: mostly few can be opposed.
	mostCompared = 40_000
)

// nearOf returns a function that returns those records before the i-th that can be opposed to it: they share
// the beginning of a word, a kind of tool or a link. cut reports that there are more. Comparing all of a
// project's thousands of records with each other would take seconds.
func nearOf(found []memory.Stored, choices []stance) func(i int) (all []int, cut bool) {
	if len(found) <= fewRecords {
		return func(i int) (all []int, cut bool) {
			for j := range i {
				all = append(all, j)
			}
			return all, false
		}
	}
	most := mostPairs / len(found)
	at := map[string][]int{}
	mine := make([][]string, len(found))
	for i, r := range found {
		mine[i] = slices.Concat(choices[i].keys(), []string{"=" + r.Path})
		for _, path := range r.Supersedes {
			mine[i] = append(mine[i], "="+path)
		}
		for _, k := range mine[i] {
			at[k] = append(at[k], i)
		}
	}
	return func(i int) (all []int, cut bool) {
		rarest := slices.SortedStableFunc(slices.Values(mine[i]), func(a, b string) int {
			return len(at[a]) - len(at[b])
		})
		for _, k := range rarest {
			for _, j := range at[k] {
				if j >= i {
					break
				}
				if cut = len(all) >= most; cut {
					break
				}
				all = append(all, j)
			}
			if cut {
				break
			}
		}
		slices.Sort(all)
		return slices.Compact(all), cut
	}
}

// fewRecords is up to how many records are all compared with each other. A prompt brings that many.
const fewRecords = 16

// keys returns the keys of a choice. Two opposed choices share at least one key.
func (c choice) keys() []string {
	set := map[string]bool{}
	add := func(root string) {
		set[root[:min(len(root), minPrefix)]] = true
		if kind := kindOf(root); kind != "" {
			set["#"+kind] = true
		}
		if o := antonymOf(root); o != "" {
			set[o[:min(len(o), minPrefix)]] = true
		}
	}
	for _, b := range [...]bag{c.all, c.topic, c.lost} {
		for root := range b {
			add(root)
		}
	}
	for _, s := range c.says {
		for _, p := range s {
			if p.role == plainWord {
				add(p.root)
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// areLinked reports whether one of two records was meant to take the place of the other.
func areLinked(a, b memory.Stored) bool {
	return slices.Contains(a.Supersedes, b.Path) || slices.Contains(b.Supersedes, a.Path)
}

// IsOlder reports whether of two records that say opposite things the first is the older one.
func IsOlder(a, b memory.Stored) bool {
	return !slices.Contains(a.Supersedes, b.Path) &&
		(saidBefore(a, b) || slices.Contains(b.Supersedes, a.Path))
}

// saidBefore reports whether the first of two records came to its choice before the second. Stamps have whole
// seconds; within one second, the file written last is newer.
func saidBefore(a, b memory.Stored) bool {
	if x, y := saidAt(a.Record), saidAt(b.Record); x != y {
		return x < y
	}
	return a.File.Time < b.File.Time && a.File.Time != 0
}

// saidAt returns when a record came to its choice. A change of tags does not count.
func saidAt(r memory.Record) string {
	at := r.CreatedAt
	for _, c := range r.Changes {
		if c.Field == "content."+r.Category.ChoiceField() {
			at = max(at, c.Date)
		}
	}
	return at
}

// NamesOther reports whether a title still names the old choice: a name in it is in the old title but not in
// the new choice.
func NamesOther(title, main, old string) bool {
	now, was := bagOf(main), bagOf(old)
	for _, w := range bagOf(title) {
		if !isChosen(w) {
			continue
		}
		_, inOld := was.find(w)
		if found, ok := now.find(w); inOld && (!ok || found.denied) {
			return true
		}
	}
	return false
}
