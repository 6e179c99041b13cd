package shell

import (
	"slices"
	"strings"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/verbs"
	"keepsake/pkg/why/palace"
)

// carriesPrompt reports whether a tool is one of the client's own that bring a text back as a prompt, to
// this session or another one.
func carriesPrompt(tool string) bool {
	return listed(tool, "CronCreate ScheduleWakeup SendMessage SlashCommand")
}

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

// typesAnswer reports whether a text, as keys typed into a client, is one of the slash commands
// that answer for the person, by its long or its short name.
func typesAnswer(text string) bool {
	for l := range strings.Lines(text) {
		l = strings.TrimLeft(l, " \t\"'")
		if rest, ok := strings.CutPrefix(l, "/"); ok {
			rest = strings.TrimPrefix(rest, "keepsake:")
			if answers(rest) {
				return true
			}
		}
	}
	return false
}

// typesSave reports whether a text, as keys typed into a client, is the slash command that saves what a
// person types behind it. Keepsake would take that text for the person's words.
func typesSave(text string) bool {
	for l := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimLeft(l, " \t\"'"), "/")
		if !ok {
			continue
		}
		verb, what, _ := strings.Cut(strings.TrimPrefix(lower(strings.TrimSpace(rest)), "keepsake:"), " ")
		if verb == "save" && strings.TrimSpace(what) != "" {
			return true
		}
	}
	return false
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
	own := readOwn(f[1:])
	if own.verb == nil {
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
type ownCall struct {
	verb  *verbs.Verb // nil if the words name no verb
	words []string    // the first ones, without options
	named int         // how many of words name the verb, or lead to one
	args  []string    // the arguments behind the verb, or all if there is no verb
}

// looks reports whether the call has the verb's flag to change nothing.
func (c ownCall) looks() bool { return c.verb.Looks != "" && isDryRun(c.args) }

// writes reports whether a call has the flag without which its verb writes nothing, by itself
// or among flags of one letter, or may have it.
func (c ownCall) writes() bool {
	if c.verb.With == "" {
		return true
	}
	name := strings.TrimLeft(c.verb.With, "-")
	for _, a := range palace.Options(c.args) {
		if hasHole(a) || strings.HasPrefix(a, c.verb.With) || strings.HasPrefix(a, "--"+name[:1]) ||
			strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.Contains(a, name[:1]) {
			return true
		}
	}
	return false
}

// readOwn returns the verb of Keepsake's command line behind its options. Between the words of a
// verb it passes over the options that all verbs have, as the program does. Behind any other option
// a word may be its value. Where that leads to no verb, it passes over these options as well.
func readOwn(args []string) (c ownCall) {
	for _, anyOption := range [...]bool{false, true} {
		var ends []int // of each word in args
		c = ownCall{}
	words:
		for i := 0; i < len(args) && len(c.words) < 4; i++ {
			switch a := args[i]; {
			case a == "--session" || a == "--project":
				i++ // its value
			case a == "" || a[0] != '-':
				c.words, ends = append(c.words, a), append(ends, i+1)
			case len(c.words) > 0 && !anyOption && !strings.HasPrefix(a, "--session=") &&
				!strings.HasPrefix(a, "--project="):
				break words
			}
		}
		c.verb, c.named = verbs.Find(c.words)
		if c.args = args; c.named > 0 {
			c.args = args[ends[c.named-1]:]
		}
		if c.verb != nil {
			return c
		}
	}
	return c
}

// unknownVerb judges a call that names no verb of Keepsake: it may become a verb, or be one of a
// later version by which the person answers.
func (s *shell) unknownVerb(c ownCall, f []string) {
	group, next := "", ""
	if c.named > 0 {
		group = c.words[0]
	}
	if c.named < len(c.words) {
		next = c.words[c.named]
	}
	switch {
	case next == "":
	case group == "gate":
		s.addFinding(rules.RuleApproval, "keepsake gate "+next)
	case group == "project":
		if !palace.Helps(c.args) && !isDryRun(c.args) {
			s.addFinding(rules.RuleAutoMemory, commandText(f))
		}
	case hasHole(next) && standsForVerb(c.words[:c.named]):
		s.promote(f)
	}
}

// standsForVerb reports whether what follows the words of a group was once the first word of
// the command line.
func standsForVerb(group []string) bool {
	if len(group) == 0 {
		return true
	}
	name := strings.Join(group, " ") + " "
	for _, v := range verbs.All() {
		if v.Old != "" && strings.HasPrefix(v.Name, name) &&
			strings.Count(v.Name, " ")-strings.Count(v.Old, " ") == len(group) {
			return true
		}
	}
	return false
}

// judgeVerb is keepsake for one verb and its arguments.
func (s *shell) judgeVerb(c ownCall, f []string) {
	idle := palace.Helps(c.args) || c.looks() || !c.writes()
	switch c.verb.Does {
	case verbs.Answers:
		typed := "keepsake " + strings.Join(c.words[:c.named], " ")
		switch {
		case c.verb.With == "" && (len(c.args) != 1 || !palace.Helps(c.args)):
			s.addFinding(rules.RuleApproval, typed)
		case c.verb.With != "" && !idle: // what it would take out of the memories is the person's to say
			s.addFinding(rules.RuleApproval, typed+" "+c.verb.With)
		}
	case verbs.ForGood:
		if !idle {
			s.promote(f)
		}
	case verbs.Keeps:
		if tierWhy(c.args) && !c.looks() {
			s.promote(f)
		}
	case verbs.Settings:
		if slices.ContainsFunc(c.args, changesGate) {
			s.addFinding(rules.RuleOwnFile, commandText(f))
		}
	case verbs.Markdown, verbs.Reorganises, verbs.Forgets:
		if idle {
			return
		}
		rule := rules.RuleAutoMemory
		if c.verb.Does == verbs.Forgets {
			rule = rules.RuleForget
		}
		if c.verb.Does == verbs.Reorganises || c.verb.Name == "md snapshot restore" {
			s.askEffect(c, f) // its question says the most
		}
		s.addFinding(rule, commandText(f))
		if c.verb.Does != verbs.Markdown && s.reorganises == "" {
			s.reorganises = commandText(f)
		}
	case verbs.Undoes:
		if idle {
			return
		}
		if !onlyNotesOf(c.args) { // else it may be a plan of the records, for all that shows
			s.addFinding(rules.RuleForget, commandText(f))
		}
		s.addFinding(rules.RuleAutoMemory, commandText(f))
	case verbs.BringsBack:
		if !idle {
			s.addFinding(rules.RuleBringBack, commandText(f))
		}
	default:
		if c.words[0] != "inbox" {
			return
		}
		for _, a := range c.args { // an answer behind an option, or none that can be told
			if a == "approve" || a == "reject" || c.verb.Default && hasHole(a) {
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
		case listed(w,
			"where which find locate why history decision decisions what how who when recall search query "+
				"list show status look get read ask did does do is are check help explain"):
			return false
		case listed(w,
			"save saves store remember persist memorize memorise promote file record keep add write put "+
				"note log diary mine update delete forget remove invalidate mempalace_add_drawer "+
				"mempalace_diary_write add_drawer"):
			return true
		case i > 6:
			return false
		}
	}
	return false
}
