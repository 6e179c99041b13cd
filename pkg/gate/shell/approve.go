package shell

import (
	"slices"
	"strings"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/verbs"
	"keepsake/pkg/why/palace"
)

// prompts stops a prompt or a message that would approve in the person's place.
func (j *judge) prompts() {
	if !j.parse() {
		if approves(string(j.call.Args)) {
			j.addFinding(rules.RuleApproval, j.call.Tool)
		}
		return
	}
	for _, text := range stringsIn(j.args, 0) {
		switch {
		case approves(text) || typesAnswer(text):
			j.addFinding(rules.RuleApproval, j.call.Tool)
		case typesSave(text):
			j.addFinding(rules.RuleSpoken, j.call.Tool)
		}
	}
}

// approves reports whether a text holds the command or the slash command that answers
// for the person, in words or as a list of arguments.
func approves(text string) bool {
	for rest := range behind(lower(text), "keepsake") {
		words := rest[:min(len(rest), 64)]
		if words = strings.TrimLeft(words, " \t:\"',[]()\\"); len(words) == len(rest) {
			continue
		}
		if inbox, ok := strings.CutPrefix(words, "inbox"); ok {
			words = strings.TrimLeft(inbox, " \t\"',")
		}
		if answers(words) {
			return true
		}
	}
	return false
}

// answers reports whether a text begins with the verb of an answer.
func answers(text string) bool {
	for _, verb := range [...]string{"approve", "reject"} {
		if len(text) >= len(verb) && strings.EqualFold(text[:len(verb)], verb) &&
			(len(text) == len(verb) || !letter(text[len(verb)]|0x20)) {
			return true
		}
	}
	return false
}

// slashCommands returns the slash commands in a text, as keys typed into a client: by their long or their
// short names, in small letters.
func slashCommands(text string) (all []string) {
	for l := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(l, " \t\"'"), "/"); ok {
			all = append(all, strings.TrimPrefix(lower(strings.TrimSpace(rest)), "keepsake:"))
		}
	}
	return all
}

// typesAnswer reports whether a text has a slash command that answers for the person.
func typesAnswer(text string) bool { return slices.ContainsFunc(slashCommands(text), answers) }

// typesSave reports whether a text has the slash command that saves what a person types behind it. Keepsake
// would take that text for the person's words.
func typesSave(text string) bool {
	return slices.ContainsFunc(slashCommands(text), func(c string) bool {
		verb, what, _ := strings.Cut(c, " ")
		return verb == "save" && strings.TrimSpace(what) != ""
	})
}

// canStart reports whether code can start a program, drive a terminal or reach a socket.
func canStart(text string) bool {
	return containsAny(strings.ToLower(text), "subprocess", "system(", "popen", "spawn", "exec", "pty",
		"socket", "child_process", "pexpect", "qx", "`", "do script", "do shell script", "keystroke")
}

// answersFor stops a command that passes an approval to another program, in the arguments f or in its
// input.
func (s *shell) answersFor(f []string, in source) {
	for _, text := range append([]string{s.standing(in)}, f[1:]...) {
		if typesAnswer(text) || strings.Contains(text, "/keepsake:") && approves(text) {
			s.addFinding(rules.RuleApproval, commandText(f))
			return
		}
	}
}

// keepsake judges a call of Keepsake's own program, whatever its path: it stops the verbs that only the
// person may run, and judges what would be kept for good. All other verbs are left to the normal
// permission flow, or roads.go allows them.
func (s *shell) keepsake(f []string) {
	own := ownCall{verbs.Read(f[1:])}
	if own.Verb == nil {
		s.unknownVerb(own, f)
	} else {
		s.judgeVerb(own, f)
	}
	if s.unattended() && !s.onlyLooks(own) {
		s.addFinding(rules.RuleSpoken, commandText(f),
			"It would run apart from the client, and count as the person's own command.")
	}
}

// An ownCall is a call of Keepsake's own program.
type ownCall struct{ verbs.Call }

// looks reports whether the call has the verb's flag to change nothing.
func (c ownCall) looks() bool { return c.Verb.Looks != "" && isDryRun(c.Args) }

// writes reports whether a call has the flag without which its verb writes nothing, by itself
// or among flags of one letter, or may have it.
func (c ownCall) writes() bool {
	if c.Verb.With == "" {
		return true
	}
	name := strings.TrimLeft(c.Verb.With, "-")
	for _, a := range palace.Options(c.Args) {
		if hasHole(a) || strings.HasPrefix(a, c.Verb.With) || strings.HasPrefix(a, "--"+name[:1]) ||
			strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.Contains(a, name[:1]) {
			return true
		}
	}
	return false
}

// unknownVerb judges a call that names no verb of Keepsake: it may become a verb, or be one of a
// later version by which the person answers.
func (s *shell) unknownVerb(c ownCall, f []string) {
	group, next := "", ""
	if c.Named > 0 {
		group = c.Words[0]
	}
	if c.Named < len(c.Words) {
		next = c.Words[c.Named]
	}
	switch {
	case next == "":
	case group == "gate":
		s.addFinding(rules.RuleApproval, "keepsake gate "+next)
	case group == "project":
		if !palace.Helps(c.Args) && !isDryRun(c.Args) {
			s.addFinding(rules.RuleAutoMemory, commandText(f))
		}
	case hasHole(next) && verbs.StandsForVerb(c.Words[:c.Named]):
		s.promote(f)
	}
}

// judgeVerb is keepsake for one verb and its arguments.
func (s *shell) judgeVerb(c ownCall, f []string) {
	idle := palace.Helps(c.Args) || c.looks() || !c.writes()
	switch c.Verb.Does {
	case verbs.Answers:
		typed := "keepsake " + strings.Join(c.Words[:c.Named], " ")
		switch {
		case c.Verb.With == "" && (len(c.Args) != 1 || !palace.Helps(c.Args)):
			s.addFinding(rules.RuleApproval, typed)
		case c.Verb.With != "" && !idle: // what it would take out of the memories is the person's to say
			s.addFinding(rules.RuleApproval, typed+" "+c.Verb.With)
		}
	case verbs.ForGood:
		if !idle {
			s.promote(f)
		}
	case verbs.Keeps:
		if tierWhy(c.Args) && !c.looks() {
			s.promote(f)
		}
	case verbs.Settings:
		if slices.ContainsFunc(c.Args, changesGate) {
			s.addFinding(rules.RuleOwnFile, commandText(f))
		}
	case verbs.Markdown, verbs.Reorganises, verbs.Forgets:
		if idle {
			return
		}
		rule := rules.RuleAutoMemory
		if c.Verb.Does == verbs.Forgets {
			rule = rules.RuleForget
		}
		if c.Verb.Does == verbs.Reorganises || c.Verb.Name == "md snapshot restore" {
			s.askEffect(c, f) // its question says the most
		}
		s.addFinding(rule, commandText(f))
		if c.Verb.Does != verbs.Markdown && s.reorganises == "" {
			s.reorganises = commandText(f)
		}
	case verbs.Undoes:
		if idle {
			return
		}
		if !onlyNotesOf(c.Args) { // else it may be a plan of the records, for all that shows
			s.addFinding(rules.RuleForget, commandText(f))
		}
		s.addFinding(rules.RuleAutoMemory, commandText(f))
	case verbs.BringsBack:
		if !idle {
			s.addFinding(rules.RuleBringBack, commandText(f))
		}
	default:
		if c.Words[0] != "inbox" {
			return
		}
		for _, a := range c.Args { // an answer behind an option, or none that can be told
			if a == "approve" || a == "reject" || c.Verb.Default && hasHole(a) {
				s.addFinding(rules.RuleApproval, "keepsake inbox "+a)
			}
		}
	}
}

// changesGate reports whether an argument of config set is, or may be, a key that loosens the gate: one
// that sets what the gate asks about, which program keeps things for good and where, or what a session
// may move by itself.
func changesGate(a string) bool {
	for _, key := range [...]string{"gate", "tiers.why", "tiers.mempalace", "memdir.dir", "memdir.profile",
		"scope.root", "upkeep.auto"} {
		if strings.HasPrefix(a, key) {
			return true
		}
	}
	return hasHole(a)
}

// onlyNotesOf reports whether the arguments of an undo name a directory of Markdown memories, so that no
// plan of records is undone. An empty name does not count.
func onlyNotesOf(args []string) bool {
	dirs := valuesOf(palace.Options(args), "--dir")
	return len(dirs) > 0 && !holed(palace.Options(args)) && !slices.Contains(dirs, "")
}

// tierWhy reports whether arguments choose, or may choose, the tier that is kept for good.
func tierWhy(args []string) bool {
	for i, a := range args {
		name, tier, joined := strings.Cut(a, "=")
		if !joined && i+1 < len(args) {
			tier = args[i+1]
		}
		if (name == "--tier" || name == "-t") &&
			(strings.EqualFold(strings.Trim(tier, `"'`), "why") || hasHole(tier)) {
			return true
		}
		if hasHole(a) && strings.Contains(a, bareHole) && i == 0 {
			return true
		}
	}
	return false
}

// router judges a skill that leads to a MemPalace. It writes nothing by itself, but whoever calls
// it to save is about to write.
func (j *judge) router() {
	if !j.parse() {
		j.unreadable()
		return
	}
	name := j.args.Get("skill").String()
	base := lower(name[strings.LastIndexByte(name, ':')+1:])
	if answers(base) && (base == "approve" || base == "reject") &&
		(base == lower(name) || strings.HasPrefix(lower(name), "keepsake:")) {
		j.addFinding(rules.RuleApproval, name)
		return
	}
	if j.keeps() {
		j.addFinding(rules.RuleRouter, name)
	}
}

// keeps reports whether a skill is called to keep something for good. The memory skill returns one command,
// which is asked about with the whole text when it runs.
func (j *judge) keeps() bool {
	skill := j.args.Get("skill").String()
	words := strings.Fields(j.args.Get("args").String())
	if skill == "keepsake:memory" && len(words) > 0 && (words[0] == "save" || words[0] == "promote") {
		return false
	}
	leads := strings.Contains(lower(skill[strings.LastIndexByte(skill, ':')+1:]), "memory-router") ||
		palace.IsNamed(skill)
	return tierWhy(words) || leads && saves(words) ||
		strings.HasPrefix(skill, "keepsake:") && len(words) > 0 && words[0] == "promote"
}

// saves reports whether the words to a router ask it to keep or change something. The first word that
// shows it decides. A question never saves.
func saves(words []string) bool {
	for i, w := range words {
		w = strings.Trim(strings.ToLower(w), `.,:;!?"'()`)
		switch {
		case listed(w, "where which find locate why history decision decisions what how who when recall "+
			"search query list show status look get read ask did does do is are check help explain"):
			return false
		case listed(w, "save saves store remember persist memorize memorise promote file record keep add "+
			"write put note log diary mine update delete forget remove invalidate mempalace_add_drawer "+
			"mempalace_diary_write add_drawer"):
			return true
		case i > 6:
			return false
		}
	}
	return false
}
