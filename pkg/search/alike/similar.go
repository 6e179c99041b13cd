package alike

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// Candidate is a record that another one may be about.
type Candidate struct {
	ID, Path, Title string
	Score           float64 // 0 to 1
	Same            bool    // similar enough to be updated without being named
}

// The score of two records is a weighted mean of how much their titles, texts and tags have in common. The
// pairs in testdata/pairs.json determine the threshold: no two different memories among them may be the same.
// TestSimilarity shows the margin.
const (
	titleWeight = 0.40
	bodyWeight  = 0.45
	tagWeight   = 0.15

	// sameScore and the floors below are the least scores for an update without an id: very similar titles
	// and similar texts. Equal tags alone give 0.15.
	sameScore = 0.62
	sameTitle = 0.55
	sameBody  = 0.40

	// sameTitleOnly is the floor for a draft without content, such as one that only marks something as
	// resolved.
	sameTitleOnly = 0.85
)

// Candidates returns up to n active records of a record's category, the most similar first. All have
// something in common with it.
func Candidates(like memory.Record, existing []memory.Stored, n int) []Candidate {
	c := newCompare(like.Category, existing)
	mine := c.comparedText(like.Title, like.Body(), like.Tags)
	var out []Candidate
	for _, r := range existing {
		if r.Category != like.Category || r.Status != memory.Active {
			continue
		}
		score, same := c.compareRecords(mine, c.comparedText(r.Title, r.Body(), r.Tags))
		if score > 0 {
			out = append(out, Candidate{r.ID, r.Path, r.Title, score, same})
		}
	}
	slices.SortFunc(out, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Path, b.Path))
	})
	return out[:min(n, len(out))]
}

// compare weighs words by how few records of the category have them, so that words common to all of a
// project's memories do not make them similar.
type compare struct {
	records float64
	in      map[string]float64
}

func newCompare(c memory.Category, existing []memory.Stored) *compare {
	w := &compare{in: make(map[string]float64)}
	for _, r := range existing {
		if r.Category != c || r.Status != memory.Active {
			continue
		}
		w.records++
		for word := range countTerms(r.Title + "\n" + r.Body()) {
			w.in[word]++
		}
	}
	return w
}

// weight returns a smoothed inverse document frequency. Adding 1 keeps words from losing all weight in a
// store of two or three records.
func (c *compare) weight(word string) float64 {
	return 1 + math.Log((c.records+2)/(c.in[word]+1))
}

// compared is a record prepared for comparison.
type compared struct {
	title, body map[string]float64 // words and their counts
	tags        []string
}

func (c *compare) comparedText(title, body string, tags []string) compared {
	tags = slices.DeleteFunc(slices.Clone(tags), func(t string) bool { return t == memory.Untagged })
	return compared{countTerms(title), countTerms(body), tags}
}

func (c *compare) compareRecords(a, b compared) (score float64, same bool) {
	title := c.overlap(a.title, b.title)
	if len(a.body) == 0 {
		score := title * (titleWeight + bodyWeight)
		score += tagWeight * jaccard(a.tags, b.tags)
		return score, title >= sameTitleOnly && !ofOtherSubjects(a, b)
	}
	body := c.cosine(a.body, b.body)
	score = titleWeight*title + bodyWeight*body
	total := titleWeight + bodyWeight
	if len(a.tags) > 0 && len(b.tags) > 0 {
		score += tagWeight * jaccard(a.tags, b.tags)
		total += tagWeight
	}
	score /= total
	return score, score >= sameScore && title >= sameTitle && body >= sameBody && !ofOtherSubjects(a, b)
}

// ofOtherSubjects reports whether each of two records is about something that the other never mentions: a
// word in its title and in its text. Records made from one template, "rotate the key of Stripe" and "… of
// Twilio", differ only there. The price is that an update that only changes a version in the title becomes a
// second record.
func ofOtherSubjects(a, b compared) bool { return a.hasOwn(b) && b.hasOwn(a) }

func (a compared) hasOwn(b compared) bool {
	for w := range a.title {
		if (len(a.body) == 0 || a.body[w] > 0) && b.title[w] == 0 && b.body[w] == 0 {
			return true
		}
	}
	return false
}

// overlap returns the weighted Dice coefficient of two sets of words.
func (c *compare) overlap(a, b map[string]float64) float64 {
	var both, all float64
	for w := range a {
		all += c.weight(w)
		if b[w] > 0 {
			both += 2 * c.weight(w)
		}
	}
	for w := range b {
		all += c.weight(w)
	}
	if all == 0 {
		return 0
	}
	return both / all
}

// cosine returns the cosine similarity of two texts by their words. Repetitions of a word count less and
// less.
func (c *compare) cosine(a, b map[string]float64) float64 {
	value := func(w string, n float64) float64 { return (1 + math.Log(n)) * c.weight(w) }
	var dot, na, nb float64
	for w, n := range a {
		v := value(w, n)
		na += v * v
		if m := b[w]; m > 0 {
			dot += v * value(w, m)
		}
	}
	for w, n := range b {
		v := value(w, n)
		nb += v * v
	}
	if dot == 0 {
		return 0
	}
	return dot / math.Sqrt(na*nb)
}

func jaccard(a, b []string) float64 {
	both := 0
	for _, t := range a {
		if slices.Contains(b, t) {
			both++
		}
	}
	if all := len(a) + len(b) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 0
}

// countTerms returns the tokens of a text and how often each occurs. They are the tokens of recall, so that
// a word that finds a memory also finds its double. "use" is left out, since it doesn't name what is used.
func countTerms(s string) map[string]float64 {
	words := make(map[string]float64)
	t := text.Tokenizer{Emit: func(token []byte) bool {
		if string(token) != "us" {
			words[string(token)]++
		}
		return true
	}}
	t.Cut(s)
	return words
}
