package main

import (
	"iter"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string   `arg:"" help:"bash, zsh or fish." enum:"bash,zsh,fish"`
	At    []string `hidden:"" sep:"none" help:"The words of a command line, the last one begun: print what may stand there."`
}

func (completionCmd) Help() string {
	return `Prints a script that lets your shell complete verbs, flags and their values with the tab key.

Examples:

    keepsake dev completion bash > ~/.local/share/bash-completion/completions/keepsake
    keepsake dev completion zsh > ~/.zfunc/_keepsake
    keepsake dev completion fish > ~/.config/fish/completions/keepsake.fish`
}

func (v completionCmd) Run(c *call) error {
	if len(v.At) == 0 {
		c.block(completionScripts[v.Shell])
		return nil
	}
	for _, o := range completions(c.grammar(), v.At) {
		switch v.Shell {
		case "bash":
			c.line("%s", o.word)
		case "zsh":
			c.line("%s:%s", o.word, o.help)
		default:
			c.line("%s\t%s", o.word, o.help)
		}
	}
	return nil
}

// completionScripts have each shell ask this program what may follow.
var completionScripts = map[string]string{
	"bash": `# bash completion for keepsake
_keepsake() {
	local words=("${COMP_WORDS[@]:1:COMP_CWORD}")
	mapfile -t COMPREPLY < <(keepsake dev completion bash "${words[@]/#/--at=}" 2>/dev/null)
}
complete -o default -F _keepsake keepsake`,
	"zsh": `#compdef keepsake
_keepsake() {
	local -a given=("${(@)words[2,CURRENT]/#/--at=}")
	local -a all=("${(@f)$(keepsake dev completion zsh "${given[@]}" 2>/dev/null)}")
	if [[ -n $all[1] ]]; then _describe keepsake all; else _files; fi
}
if [[ $funcstack[1] == _keepsake ]]; then _keepsake "$@"; else compdef _keepsake keepsake; fi`,
	"fish": `# fish completion for keepsake
function __keepsake_offers
	set -l begun (commandline -ct)
	set -l all (keepsake dev completion fish --at=(commandline -opc)[2..-1] "--at=$begun" 2>/dev/null)
	if set -q all[1]
		string join \n -- $all
	else
		__fish_complete_path "$begun"
	end
end
complete -c keepsake -f -a '(__keepsake_offers)'`,
}

// grammar returns the model of the whole command line.
func (c *call) grammar() *kong.Application {
	parser, _ := c.parser(nil)
	return parser.Model
}

// An offer is a word that may be typed next.
type offer struct{ word, help string }

// completions returns what may stand in the place of the last of some words.
func completions(app *kong.Application, words []string) (all []offer) {
	begun := words[len(words)-1]
	if begun == "=" { // which bash takes for a word of its own
		begun = ""
	}
	n, last := app.Node, ""
	for _, w := range words[:len(words)-1] {
		if i := slices.IndexFunc(shownVerbs(n), func(v *kong.Node) bool { return v.Name == w }); i >= 0 {
			n, w = shownVerbs(n)[i], ""
		}
		if w != "=" {
			last = w
		}
	}
	flags := flagsOf(n)
	if n.DefaultCmd != nil { // whose flags may follow at once
		flags = slices.Concat(flags, n.DefaultCmd.Flags)
	}
	for _, v := range shownVerbs(n) {
		all = append(all, offer{v.Name, v.Help})
	}
	for _, f := range flags {
		if slices.Contains(flagNames(f), last) && f.Enum != "" {
			all = nil
			for value := range strings.SplitSeq(f.Enum, ",") {
				all = append(all, offer{value, ""})
			}
			break
		}
		if f.Hidden {
			continue
		}
		for _, name := range flagNames(f) {
			all = append(all, offer{name, f.Help})
		}
	}
	return slices.DeleteFunc(all, func(o offer) bool {
		return o.word == "" || !strings.HasPrefix(o.word, begun)
	})
}

// shownVerbs returns the verbs of a group that help shows.
func shownVerbs(n *kong.Node) []*kong.Node {
	return slices.DeleteFunc(slices.Clone(n.Children), func(n *kong.Node) bool { return n.Hidden })
}

// eachVerb yields the verbs below a node that help shows, group by group.
func eachVerb(n *kong.Node) iter.Seq[*kong.Node] {
	return func(yield func(*kong.Node) bool) {
		walkVerbs(n, yield)
	}
}

func walkVerbs(n *kong.Node, yield func(*kong.Node) bool) bool {
	for _, child := range shownVerbs(n) {
		if len(child.Children) > 0 {
			if !walkVerbs(child, yield) {
				return false
			}
		} else if !yield(child) {
			return false
		}
	}
	return true
}

// flagsOf returns the flags that a verb takes and help shows, its own last.
func flagsOf(n *kong.Node) (all []*kong.Flag) {
	for _, flags := range n.AllFlags(true) {
		for _, f := range flags {
			if n.Parent == nil || f.Name != "version" { // which no verb has
				all = append(all, f)
			}
		}
	}
	return all
}

// flagNames returns how a flag is typed, the long way first.
func flagNames(f *kong.Flag) []string {
	all := []string{"--" + f.Name}
	if f.Short != 0 {
		all = append(all, "-"+string(f.Short))
	}
	return all
}
