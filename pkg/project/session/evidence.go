package session

import (
	"keepsake/pkg/capture/evidence"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/origin"
)

// Evidence returns what was said in sessions of the project, by which the origin of drafts is judged.
// book records in which sessions a person sat, as only a hook can find that out while it runs. Sessions
// whose transcripts are gone are left out. git, which may be nil, reads what was committed.
func (ca *Capture) Evidence(book *finding.Book, sessions []string, git evidence.Git) (*evidence.Evidence,
	error) {
	r := evidence.Request{Root: ca.Root, Git: git, Open: func(path string) (evidence.File, error) {
		return OpenTranscript(path)
	}, Prompts: func(id string) origin.Source { return ca.promptSource(id, book) }}
	for _, id := range sessions {
		path := ca.transcriptOf(id)
		if path == "" {
			continue // its findings have what was said
		}
		if id == ca.ID {
			awaitOwnCall(path)
		}
		r.Conversations = append(r.Conversations, evidence.Conversation{Session: id, Path: path})
	}
	e, err := evidence.Gather(r)
	if gerr := e.GitError(); gerr != nil {
		ca.Fault("trust", "what git has of the project is not known: more is held than has to be", gerr)
	}
	return e, err
}

// promptSource returns the source of a session's prompts: a person, an agent if nobody sat there, or an
// agent's call if another client started this one.
func (ca *Capture) promptSource(id string, book *finding.Book) origin.Source {
	found := func(from finding.Origin) bool {
		return book != nil && len(book.Each(func(f finding.Status) bool {
			return f.Session == id && f.By.Person() && f.Origin == from
		})) > 0
	}
	switch {
	case id == ca.ID && ca.nested(), found(finding.NoOrigin):
		return origin.Called
	case id == ca.ID && ca.attends() == nil, found(finding.FromPerson):
		return origin.Person
	}
	return origin.Agent
}
