package scratch

// A Phase is the active phase of a plan, and how far the plan is. The zero Phase is that of a plan without
// phases.
type Phase struct {
	Title  string // of the active phase, as the plan has it; "" when none is
	Status string // of that phase: in_progress, pending, or "" when the plan doesn't say
	Steps  int    // boxes below it
	Ticked int    // of them
	Next   string // the text of the first box that isn't ticked

	Phases int // in the plan
	Done   int // of them, those that it says are done
}

// Active returns the phase of a plan whose slug is the plan's Topic.
func Active(plan []byte) Phase {
	o := outlined(plan)
	out := Phase{Phases: len(o.phases)}
	for _, p := range o.phases {
		if p.state == done {
			out.Done++
		}
	}
	title, p := o.active()
	out.Title = title
	if p == nil {
		return out
	}
	out.Steps, out.Ticked, out.Next = p.steps, p.ticked, p.next
	switch {
	case p.state == doing:
		out.Status = "in_progress"
	case p.state == waiting:
		out.Status = "pending"
	}
	return out
}
