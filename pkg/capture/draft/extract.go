package draft

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/text"
)

// Unsaid is the text of a required field for which the quotes have no words.
const Unsaid = "Not recorded."

// extractive is the origin of a draft made by Extract.
const extractive = "extractive"

const (
	// extractConfidence is the confidence of an extractive draft: the words were said, but nobody judged
	// them.
	extractConfidence = 0.5
	// extractQuotes is how many quotes one draft takes; triage puts the best first.
	extractQuotes = 5
	// extractDrafts is how many drafts are made from one category's quotes.
	extractDrafts = 20
	// extractTags is how many tags are taken from the words. Drafters are asked for 1 to 5.
	extractTags = 4
)

// Quoted is the description of a draft that is made of quotes from a conversation.
const Quoted = "Quoted from the conversation, without a model"

// Remembered is the description of a draft that is made of what a person gave to be remembered.
const Remembered = "Said with keepsake remember"

// Extract makes a draft of quotes, word for word and without a model, for when no drafter has delivered one.
// It returns the bytes of an intent file, which Parse reads, or false if no quote has any text.
//
// Quotes are statements of category c, best first; for session_summary they are the person's requests in
// order. Every text in the content is a quote, a part of one, or Unsaid; statuses and grades are the defaults
// of memory.Fields. now dates the title of a session summary.
//
// Quotes about different things become a list of drafts, except for a runbook or a session summary, which
// takes several sentences. from says where the words come from, as Quoted does.
func Extract(c memory.Category, quotes []string, from string, now time.Time) ([]byte, bool) {
	quotes = cleanQuotes(c, quotes)
	if len(quotes) == 0 || memory.Fields(c) == nil {
		return nil, false
	}
	groups := [][]string{quotes}
	if c != memory.Runbook && c != memory.SessionSummary {
		groups = alike.Cluster(quotes)
	}
	var drafts []intent
	for _, g := range groups[:min(len(groups), extractDrafts)] {
		drafts = append(drafts, extractIntent(c, g[:min(len(g), extractQuotes)], from, now))
	}
	var v any = drafts
	if len(drafts) == 1 {
		v = drafts[0]
	}
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, false
	}
	return append(b, '\n'), true
}

func extractIntent(c memory.Category, quotes []string, from string, now time.Time) intent {
	title := alike.Headline(quotes[0])
	if c == memory.SessionSummary {
		title = "Session of " + now.UTC().Format(time.DateOnly) + ": " + title
	}
	return intent{
		Category: string(c), Origin: extractive, Action: "create",
		Summary: text.ShortenAtWord(quotes[0], memory.MaxSummary),
		Partial: partial{
			Title: text.ShortenAtWord(title, memory.MaxTitle), Tags: wordTags(c, quotes[0]),
			Confidence:    extractConfidence,
			ChangeSummary: from,
			Content:       extractedContent(c, quotes),
		},
	}
}

// intent is the form in which drafting agents write a draft.
type intent struct {
	Category string  `json:"category"`
	Origin   string  `json:"origin"`
	Summary  string  `json:"new_info_summary"`
	Action   string  `json:"intended_action"`
	Partial  partial `json:"partial_content"`
}

type partial struct {
	Title         string         `json:"title"`
	Tags          []string       `json:"tags"`
	Confidence    float64        `json:"confidence"`
	ChangeSummary string         `json:"change_summary"`
	Content       memory.Content `json:"content"`
}

// extractedContent returns a category's fields: defaults where there are any, and quotes elsewhere.
func extractedContent(c memory.Category, quotes []string) memory.Content {
	content := memory.Content{}
	for _, f := range memory.Fields(c) {
		switch {
		case !f.Required || f.Default == "":
		case f.Kind == memory.Flag:
			content[f.Name] = f.Default == "true"
		default:
			content[f.Name] = f.Default
		}
	}
	said := strings.Join(quotes, " ")
	reasons := reasonsIn(quotes)
	reason := strings.Join(reasons, " ")
	if len(reasons) == 0 {
		reasons, reason = []string{Unsaid}, Unsaid
	}
	switch c {
	case memory.SessionSummary:
		content["goal"] = quotes[0]
		content["completed"] = []string{}
		content["next_actions"] = []string{}
		if len(quotes) > 1 {
			content["in_progress"] = quotes[1:]
		}
	case memory.Decision:
		content["context"] = Unsaid
		content["decision"] = said
		content["rationale"] = reasons
	case memory.Runbook:
		content["trigger"] = quotes[0]
		content["steps"] = quotes
		content["verification"] = Unsaid
	case memory.Constraint:
		content["rule"] = said
		content["impact"] = reasons
	case memory.TechDebt:
		content["description"] = said
		content["reason_deferred"] = reason
	case memory.Preference:
		content["topic"] = alike.Headline(quotes[0])
		content["value"] = said
		content["reason"] = reason
	}
	return content
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// cleanQuotes returns the quotes that have a word, each once and on one line. For a session it keeps the
// first and the last requests, and for other categories the best statements.
func cleanQuotes(c memory.Category, quotes []string) []string {
	var out []string
	for _, q := range quotes {
		q = strings.Join(strings.Fields(q), " ")
		if strings.ContainsFunc(q, isWordRune) && !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	if c == memory.SessionSummary && len(out) > extractQuotes {
		return append(out[:1:1], out[len(out)-extractQuotes+1:]...)
	}
	return out[:min(len(out), extractDrafts*extractQuotes)]
}

// reasonsIn returns the text behind the reason mark of each quote, word for word.
func reasonsIn(quotes []string) []string {
	var out []string
	for _, q := range quotes {
		if _, reason, _ := alike.CutReason(q); strings.TrimSpace(reason) != "" {
			out = append(out, strings.TrimSpace(reason))
		}
	}
	return out
}

// wordTags returns tags from the words of a quote: names first (a capital inside the sentence, or a digit),
// else the longest words. Without a usable word the tag is the category.
func wordTags(c memory.Category, quote string) []string {
	var names, words []string
	for i, w := range strings.Fields(alike.Headline(quote)) {
		tag := strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return !isWordRune(r) }))
		tag = strings.Join(strings.FieldsFunc(tag, func(r rune) bool {
			return !isWordRune(r) && !unicode.IsMark(r)
		}), "-")
		n := len([]rune(tag))
		switch {
		case n < 3 || n > 30:
		case i > 0 && strings.IndexFunc(w, unicode.IsUpper) >= 0, strings.ContainsAny(w, "0123456789"):
			names = append(names, tag)
		case n >= 6:
			words = append(words, tag)
		}
	}
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	if len(names) == 0 {
		names = words[:min(len(words), 2)] // a long word says less than a name
	}
	var tags []string
	for _, tag := range names {
		if len(tags) < extractTags && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	if len(tags) == 0 {
		return []string{strings.ReplaceAll(string(c), "_", "-")}
	}
	return tags
}
