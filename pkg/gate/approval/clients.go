package approval

import (
	"errors"
	"slices"
	"time"
)

// Clients are the folders of all clients of a person. At a terminal they are one list.
type Clients []Dir

// Waiting is [Dir.Waiting] of all of them, in the same order.
func (c Clients) Waiting(now time.Time) (all []Request, err error) {
	for _, d := range c {
		some, derr := d.Waiting(now)
		all, err = append(all, some...), errors.Join(err, derr)
	}
	slices.SortStableFunc(all, func(a, b Request) int { return a.since().Compare(b.since()) })
	return all, err
}

// Answered is [Dir.Answered] of all of them.
func (c Clients) Answered(now time.Time) (given, refused []Request, err error) {
	for _, d := range c {
		g, r, derr := d.Answered(now)
		given, refused, err = append(given, g...), append(refused, r...), errors.Join(err, derr)
	}
	return given, refused, err
}

// Settled is [Dir.Settled] of all of them.
func (c Clients) Settled(since time.Time) (all []Outcome, err error) {
	for _, d := range c {
		some, derr := d.Settled(since)
		all, err = append(all, some...), errors.Join(err, derr)
	}
	return all, err
}

// Running is [Dir.Running] of any of them.
func (c Clients) Running(now time.Time) bool {
	return slices.ContainsFunc(c, func(d Dir) bool { return d.Running(now) })
}

// Find is [Dir.Find] in the first of them that knows the id.
func (c Clients) Find(id string) (Request, error) {
	_, r, err := c.find(id)
	return r, err
}

// Approve is [Dir.Approve] in the first of them that knows the id.
func (c Clients) Approve(id string, by By, session string, now time.Time) (Request, error) {
	d, r, err := c.find(id)
	if err != nil {
		return r, err
	}
	return d.Approve(id, by, session, now)
}

// Reject is [Dir.Reject] in the first of them that knows the id.
func (c Clients) Reject(id string, by By, session string, now time.Time) (Request, error) {
	d, r, err := c.find(id)
	if err != nil {
		return r, err
	}
	return d.Reject(id, by, session, now)
}

// Unanswer is [Dir.Unanswer] in the first of them that knows the id.
func (c Clients) Unanswer(id string) (Request, error) {
	for _, d := range c {
		if r, err := d.Unanswer(id); !errors.Is(err, ErrUnknown) {
			return r, err
		}
	}
	return Request{}, ErrUnknown
}

func (c Clients) find(id string) (Dir, Request, error) {
	err := ErrUnknown
	for _, d := range c {
		if r, derr := d.Find(id); !errors.Is(derr, ErrUnknown) {
			return d, r, derr
		}
	}
	return "", Request{}, err
}
