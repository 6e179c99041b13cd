package folder

import (
	"context"
	"errors"
	"io/fs"

	"keepsake/pkg/memdir/mdwalk"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

// Write applies a plan that waited to a directory of Markdown memories. A conflict with our own writing, left
// by a call that was killed after the store had it all, is success.
func Write(ctx context.Context, s *session.Session, dir string, p plan.Plan) error {
	err := s.Notes(dir).Apply(ctx, p)
	if !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrExists) {
		return err
	}
	for _, e := range p.Edits {
		b, rerr := mdwalk.Read(dir, e.Path)
		if rerr != nil && !errors.Is(rerr, fs.ErrNotExist) || plan.DigestOf(b) != plan.DigestOf(e.After) {
			return err
		}
	}
	return nil
}
