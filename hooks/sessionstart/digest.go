package main

// digest returns what is told of findings that a small model could judge: a row for the person, or
// what the agent is to do.
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
