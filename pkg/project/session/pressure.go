package session

import (
	"keepsake/pkg/brief"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
)

// noteFill notes in the state how full the model's context window is after a stretch of the
// conversation. The window is the setting's, or that of the model. A compaction empties it until
// the next answer.
func (fl *InFlight) noteFill(st *stage.State, span transcript.Span) {
	p := &st.Pressure
	if span.Compacted {
		p.Used = 0
	}
	if used := span.Usage.Context(); used > 0 {
		p.Used, p.Window = used, transcript.Window(p.Model, span.Model)
	}
	if w := fl.Config.Capture.Window; w > 0 {
		p.Window = int64(w)
	}
}

// Full returns how full the window is. The zero Full means that it is not full, or that this is not
// known.
func (fl *InFlight) Full(st stage.State) brief.Full {
	p := st.Pressure
	at := triage.PressureOf(p.Used, p.Window)
	if at == triage.Calm {
		return brief.Full{}
	}
	return brief.Full{At: at, Percent: int(100 * p.Used / p.Window)}
}

// Pressed reports whether the window is so full that findings are staged too which only come near their
// threshold.
func (fl *InFlight) Pressed(st stage.State) bool { return fl.Full(st).At >= triage.Alert }

// modelBeforeClear returns the model of the session that /clear replaced by this one, if the client names
// none.
func (fl *InFlight) modelBeforeClear(client stage.Process) string {
	all, _ := fl.Sessions().Recent()
	for _, st := range all {
		if st.Session != fl.ID && st.Client == client && client.PID > 0 && st.Pressure.Model != "" {
			return st.Pressure.Model
		}
	}
	return ""
}

// Runs stores the model that the client named when the session began or went on. For "" it keeps the
// stored model, or after /clear takes that of the session before.
func (fl *InFlight) Runs(st *stage.State, model, source string) {
	if model == "" && source == "clear" && st.Pressure.Model == "" {
		model = fl.modelBeforeClear(st.Client)
	}
	if model != "" {
		st.Pressure.Model = model
	}
}
