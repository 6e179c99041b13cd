// Package listing returns what the client puts into every session of this plugin's skills and agents, so
// that it can be counted and compared with a real request. Only tests and the bench use it.
package listing

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// Limit is how many tokens all lines may have.
const Limit = 300

// Tokens estimates how many tokens of a model the lines are.
func Tokens(lines []string) int { return text.ModelTokens(strings.Join(lines, "\n")) }

// Lines returns the lines that the client lists: one for each skill that the model may call, and one for
// each agent. root is the plugin's folder. A skill that only the person may start is not listed.
func Lines(root string) (skills, agents []string, err error) {
	skills, err = lines(filepath.Join(root, "skills", "*", "SKILL.md"), false)
	if err == nil {
		agents, err = lines(filepath.Join(root, "agents", "*.md"), true)
	}
	return skills, agents, err
}

func lines(pattern string, agents bool) (out []string, err error) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("%s: nothing is there, %w", pattern, err)
	}
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		front := markdown.Parse(b).Front
		name, _ := front.Get("name")
		says, _ := front.Get("description")
		if only, _ := front.Get("disable-model-invocation"); only == "true" {
			continue
		}
		line := "- keepsake:" + name + ": " + says
		if agents {
			tools, _ := front.Get("tools")
			line += " (Tools: " + cmp.Or(tools, "All tools") + ")" // the client says so of none, too
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out, nil
}
