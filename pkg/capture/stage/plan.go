package stage

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"keepsake/pkg/plan"
)

// PlanVersion is that of the plans on a desk that this code writes.
const PlanVersion = 1

// newerPlan is a plan of a newer version, which is left as it is.
type newerPlan struct {
	path    string
	version int
}

func (e newerPlan) Error() string {
	return fmt.Sprintf("%s: version %d was written by a newer keepsake", e.path, e.version)
}

func (newerPlan) Is(err error) bool { return err == ErrNewer }

// ReadPlan reads a plan that WriteJSON left on a desk. Of returns the plan that a file has and the digest
// that it promises: one that says something else is refused, and one of a newer version is
// ErrNewer.
func ReadPlan[T any](d Desk, name string, of func(T) (p plan.Plan, digest string)) (file T, err error) {
	b, err := d.Read(name)
	if err != nil {
		return file, err
	}
	path := filepath.Join(d.Dir, name)
	var v struct{ Version int }
	if err := json.Unmarshal(b, &v); err == nil && v.Version > PlanVersion {
		return file, newerPlan{path, v.Version}
	}
	if err := json.Unmarshal(b, &file); err != nil {
		return file, fmt.Errorf("%s: is not a plan: %w", path, err)
	}
	if p, digest := of(file); p.Digest() != digest {
		return file, fmt.Errorf("%s: does not say what its digest promises", path)
	}
	return file, nil
}
