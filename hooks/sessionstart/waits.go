package sessionstart

// waits returns a row for the person about how much of earlier sessions waits for them. The model is not
// told: it saves only what its own session said.
func (s start) waits() string {
	if !s.Attended() || !s.Listens() || s.source == "compact" {
		return ""
	}
	w, err := s.EarlierFindings(s.now)
	if err != nil {
		s.Fault("sessionstart", "what waits of earlier sessions could not be counted", err)
	}
	return w.Row()
}
