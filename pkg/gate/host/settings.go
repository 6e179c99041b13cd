package host

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/config"
)

// settings returns a function that answers for the checkpoints that a person's settings decide. It
// reads the files at the first question.
func settings(e rules.Event) func(string) rules.Decision {
	answers := sync.OnceValue(func() map[string]string { return answers(e) })
	return func(at string) rules.Decision {
		switch answers()[at] {
		case "off":
			return rules.Pass
		case "deny":
			return rules.Deny
		}
		return rules.Ask
	}
}

// answers reads the settings. Only the person's own file may loosen a checkpoint. It is found below
// the home of the client's folder, without a variable. A file that variables name instead counts
// like a project's.
func answers(e rules.Event) map[string]string {
	own, named := personalFiles(e)
	project, _ := ReadSmall(layout.Project(e.ProjectDir, e.Cwd).Settings())
	c, _ := config.Parse(own, project, os.Environ()...)
	n, _ := config.Parse(own, named)
	order := []string{"off", "ask", "deny"}
	for checkpoint, answer := range n.Gate {
		if slices.Index(order, answer) > slices.Index(order, c.Gate[checkpoint]) {
			c.Gate[checkpoint] = answer
		}
	}
	return c.Gate
}

// personalFiles returns the person's own file, and the one that variables name.
func personalFiles(e rules.Event) (own, named []byte) {
	d := layout.Load()
	named, _ = ReadSmall(d.Settings())
	home := clientHome(e)
	switch {
	case home == "":
	case os.Getenv("HOME") == home && os.Getenv("XDG_CONFIG_HOME") == "":
		own = named // where this system has it
	default:
		own, _ = ReadSmall(layout.UsualDirs(home).Settings())
	}
	return own, named
}

// clientHome returns the home of the client's folder, whose settings are the person's. It is ""
// where there is none, or where it is a part of the project, which anybody may have made.
func clientHome(e rules.Event) string {
	home := layout.HomeOf(e.Transcript)
	if home == "" {
		return ""
	}
	p := layout.Project(e.ProjectDir, e.Cwd)
	if layout.Inside(home, e.ProjectDir, p.Dir, p.Home) {
		return ""
	}
	return home
}

// autoMemory returns the directories that the client's settings give its auto memory, beside the
// usual one, and the one that Keepsake's settings name.
func autoMemory(e rules.Event) []string {
	client := layout.Client(e.Transcript)
	homes := layout.Homes(client)
	var dirs []string
	add := func(dir string) {
		if rest, ok := strings.CutPrefix(dir, "~/"); ok {
			for _, h := range homes {
				dirs = append(dirs, filepath.Join(h, rest))
			}
		} else if dir != "" {
			dirs = append(dirs, dir)
		}
	}
	for _, file := range append(layout.ClientSettings(client),
		layout.ClientSettings(layout.ClientIn(e.ProjectDir))...) {
		var conf struct {
			Dir string `json:"autoMemoryDirectory"`
		}
		b, ok := ReadSmall(file)
		if !filepath.IsAbs(file) || !ok || json.Unmarshal(b, &conf) != nil {
			continue
		}
		add(conf.Dir)
	}
	own, named := personalFiles(e)
	for _, file := range [][]byte{own, named} {
		c, _ := config.Parse(file, nil)
		add(c.Memdir.Dir)
	}
	return slices.Compact(dirs)
}
