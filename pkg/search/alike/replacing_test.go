package alike

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A judgedPair is what two statements show, and whether the second replaces the first.
type judgedPair struct {
	clues    [clues]float64
	replaces bool
}

// pairsToFit returns the pairs that the weights are fitted on. Statements that only talk of a move are told
// by package change, which has pairs of them.
func pairsToFit(t *testing.T) (all []judgedPair) {
	dir := filepath.Join("..", "..", "capture", "change", "testdata")
	for _, name := range []string{"replaced", "replaced_more", "replaced_last", "replaced_heldout",
		"replaced_written", "replaced_traps"} {
		b, err := os.ReadFile(filepath.Join(dir, name+".tsv"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if strings.HasPrefix(line, "#") || len(cells) != 3 {
				continue
			}
			all = append(all, judgedPair{LatestOf(cells[2]).clues(strings.Replace(cells[1], " :: ", "\n", 1)),
				cells[0] == "replaces"})
		}
	}
	return all
}

// fit returns the weights that explain pairs best. A pair that does not replace counts half as much again,
// since taking it for one is worse.
func fit(pairs []judgedPair) (w [clues]float64) {
	const steps, rate, l2, others = 1500, 0.3, 0.5, 1.5
	total := 0.0
	for _, p := range pairs {
		total += 1 + (others-1)*truth(!p.replaces)
	}
	for range steps {
		var slope [clues]float64
		for _, p := range pairs {
			off := (likelihood(w, p.clues) - truth(p.replaces)) * (1 + (others-1)*truth(!p.replaces))
			for i, v := range p.clues {
				slope[i] += off * v
			}
		}
		for i := range w {
			if slope[i] /= total; i > 0 {
				slope[i] += l2 / total * w[i]
			}
			w[i] -= rate * slope[i]
		}
	}
	return w
}

func likelihood(w, c [clues]float64) (p float64) {
	for i := range c {
		p += w[i] * c[i]
	}
	return 1 / (1 + math.Exp(-p))
}

// TestWeights fits the weights anew and counts by five-fold cross-validation what they tell right.
func TestWeights(t *testing.T) {
	pairs := pairsToFit(t)
	var is, found, others, wrong int
	for fold := range 5 {
		var train []judgedPair
		for i, p := range pairs {
			if i%5 != fold {
				train = append(train, p)
			}
		}
		w := fit(train)
		for i, p := range pairs {
			if i%5 != fold {
				continue
			}
			hit := likelihood(w, p.clues) >= leastReplacing
			if p.replaces {
				is++
				found += int(truth(hit))
			} else {
				others++
				wrong += int(truth(hit))
			}
		}
	}
	t.Logf("found %d of %d, wrong %d of %d", found, is, wrong, others)
	if found*100 < 60*is || wrong*100 > 4*others {
		t.Error("less than 60 % found, or more than 4 % wrong")
	}
	var list []string
	for i, v := range fit(pairs) {
		list = append(list, fmt.Sprintf("%.2f", v))
		if math.Abs(v-weights[i]) > 0.02 {
			t.Errorf("the weight of clue %d is %.2f, fitted %.2f", i, weights[i], v)
		}
	}
	t.Log(strings.Join(list, ", "))
}

// FuzzLatest: any two texts can be held against each other.
func FuzzLatest(f *testing.F) {
	f.Add("The timeout was raised from 30 to 60 seconds, 30 was too few", "Requests time out after 30 s")
	f.Add("Ab jetzt wird donnerstags statt dienstags deployt", "Wir deployen immer dienstags")
	f.Add("went from three to five", "three")
	f.Fuzz(func(t *testing.T, said, earlier string) {
		l := LatestOf(said)
		l.Replaces(earlier)
		if likely, _ := l.Resembles(earlier); likely < 0 || likely > 1 || math.IsNaN(likely) {
			t.Errorf("%v", likely)
		}
	})
}
