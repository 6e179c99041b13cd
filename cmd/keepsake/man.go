package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"keepsake/pkg/layout"
)

type manCmd struct {
	Verb []string `arg:"" optional:"" help:"A verb or a group, such as list or md fix (default: all of them)."`
}

func (manCmd) Help() string {
	return `Prints the manual page of a verb or a group, or one of all verbs, in the form that man reads.

Examples:

    keepsake dev man md fix | man -l -
    keepsake dev man > ~/.local/share/man/man1/keepsake.1`
}

func (v manCmd) Run(c *call) error {
	node := c.grammar().Node
	for _, word := range v.Verb {
		i := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word })
		if i < 0 {
			return usage("%s is no verb; keepsake help lists them", strings.Join(v.Verb, " "))
		}
		node = node.Children[i]
	}
	c.block(manual(node))
	return nil
}

// manual returns the manual page of a verb, or of a group with all its verbs.
func manual(node *kong.Node) string {
	var b strings.Builder
	title := strings.ReplaceAll(strings.TrimSpace("keepsake "+pathOf(node)), " ", "-")
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"keepsake %s\" \"Keepsake\"\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n%s\n",
		roff(strings.ToUpper(title)), roff(layout.Version()), roff(title), roff(node.Help),
		roff(synopsis(node)))
	if node.Detail != "" {
		fmt.Fprintf(&b, ".SH DESCRIPTION\n%s", roffText(node.Detail))
	}
	manualOf(&b, node, ".SH ", true)
	for verb := range eachVerb(node) {
		fmt.Fprintf(&b, ".SH %s\n%s\n.PP\n%s\n", roff(strings.ToUpper(pathOf(verb))), roff(synopsis(verb)),
			roff(verb.Help))
		b.WriteString(roffText(verb.Detail))
		manualOf(&b, verb, ".SS ", false)
	}
	b.WriteString(".SH EXIT STATUS\n")
	for _, e := range exits {
		fmt.Fprintf(&b, ".TP\n%d\n%s\n", e.code, roff(e.meaning))
	}
	return b.String()
}

// pathOf returns the words that name a verb, "" for the whole command line.
func pathOf(n *kong.Node) string {
	if n.Parent == nil {
		return ""
	}
	return strings.TrimSpace(pathOf(n.Parent) + " " + n.Name)
}

func synopsis(n *kong.Node) string {
	if n.Parent == nil {
		return "keepsake <command> [flags]"
	}
	return "keepsake " + n.Summary()
}

// manualOf writes the arguments and flags of a verb. With whole it also writes the flags that all verbs
// have.
func manualOf(b *strings.Builder, n *kong.Node, heading string, whole bool) {
	if len(n.Positional) > 0 {
		b.WriteString(heading + "Arguments\n")
		for _, p := range n.Positional {
			fmt.Fprintf(b, ".TP\n%s\n%s\n", roff(p.Summary()), roff(p.Help))
		}
	}
	flags := n.Flags
	if whole {
		flags = flagsOf(n)
	}
	flags = slices.DeleteFunc(slices.Clone(flags), func(f *kong.Flag) bool { return f.Hidden })
	if len(flags) == 0 {
		return
	}
	b.WriteString(heading + "Flags\n")
	for _, f := range flags {
		names := flagNames(f)
		if !f.IsBool() {
			names[0] += "=" + f.FormatPlaceHolder()
		}
		slices.Reverse(names)
		fmt.Fprintf(b, ".TP\n%s\n%s\n", roff(strings.Join(names, ", ")), roff(f.Help))
	}
}

// roff returns one line as man reads it.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}

// roffText returns the long help of a verb as man reads it: what is indented stands as it is.
func roffText(text string) string {
	var b strings.Builder
	indented := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		code := strings.HasPrefix(line, "    ")
		switch {
		case line == "":
			if !indented {
				b.WriteString(".PP\n")
			}
			continue
		case code && !indented:
			b.WriteString(".RS 4\n.nf\n")
		case !code && indented:
			b.WriteString(".fi\n.RE\n.PP\n")
		}
		indented = code
		b.WriteString(roff(strings.TrimPrefix(line, "    ")) + "\n")
	}
	if indented {
		b.WriteString(".fi\n.RE\n")
	}
	return b.String()
}
