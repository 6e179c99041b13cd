package main

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" help:"bash, zsh or fish." enum:"bash,zsh,fish"`
}

func (completionCmd) Help() string {
	return `Prints a script that lets your shell complete verbs, flags and their values with the tab key.

Examples:

    keepsake dev completion bash > ~/.local/share/bash-completion/completions/keepsake
    keepsake dev completion zsh > ~/.zfunc/_keepsake
    keepsake dev completion fish > ~/.config/fish/completions/keepsake.fish`
}

func (v completionCmd) Run(c *call) error {
	places := completions(c.grammar())
	switch v.Shell {
	case "bash":
		c.block(bashCompletion(places))
	case "zsh":
		c.block(zshCompletion(places))
	default:
		c.block(fishCompletion(places))
	}
	return nil
}

// grammar returns the model of the whole command line.
func (c *call) grammar() *kong.Application {
	parser, _ := c.parser(nil)
	return parser.Model
}

// A completionPlace is where a command line can be: behind the words that name a group or a verb.
type completionPlace struct {
	at    string      // these words with a space before each
	verbs [][2]string // what may follow, with its help
	flags []*kong.Flag
}

// completions returns the places of the command line, the first at its beginning.
func completions(app *kong.Application) (all []completionPlace) {
	var walk func(n *kong.Node, at string)
	walk = func(n *kong.Node, at string) {
		p := completionPlace{at: at}
		p.flags = flagsOf(n)
		for _, child := range shownVerbs(n) {
			p.verbs = append(p.verbs, [2]string{child.Name, child.Help})
		}
		if n.DefaultCmd != nil { // whose flags may follow at once
			for _, f := range n.DefaultCmd.Flags {
				if !f.Hidden {
					p.flags = append(p.flags, f)
				}
			}
		}
		all = append(all, p)
		for _, child := range shownVerbs(n) {
			walk(child, at+" "+child.Name)
		}
	}
	walk(app.Node, "")
	return all
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

// values returns what a flag takes, when that is one of a few.
func values(f *kong.Flag) []string {
	return strings.FieldsFunc(f.Enum, func(r rune) bool { return r == ',' })
}

// shellQuoted returns a text as one word of a shell.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// known returns the places behind a word, as patterns of a shell's case.
func known(places []completionPlace) string {
	var all []string
	for _, p := range places[1:] {
		all = append(all, shellQuoted(p.at))
	}
	return strings.Join(all, "|")
}

func bashCompletion(places []completionPlace) string {
	var b strings.Builder
	b.WriteString(`# bash completion for keepsake
_keepsake() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} at= words= i
	for ((i = 1; i < COMP_CWORD; i++)); do
		case "$at ${COMP_WORDS[i]}" in
`)
	fmt.Fprintf(&b, "\t\t%s) at=\"$at ${COMP_WORDS[i]}\" ;;\n\t\tesac\n\tdone\n", known(places))
	b.WriteString("\tif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n")
	b.WriteString("\tif [[ $cur == = ]]; then prev=${COMP_WORDS[COMP_CWORD-1]} cur=; fi\n")
	b.WriteString("\tcase \"$at $prev\" in\n")
	for _, p := range places {
		for _, f := range p.flags {
			for _, name := range flagNames(f) {
				if v := values(f); len(v) > 0 {
					fmt.Fprintf(&b, "\t%s) words=%s ;;\n", shellQuoted(p.at+" "+name),
						shellQuoted(strings.Join(v, " ")))
				}
			}
		}
	}
	b.WriteString("\tesac\n\tif [[ -z $words ]]; then\n\t\tcase \"$at\" in\n")
	for _, p := range places {
		var words []string
		for _, v := range p.verbs {
			words = append(words, v[0])
		}
		for _, f := range p.flags {
			words = append(words, flagNames(f)...)
		}
		fmt.Fprintf(&b, "\t\t%s) words=%s ;;\n", shellQuoted(p.at), shellQuoted(strings.Join(words, " ")))
	}
	b.WriteString(`		esac
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _keepsake keepsake
`)
	return b.String()
}

func zshCompletion(places []completionPlace) string {
	var b strings.Builder
	b.WriteString("#compdef keepsake\n_keepsake() {\n\tlocal at= word\n\tlocal -a verbs flags given\n" +
		"\tfor word in ${words[2,CURRENT-1]}; do\n\t\tcase \"$at $word\" in\n")
	fmt.Fprintf(&b, "\t\t(%s) at=\"$at $word\" ;;\n\t\tesac\n\tdone\n", known(places))
	b.WriteString("\tcase \"$at ${words[CURRENT-1]}\" in\n")
	for _, p := range places {
		for _, f := range p.flags {
			if v := values(f); len(v) > 0 {
				fmt.Fprintf(&b, "\t(%s) given=(%s) ;;\n", shellQuoted(p.at+" --"+f.Name),
					strings.Join(v, " "))
			}
		}
	}
	b.WriteString("\tesac\n\tcase \"$at\" in\n")
	for _, p := range places {
		fmt.Fprintf(&b, "\t(%s)\n", shellQuoted(p.at))
		if len(p.verbs) > 0 {
			b.WriteString("\t\tverbs=(")
			for _, v := range p.verbs {
				fmt.Fprintf(&b, "\n\t\t\t%s", shellQuoted(v[0]+":"+v[1]))
			}
			b.WriteString(")\n")
		}
		b.WriteString("\t\tflags=(")
		for _, f := range p.flags {
			for _, name := range flagNames(f) {
				fmt.Fprintf(&b, "\n\t\t\t%s", shellQuoted(name+":"+f.Help))
			}
		}
		b.WriteString(") ;;\n")
	}
	b.WriteString(`	esac
	if (( $#given )); then
		compadd -a given
	elif [[ $PREFIX == -* ]]; then
		_describe flag flags
	elif (( $#verbs )); then
		_describe verb verbs
	else
		_files
	fi
}
if [[ $funcstack[1] == _keepsake ]]; then _keepsake "$@"; else compdef _keepsake keepsake; fi
`)
	return b.String()
}

func fishCompletion(places []completionPlace) string {
	var b strings.Builder
	b.WriteString("# fish completion for keepsake\nfunction __keepsake_at\n\tset -l at ''\n" +
		"\tfor word in (commandline -opc)[2..-1]\n\t\tswitch \"$at $word\"\n")
	fmt.Fprintf(&b,
		"\t\t\tcase %s\n\t\t\t\tset at \"$at $word\"\n\t\tend\n\tend\n\ttest \"$at\" = \"$argv[1]\"\nend\n",
		strings.ReplaceAll(known(places), "|", " "))
	for _, p := range places {
		start := "complete -c keepsake -n " + fishQuoted("__keepsake_at "+fishQuoted(p.at))
		for _, v := range p.verbs {
			fmt.Fprintf(&b, "%s -f -a %s -d %s\n", start, v[0], fishQuoted(v[1]))
		}
		for _, f := range p.flags {
			line := start + " -l " + f.Name
			if f.Short != 0 {
				line += " -s " + string(f.Short)
			}
			if v := values(f); len(v) > 0 {
				line += " -x -a " + fishQuoted(strings.Join(v, " "))
			} else if !f.IsBool() {
				line += " -r"
			}
			fmt.Fprintf(&b, "%s -d %s\n", line, fishQuoted(f.Help))
		}
	}
	return b.String()
}

// fishQuoted returns a text as one word of fish.
func fishQuoted(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}
