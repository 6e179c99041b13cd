package approval

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"
)

// since returns when a call was first asked about.
func (r Request) since() time.Time {
	if r.First.IsZero() {
		return r.Asked
	}
	return r.First
}

// times returns how often a call was asked about.
func (r Request) times() int { return max(r.Times, 1) }

// repeats reports whether o is the same call with the same words for the person, perhaps of another session.
func (r Request) repeats(o Request) bool {
	return r.Digest == o.Digest && r.Project == o.Project && r.Cwd == o.Cwd && r.Writes == o.Writes &&
		r.Line == o.Line
}

// repeatIn returns the request of a session that repeats r, and where it is. If there is none it returns r.
func (d Dir) repeatIn(session string, r Request, where string) (Request, string) {
	for _, folder := range [...]string{"asked", "declined"} {
		all, _ := d.readAll(folder) // what can't be read is not answered
		for _, o := range all {
			if o.Session == session && o.repeats(r) {
				return o, folder
			}
		}
	}
	return r, where
}

// answerRepeats settles the requests of other sessions for a call that was answered: to is "given" or
// "refused". After a yes they no longer wait, and can still be approved by their ids. A no is for all.
func (d Dir) answerRepeats(r Request, to string) error {
	all, err := d.readAll("asked")
	errs := []error{err}
	if to == "given" {
		to = "declined"
	}
	for _, o := range all {
		if o.ID == r.ID || !o.repeats(r) {
			continue
		}
		err := d.makeDir(to)
		if err == nil {
			err = os.Rename(d.requestPath("asked", o.ID), d.requestPath(to, o.ID))
		}
		switch {
		case errors.Is(err, fs.ErrNotExist): // answered meanwhile
			err = nil
		case err == nil && to == "refused":
			o.By, o.Answered = r.By, r.Answered
			err = d.writeRequest(to, o)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Range returns the requests of a list from one id to another, or none if they don't stand there in that
// order.
func Range(all []Request, first, last string) []Request {
	from := slices.IndexFunc(all, func(r Request) bool { return r.ID == first })
	to := slices.IndexFunc(all, func(r Request) bool { return r.ID == last })
	if from < 0 || to < from {
		return nil
	}
	return all[from : to+1]
}
