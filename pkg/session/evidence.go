package session

import (
	"keepsake/pkg/capture/evidence"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/origin"
)

// Evidence returns what was said in sessions of the project, for the origins of
// drafts that are made of it. book says in which of them a person sat: at the time
// of the hook, which alone can tell. A session whose transcript is gone has no say.
// git, which may be nil, is asked what was committed.
func (s *Session) Evidence(book *finding.Book, sessions []string, git evidence.Git) (*evidence.Evidence, error) {
	r := evidence.Request{Root: s.Root, Git: git, Open: func(path string) (evidence.File, error) {
		return OpenTranscript(path)
	}, Prompts: func(id string) origin.Source { return s.promptsOf(id, book) }}
	for _, id := range sessions {
		path := s.State.Transcript
		if id == s.ID {
			awaitOwnCall(path)
		} else {
			st, err := s.sessions().Load(id)
			if err != nil {
				continue // what it said is in its findings
			}
			path = st.Transcript
		}
		if path != "" {
			r.Conversations = append(r.Conversations, evidence.Conversation{Session: id, Path: path})
		}
	}
	e, err := evidence.Gather(r)
	if gerr := e.GitError(); gerr != nil {
		s.Fault("trust", "what git has of the project is not known: more is held than has to be", gerr)
	}
	return e, err
}

// promptsOf returns whose words the prompts of a session are: a person's, an agent's
// where nobody sat, and what an agent put into a call where its client was started by
// another one.
func (s *Session) promptsOf(id string, book *finding.Book) origin.Source {
	found := func(from finding.Origin) bool {
		return book != nil && len(book.Each(func(f finding.Status) bool {
			return f.Session == id && f.By.Person() && f.Origin == from
		})) > 0
	}
	switch {
	case id == s.ID && s.nested(), found(finding.NoOrigin):
		return origin.Called
	case id == s.ID && Attends() == nil, found(finding.FromPerson):
		return origin.Person
	}
	return origin.Agent
}
