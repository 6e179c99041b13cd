package sessionstart

import "keepsake/pkg/brief"

// installation adds to a message for the person that there is a newer version, once for each, and in their
// first session how they type keepsake: whoever installs a release has not seen where it is.
func (s start) installation(message string) string {
	if !s.Attended() || s.source == "compact" {
		return message
	}
	plugin, version, err := s.NewerOnce()
	if err != nil {
		s.Fault("sessionstart", "whether there is a newer version could not be found out", err)
	}
	program, err := s.Unlinked()
	if err != nil {
		s.Fault("sessionstart", "how keepsake is typed in a terminal could not be told", err)
	}
	return join(message, brief.Newer(plugin, version), brief.LinkHint(program))
}
