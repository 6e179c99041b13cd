package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
)

// nearLimit is how long a search for similar memories may take. It takes a few milliseconds, and
// the hook has two seconds for everything.
const nearLimit = 700 * time.Millisecond

// nearScore is the least score of a memory that says much the same (recall's
// scale: from 0.6, "about it", to 1), and nearMost how many are named.
const (
	nearScore = 0.95
	nearMost  = 3
)

func near(e rules.Event) func(string) ([]string, error) {
	return func(text string) ([]string, error) {
		return closeTo(layout.Program(), e, text)
	}
}

// closeTo returns this project's memories that say much the same as text. It searches in a process
// of its own, since a hook that mostly says nothing should not link the search index.
func closeTo(program string, e rules.Event, text string) ([]string, error) {
	if _, err := os.Lstat(program); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // not built; doctor says so
	}
	ctx, cancel := context.WithTimeout(context.Background(), nearLimit)
	defer cancel()
	args := []string{"recall", "--json", "--tier", "project", "--limit", strconv.Itoa(nearMost)}
	if e.ProjectDir != "" {
		args = append(args, "--project", e.ProjectDir)
	}
	cmd := exec.CommandContext(ctx, program, append(args, "--", strings.ReplaceAll(text, "\x00", " "))...)
	cmd.Dir = e.Cwd
	cmd.WaitDelay = nearLimit
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("keepsake recall: %w", err)
	}
	var found struct {
		Results []struct {
			Title string
			Score float64
		}
	}
	if err := json.Unmarshal(out, &found); err != nil {
		return nil, fmt.Errorf("keepsake recall: %w", err)
	}
	var titles []string
	for _, r := range found.Results {
		if r.Score >= nearScore {
			titles = append(titles, r.Title)
		}
	}
	return titles, nil
}
