package main

import (
	"math"

	"keepsake/pkg/capture/score"
)

// pulls are how strongly weights are drawn to zero: of named features, of words. Chosen by cross-validation
// over sessions; half or double of either changes the items found by less than .01.
type pulls struct{ named, words float64 }

// steps is how many steps the fit takes at most.
const steps = 120

// fit returns the model that makes the examples likeliest.
func fit(examples []example, p pulls) *score.Model {
	const cols = score.Columns
	nNamed := score.Named * cols
	value := func(at, slope []float64) (sum float64) {
		clear(slope)
		for i := range examples {
			x := &examples[i]
			var z [cols]float64
			for _, v := range x.named {
				w := at[int(v.At)*cols:][:cols]
				for c := range z {
					z[c] += w[c] * float64(v.Value)
				}
			}
			share := float64(x.share)
			for _, b := range x.words {
				w := at[nNamed+int(b)*cols:][:cols]
				for c := range z {
					z[c] += w[c] * share
				}
			}
			most := z[0]
			for _, s := range z {
				most = max(most, s)
			}
			total := 0.0
			for c := range z {
				z[c] = math.Exp(z[c] - most)
				total += z[c]
			}
			for c := range z {
				z[c] /= total
			}
			sum -= x.weight * math.Log(max(1e-300, z[x.column]))
			z[x.column]--
			for c := range z {
				z[c] *= x.weight
			}
			for _, v := range x.named {
				w := slope[int(v.At)*cols:][:cols]
				for c := range z {
					w[c] += z[c] * float64(v.Value)
				}
			}
			for _, b := range x.words {
				w := slope[nNamed+int(b)*cols:][:cols]
				for c := range z {
					w[c] += z[c] * share
				}
			}
		}
		for i, w := range at {
			pull := p.named
			if i >= nNamed {
				pull = p.words
			}
			if i < cols {
				pull = 0.01 // of any statement: the base rate
			}
			sum += pull / 2 * w * w
			slope[i] += pull * w
		}
		return sum
	}
	at := minimize(make([]float64, nNamed+score.Buckets*cols), steps, value)
	rows := func(flat []float64) (all [][cols]float64) {
		for i := 0; i < len(flat); i += cols {
			all = append(all, [cols]float64(flat[i:]))
		}
		return all
	}
	return score.New(rows(at[:nNamed]), rows(at[nNamed:]))
}
