package candidate

import "time"

// A Report is the outcome of the last document of a memory-keeper.
type Report struct {
	Version  int       `json:"version"`
	Time     time.Time `json:"time"`
	Session  string    `json:"session,omitempty"`
	Read     int       `json:"read"` // as the keeper counted; -1 where it did not say
	Proposed int       `json:"proposed"`
	Left     int       `json:"left"`
	Cut      bool      `json:"cut,omitempty"` // the document was too long to be read whole
	Items    []Item    `json:"items"`
	Document string    `json:"document"` // as it came, secrets redacted
}

// An Item is one candidate of a document.
type Item struct {
	Line   int    `json:"line"` // of the document
	Title  string `json:"title,omitempty"`
	Source string `json:"source"`
	ID     string `json:"id,omitempty"`   // on the inbox; "" when it was not taken
	Why    string `json:"why,omitempty"`  // why it was not taken
	Like   string `json:"like,omitempty"` // the candidate that says the same
}

// Taken counts the candidates that went on the inbox.
func (r Report) Taken() (n int) {
	for _, i := range r.Items {
		if i.Why == "" {
			n++
		}
	}
	return n
}

const reportFile = "report.json"

// Tell stores a report in place of the last one.
func (b Box) Tell(r Report) error {
	r.Version = Version
	return b.folder().Change(func() error { return b.folder().Save(reportFile, r) })
}

// Told returns the last report. If there is none, its time is zero.
func (b Box) Told() (r Report, err error) {
	err = b.folder().Load(reportFile, &r)
	return r, err
}
