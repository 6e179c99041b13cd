package tiers

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/layout"
)

// RouterSkill is the skill that tiers.router can name: a router of its own, which
// picks what answers where something is and why.
const RouterSkill = "code-memory-router"

// A Router is that skill, installed. A program can't run a skill. It returns which skill to call with which
// words, and the agent calls it.
type Router struct {
	Skill string // as the agent's tool names it
	Path  string // of its SKILL.md
}

// RouterHomes returns the directories below which the skill can be installed, in the order of looking: the
// client's configuration directory, and that of all agents in the person's home.
func RouterHomes(client string) (homes []string) {
	home, err := os.UserHomeDir()
	if err == nil && filepath.IsAbs(home) {
		homes = append(homes, layout.ClientIn(home), layout.AgentsIn(home))
	}
	if filepath.IsAbs(client) && !slices.Contains(homes, filepath.Clean(client)) {
		homes = append([]string{filepath.Clean(client)}, homes...)
	}
	return homes
}

// errNoRouter means that the skill is not installed. It has the hint how to install it.
var errNoRouter = errors.New("tiers.router is code-memory-router, and no skill of that name is installed; " +
	"hint: in Claude Code: /plugin marketplace add OthmanAdi/code-memory-router, then /plugin install " +
	"code-memory-router@code-memory-router; hint: without the plugin: copy its SKILL.md to " +
	"~/.claude/skills/code-memory-router/SKILL.md; hint: keepsake config set tiers.router builtin has " +
	"Keepsake ask instead")

// FindRouter looks for the skill in these directories: as a skill of its own, and
// as one that came with a plugin.
func FindRouter(homes []string) (Router, error) {
	for _, home := range homes {
		path := filepath.Join(home, "skills", RouterSkill, "SKILL.md")
		if isFile(path) {
			return Router{RouterSkill, path}, nil
		}
		// marketplace, plugin, version
		caches, err := os.ReadDir(filepath.Join(home, "plugins", "cache"))
		if err != nil {
			continue
		}
		for _, market := range caches {
			plugin := filepath.Join(home, "plugins", "cache", market.Name(), RouterSkill)
			versions, err := os.ReadDir(plugin)
			if err != nil {
				continue
			}
			for _, v := range slices.Backward(versions) { // the newest, as names go
				for _, path := range []string{
					filepath.Join(plugin, v.Name(), "SKILL.md"), // a plugin of one skill
					filepath.Join(plugin, v.Name(), "skills", RouterSkill, "SKILL.md"),
				} {
					if isFile(path) {
						return Router{RouterSkill + ":" + RouterSkill, path}, nil
					}
				}
			}
		}
	}
	return Router{}, errNoRouter
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Ask returns the text to call the skill with for a question: the question itself, with the tier's word
// before it unless it begins with that.
func (Router) Ask(tier, question string) string {
	lead := strings.ToLower(tier)
	if first, _, _ := strings.Cut(strings.ToLower(question), " "); first == lead {
		return question
	}
	return lead + ": " + question
}

// Save returns the text to call the skill with to keep a text for good. tag is the project's.
func (Router) Save(tier, tag, text string) string {
	if strings.EqualFold(tier, "where") {
		return "save where something is in the project " + tag + ": " + text
	}
	return "save to MemPalace for the project " + tag + ": " + text
}
