package main

import (
	"errors"
	"io/fs"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/store"
)

// codeNames maps what went wrong to seed 3's code for it and to what is to be
// mended; "" for what has none. Of several troubles the first that has a code
// gives it: a plan is refused as a whole.
func codeNames(err error) (memory.Code, []memory.Problem) {
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
	case errors.Is(err, store.ErrExists):
		code = memory.CodeOverwrite
	case errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrByHand):
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

// refusals are all that an error wraps, in order.
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

func isAbsent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
