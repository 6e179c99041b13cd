package sessionstart

// digest returns what to say about findings that a small model could judge: a row for the person, or a
// request to the agent.
func (s start) digest() (row, context string) {
	if s.source != "startup" && s.source != "clear" {
		return "", ""
	}
	row, context, err := s.DigestAtStart()
	if err != nil {
		s.Fault("sessionstart", "what waits to be judged could not be told", err)
	}
	return row, context
}
