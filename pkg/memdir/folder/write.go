package folder

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"keepsake/pkg/memdir/mdwalk"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

// Write applies a plan that waited to a directory of Markdown memories. A conflict with our own writing, left
// by a call that was killed after the store had it all, is success.
func Write(ctx context.Context, s *session.Session, dir string, p plan.Plan) error {
	err := s.Notes(dir).Apply(ctx, p)
	if (errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrExists)) && isMade(dir, p) {
		return nil
	}
	return err
}

// isMade reports whether every file of a directory is as a plan makes it.
func isMade(dir string, p plan.Plan) bool {
	return !slices.ContainsFunc(p.Edits, func(e plan.Edit) bool {
		b, err := mdwalk.Read(dir, e.Path)
		return err != nil && !errors.Is(err, fs.ErrNotExist) || plan.DigestOf(b) != plan.DigestOf(e.After)
	})
}
