package store

import (
	"errors"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// CodeOf returns claude-memory's code for an error, or "" if it has none, and the problems to be
// repaired. If several refusals have a code, it returns the first.
func CodeOf(err error) (memory.Code, []memory.Problem) {
	var problems []memory.Problem
	var code memory.Code
	for _, r := range refusals(err) {
		if code == "" {
			code = r.Code
		}
		problems = append(problems, r.Problem)
	}
	var invalid *memory.ValidationError
	var path *plan.PathError
	switch {
	case code != "":
	case errors.As(err, &invalid):
		return memory.CodeValidation, invalid.Problems
	case errors.Is(err, ErrExists):
		code = memory.CodeOverwrite
	case errors.Is(err, ErrConflict), errors.Is(err, ErrByHand):
		code = memory.CodeConflict
	case errors.Is(err, disk.ErrLocked):
		code = memory.CodeLockTimeout
	case errors.Is(err, memory.ErrNewer):
		code = memory.CodeRead
	case errors.As(err, &path), errors.Is(err, disk.ErrNotRegular):
		code = memory.CodePath
	}
	return code, problems
}

// refusals returns all that an error wraps, in order.
func refusals(err error) (out []*memory.Refusal) {
	if r, ok := err.(*memory.Refusal); ok {
		return []*memory.Refusal{r}
	}
	switch w := err.(type) {
	case interface{ Unwrap() error }:
		return refusals(w.Unwrap())
	case interface{ Unwrap() []error }:
		for _, e := range w.Unwrap() {
			out = append(out, refusals(e)...)
		}
	}
	return out
}
