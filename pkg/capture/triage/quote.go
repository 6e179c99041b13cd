package triage

// Quote returns the statement as a quote, for Excerpt.
func (s Statement) Quote() Quote {
	return Quote{Text: s.Text, ID: s.ID, By: s.By, Explicit: s.Explicit, Boosted: s.Boosted, Score: s.Score,
		passage: s.Passage + 1, line: s.Line}
}

// Nearly reports whether a candidate comes near the threshold of its category: a statement with a doubt in
// it, or a choice of the assistant without a reason.
func (o Options) Nearly(s Statement) bool {
	return s.Category != "" && s.Score >= o.Threshold(s.Category)*nearShare
}
