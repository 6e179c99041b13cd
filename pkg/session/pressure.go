package session

import (
	"keepsake/pkg/brief"
	"keepsake/pkg/config"
	"keepsake/pkg/stage"
	"keepsake/pkg/transcript"
	"keepsake/pkg/triage"
)

// Fill notes in the state how full the model's context window is after a stretch
// of the conversation. The window is the setting's, or that of the model; a
// compaction empties it until the next answer.
func (s *Session) Fill(st *stage.State, span transcript.Span) {
	p := &st.Pressure
	if span.Compacted {
		p.Used = 0
	}
	if used := span.Usage.Context(); used > 0 {
		p.Used, p.Window = used, transcript.Window(p.Model, span.Model)
	}
	if w := s.Config.Capture.Window; w > 0 {
		p.Window = int64(w)
	}
}

// Full says how full the window is. The zero Full is not full, or unknown.
func (s *Session) Full(st stage.State) brief.Full {
	p := st.Pressure
	at := triage.PressureOf(p.Used, p.Window)
	if at == triage.Calm {
		return brief.Full{}
	}
	return brief.Full{At: at, Percent: int(100 * p.Used / p.Window)}
}

// Asks says that the agent of this session is told of how full the window is: where a
// person is there, and has not set that it is never told to save.
func (s *Session) Asks() bool {
	return Attended() && s.Config.Triage.Enabled && s.Config.Capture.OnStop == config.Save && s.Config.Capture.MaxSaves > 0
}

// Pressed says that what only comes near its threshold is staged, too.
func (s *Session) Pressed(st stage.State) bool { return s.Full(st).At >= triage.Alert }

// model is the model of a session that begins by /clear, which the client does not
// name: that of the session which it ended.
func (s *Session) model(client stage.Process) string {
	all, _ := s.sessions().All()
	for _, st := range all {
		if st.Session != s.ID && st.Client == client && client.PID > 0 && st.Pressure.Model != "" {
			return st.Pressure.Model
		}
	}
	return ""
}

// Runs notes the model that the client named when the session began or went on;
// "" is none, and after /clear that of the session before.
func (s *Session) Runs(st *stage.State, model, source string) {
	if model == "" && source == "clear" && st.Pressure.Model == "" {
		model = s.model(st.Client)
	}
	if model != "" {
		st.Pressure.Model = model
	}
}
