// Package verbs is the one table of what Keepsake's command line can do: for each verb
// who may run it, which flags only look, and what it writes. The command line is checked
// against it by a test, the gate judges by it, and docs/cli.md is printed from it.
package verbs

import "strings"

// A Verb is one thing that the command line can do.
type Verb struct {
	Name    string // as help shows it, "md fix"
	Old     string // an earlier spelling that still works, "fmt"; "" for none
	Default bool   // the last word of either may be left out
	Agent   Agent
	Does    Effect
	Looks   string // the flag with which it writes nothing
	With    string // the flag without which it writes nothing
	Only    string // the only flags with which an agent may run it unasked; "" for any
	Prints  Prints
	Writes  string // what it writes, for people to read; "" for nothing
}

// Agent says whether an agent may run a verb of its own accord.
type Agent uint8

const (
	// Asked is a verb that the client's own settings decide about. Mostly the client asks.
	Asked Agent = iota
	// Free is a verb for which the gate clears the way.
	Free
	// Saves is Free, but not in plan mode.
	Saves
	// Adds is Saves where the settings let an agent write Markdown memories, and Free where
	// it only looks.
	Adds
	// Looks is Free where it only looks, and else Asked.
	Looks
	// Person is a verb that only the person may run.
	Person
)

// Saves reports whether an agent may have a verb write, without being asked, what it was told to keep. Where
// the client's sandbox keeps Bash from writing, the gate runs such a verb outside of it. So none of them may
// take a path to write to.
func (v Verb) Saves() bool { return v.Agent == Saves || v.Agent == Adds || v.Does == Stage }

// Effect is what a verb does to what is kept, as far as the gate tells verbs apart.
type Effect uint8

const (
	// Nothing changes.
	Nothing Effect = iota
	// Stage is a verb that writes only to the session's desk.
	Stage
	// File is a verb that writes only a file that it is given.
	File
	// Other is a verb that writes something that is no memory: indexes, the inbox, git's settings.
	Other
	// Keeps is a verb that keeps notes, and with the tier WHY keeps something for good.
	Keeps
	// ForGood is a verb that keeps something for good.
	ForGood
	// Records is a verb that adds to the records, or changes them.
	Records
	// Forgets is a verb that takes a record out of what is recalled.
	Forgets
	// BringsBack is a verb that makes a record active again.
	BringsBack
	// Undoes is a verb that takes back a plan, of whatever memories.
	Undoes
	// Markdown is a verb that adds to the Markdown memories, or changes single lines of them.
	Markdown
	// Reorganises is a verb that may move all that the Markdown memories have.
	Reorganises
	// Answers is a verb that answers in the person's place.
	Answers
	// Settings is a verb that changes settings.
	Settings
)

// Prints says whose words a verb prints.
type Prints uint8

const (
	// Held are words that Keepsake holds.
	Held Prints = iota
	// Files are words of the files that the arguments name, or of what Keepsake holds where they
	// name none.
	Files
	// Given are words of the arguments or of the standard input.
	Given
)

// All returns the table, in the order of help.
func All() []Verb { return table[:] }

// Find returns the verb that words begin with, and how many of them name it. Where they name no
// verb it returns nil, and n is how many of them are the beginning of one.
func Find(words []string) (v *Verb, n int) {
	for i := range table {
		for _, spelling := range [...]string{table[i].Name, table[i].Old} {
			k, whole := match(words, spelling, table[i].Default)
			if whole && (v == nil || k > n) {
				v, n = &table[i], k
			} else if v == nil {
				n = max(n, k)
			}
		}
	}
	return v, n
}

// match returns how many words are the beginning of a spelling, and whether they are the whole of
// it.
func match(words []string, spelling string, short bool) (n int, whole bool) {
	for rest := spelling; rest != ""; n++ {
		var word string
		word, rest, _ = strings.Cut(rest, " ")
		if n == len(words) || words[n] != word {
			return n, n > 0 && rest == "" && short
		}
	}
	return n, n > 0
}

// Spellings returns the ways to write a verb, the first as help shows it.
func (v Verb) Spellings() (all []string) {
	for _, name := range [...]string{v.Name, v.Old} {
		if name == "" {
			continue
		}
		all = append(all, name)
		if v.Default {
			all = append(all, name[:strings.LastIndexByte(name, ' ')])
		}
	}
	return all
}

// A Call is a call of the command line.
type Call struct {
	Verb  *Verb    // nil if the words name no verb
	Words []string // the first ones, without options
	Named int      // how many of Words name the verb, or lead to one
	Args  []string // the arguments behind the verb, or all if there is no verb
}

// Read returns the verb of Keepsake's command line behind its options. Between the words of a
// verb it passes over the options that all verbs have, as the program does. Behind any other option
// a word may be its value. Where that leads to no verb, it passes over these options as well.
func Read(args []string) (c Call) {
	for _, anyOption := range [...]bool{false, true} {
		var ends []int // of each word in args
		c = Call{}
	words:
		for i := 0; i < len(args) && len(c.Words) < 4; i++ {
			switch a := args[i]; {
			case a == "--session" || a == "--project":
				i++ // its value
			case a == "" || a[0] != '-':
				c.Words, ends = append(c.Words, a), append(ends, i+1)
			case len(c.Words) > 0 && !anyOption && !strings.HasPrefix(a, "--session=") &&
				!strings.HasPrefix(a, "--project="):
				break words
			}
		}
		c.Verb, c.Named = Find(c.Words)
		if c.Args = args; c.Named > 0 {
			c.Args = args[ends[c.Named-1]:]
		}
		if c.Verb != nil {
			return c
		}
	}
	return c
}

// StandsForVerb reports whether what follows the words of a group was once the first word of
// the command line.
func StandsForVerb(group []string) bool {
	if len(group) == 0 {
		return true
	}
	name := strings.Join(group, " ") + " "
	for _, v := range table {
		if v.Old != "" && strings.HasPrefix(v.Name, name) &&
			strings.Count(v.Name, " ")-strings.Count(v.Old, " ") == len(group) {
			return true
		}
	}
	return false
}
