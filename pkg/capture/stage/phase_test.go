package stage

import (
	"math/rand/v2"
	"testing"
)

var (
	phases = []Phase{Working, Saving, Applied, Beside}
	steps  = []Step{Ask, Apply, EndOwn, EndWork}
)

// TestPhases: each phase takes each step, by one row.
func TestPhases(t *testing.T) {
	for _, p := range phases {
		for _, s := range steps {
			rows := 0
			for _, c := range changes {
				for _, from := range c.from {
					if from == p && c.step == s {
						rows++
					}
				}
			}
			if rows != 1 {
				t.Errorf("%s takes %s by %d rows", p, s, rows)
			}
		}
	}
	for name, tt := range map[string]struct {
		steps []Step
		own   []bool // of each step
		want  Phase
	}{
		"nothing":       {nil, nil, Working},
		"work":          {[]Step{EndWork}, []bool{false}, Working},
		"asked":         {[]Step{EndWork, Ask}, []bool{false, false}, Saving},
		"saved at once": {[]Step{Ask, Apply, EndOwn}, []bool{false, false, true}, Working},
		"drafters first": {[]Step{Ask, EndOwn, EndOwn, Apply, EndOwn},
			[]bool{false, true, true, false, true}, Working},
		"not taken up":              {[]Step{Ask, EndWork}, []bool{false, false}, Working},
		"applied in another's turn": {[]Step{Ask, Apply, EndWork}, []bool{false, false, false}, Working},
		"by the way":                {[]Step{Apply, EndWork}, []bool{false, false}, Working},
		"by a skill":                {[]Step{Apply, EndOwn}, []bool{false, true}, Working},
		"a skill, with drafters":    {[]Step{Apply, Ask}, []bool{false, false}, Applied},
		"a hook began it":           {[]Step{EndOwn}, []bool{false}, Working},
	} {
		var st State
		for i, s := range tt.steps {
			if own := st.Enter(s); own != tt.own[i] {
				t.Errorf("%s: step %d is our own: %v", name, i, own)
			}
		}
		if got := st.Phase(); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// TestPhaseProperties: whatever happens, only what was asked for goes on after a turn, a
// turn of the person's ends everything, and a turn that nothing of ours is under way in is
// theirs.
func TestPhaseProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		var st State
		asked, applied := false, false // since the person's last turn, in this turn
		for range 12 {
			s := steps[r.IntN(len(steps))]
			st.Saved = []string{"a"}
			own := st.Enter(s)
			ends := s == EndOwn || s == EndWork
			if want := s == EndOwn && (asked || applied); own != want {
				t.Fatalf("%s: our own is %v", s, own)
			}
			switch s {
			case Ask:
				asked = true
			case Apply:
				applied = true
			case EndOwn:
				asked, applied = asked && !applied, false
			case EndWork:
				asked, applied = false, false
			}
			if st.Saving != asked || st.Applied != applied || ends != (len(st.Saved) == 0) {
				t.Fatalf("%s: %s with %v, asked %v, applied %v", s, st.Phase(), st.Saved, asked, applied)
			}
		}
	}
}
