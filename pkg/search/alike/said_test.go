package alike

import "testing"

// TestSaid: what is told apart by its words alone is what the whole comparison tells apart.
func TestSaid(t *testing.T) {
	texts := []string{
		"We keep the billing jobs in Postgres", "Our billing jobs are kept in Postgres",
		"OK, so we keep the billing jobs in Postgres.", "We keep the cache in Redis", "Postgres", "", "…",
		"We don't keep the billing jobs in Postgres",
		"We keep the billing jobs in Postgres because Redis lost them",
		"Wir nehmen Postgres", "我们使用 Postgres",
	}
	for _, a := range texts {
		for _, b := range texts {
			x, y := NewSaid(a), NewSaid(b)
			if got, want := x.Says(y), SayingOf(a).Says(SayingOf(b)); got != want {
				t.Errorf("%q says %q: %v, want %v", a, b, got, want)
			}
			if got, want := x.Same(y), Same(SayingOf(a), SayingOf(b)); got != want {
				t.Errorf("%q is %q: %v, want %v", a, b, got, want)
			}
		}
	}
	x, y := NewSaid(texts[0]), NewSaid("The build takes ten minutes since the images are large")
	if x.Says(y) || x.says != nil || y.says != nil {
		t.Error("statements that share no words were taken apart")
	}
}
