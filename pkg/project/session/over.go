package session

import (
	"time"

	"keepsake/pkg/gate/approval"
	"keepsake/pkg/layout"
)

// Over is called when no turn of this session is under way: a call that a person
// was asked about and that has not run by now was answered No.
func (fl *InFlight) Over() {
	dir := approval.Dir(layout.Approvals(layout.Client(fl.State.Transcript)))
	if dir == "" {
		return
	}
	if err := dir.Over(fl.ID, time.Now()); err != nil {
		fl.Fault("gate", "what became of a call that a person was asked about was not written down", err)
	}
}
