package records

import "keepsake/pkg/text/date"

// What a record is from says something about it too: what one session left belongs together, and a question
// may name the time. Both are added to the rank of a hit, the logarithm of its odds.
const (
	// supporters is how many hits are looked at for those that support each other, and supportFloor the
	// least score of one.
	supporters   = 24
	supportFloor = 0.2

	// sessionWorth is what the other hits of its session are worth to a hit, by the sum of their scores up to
	// maxSupport. More finds more facts of long conversations, and more that a prompt did not ask for.
	sessionWorth = 0.5
	maxSupport   = 2

	// dayWorth is what it is worth to a hit that it was made at the time that the question names.
	dayWorth = 0.8
)

// supported is best, with what the origin of each hit says, and of a prompt what each title says.
func (s *searching) supported(q Query, t *terms, least float64, of scale) ([]Hit, error) {
	wide := q
	wide.Limit = max(q.Limit, supporters)
	hits, err := s.ranked(wide, min(least, relevance{}.least(supportFloor)), of)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(hits))
	for i, h := range hits {
		scores[i] = of.score(h.Score)
	}
	asked, _, dated := date.Find(q.Text, q.Now)
	var own terms
	for i := range hits {
		support := 0.0
		for k := range hits {
			if k != i && hits[i].Session != 0 && hits[k].Session == hits[i].Session {
				support += scores[k]
			}
		}
		hits[i].Score += sessionWorth * min(maxSupport, support)
		if q.Prompt {
			hits[i].Score += t.ofTitle(hits[i].Title, &own)
		}
		if dated && asked.Has(hits[i].Day) {
			hits[i].Score += dayWorth
		}
	}
	inOrder(hits)
	n := 0
	for n < len(hits) && n < q.Limit && hits[n].Score >= least {
		hits[n].Score = of.score(hits[n].Score)
		n++
	}
	return hits[:n], nil
}
