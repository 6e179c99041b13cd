package memdir

// A Rule is one thing that is checked.
type Rule struct {
	ID    string
	Level Level
	Says  string // what is found, and why it matters

	in    scope
	check func(*view)
}

// In returns the names of the profiles that have the rule.
func (r Rule) In() []string {
	var names []string
	for _, p := range profiles {
		if r.in&p.in != 0 {
			names = append(names, p.Name)
		}
	}
	return names
}

// Rules returns all rules, in the order in which they are checked.
func Rules() []Rule { return append([]Rule{}, rules[:]...) }

var rules = [...]Rule{
	{"index-missing", Error, "There are memories and no MEMORY.md, so that no session knows of them.",
		anywhere, (*view).indexMissing},
	{"index-cut", Error,
		"MEMORY.md is longer than the 200 lines or 25,000 bytes that the client loads; the rest is never " +
			"seen.", anywhere, (*view).indexCut},
	{"index-long", Warning,
		"MEMORY.md has more lines than the profile allows: under 30 (density), under 50 (table).",
		inDensity | inTable, (*view).indexLong},
	{"index-paragraph", Warning,
		"A paragraph stands in MEMORY.md. It costs its room in every session; its place is a topic file.",
		anywhere, (*view).indexParagraph},
	{"index-content", Warning,
		"List items, code, quotations or rows in MEMORY.md that lead to no file: content, not an index.",
		anywhere, (*view).indexContent},
	{"index-stream", Warning,
		"A diary or thinking aloud in MEMORY.md. Conclusions belong in a topic file, the rest nowhere.",
		anywhere, (*view).indexStream},
	{"index-history", Warning,
		"What used to be, or why it was decided, in MEMORY.md: condense it into the Why of its topic file, " +
			"or delete it.", anywhere, (*view).indexHistory},
	{"index-form", Warning, "A line of the index is not in the profile's form.", anywhere, (*view).indexForm},
	{"hook-missing", Warning, "A line of the index doesn't say when its file is worth loading.",
		inPointer | inDensity, (*view).hookMissing},
	{"hook-vague", Warning,
		"The hook says nothing of what is in the file (\"misc notes\"), so that nobody can tell when to " +
			"load it.", anywhere, (*view).hookVague},
	{"hook-long", Warning,
		"A line of the index is longer than 200 characters: content has moved into the hook.", anywhere,
		(*view).hookLong},

	{"pointer-dangling", Error, "The index leads to a file that isn't there.", anywhere,
		(*view).pointerDangling},
	{"pointer-twice", Warning, "Two lines of one index lead to the same file.", inPointer | inTable,
		(*view).pointerTwice},
	{"orphan", Error, "No index leads to the file, so that it is never loaded.", anywhere, (*view).orphan},

	{"head-missing", Error, "A topic file has no frontmatter. The client chooses files by their description.",
		inPointer | inTable, (*view).headMissing},
	{"head-broken", Error, "The frontmatter can't be read: it isn't closed, or a line of it is no YAML.",
		anywhere, (*view).headBroken},
	{"head-key", Error,
		"The frontmatter lacks a key: name, description and type (pointer), last_updated and topics (table).",
		inPointer | inTable, (*view).headKey},
	{"head-type", Error, "The type, or metadata.type, is none of user, feedback, project and reference.",
		inPointer, (*view).headType},
	{"head-date", Error, "last_updated is no date of the form YYYY-MM-DD, or lies in the future.", anywhere,
		(*view).headDate},
	{"description-vague", Warning,
		"The description doesn't tell what the file is about: fewer than three words, only general ones, " +
			"or the name again.", inPointer, (*view).descriptionVague},

	{"file-encoding", Warning, "A file is no UTF-8: other programs see other characters, or none.", anywhere,
		(*view).fileEncoding},
	{"topic-empty", Warning, "A file has nothing below its frontmatter and title.", anywhere,
		(*view).topicEmpty},
	{"topic-long", Warning,
		"A topic file has more lines than the profile allows: 200 (pointer), 150 (table).",
		inPointer | inTable, (*view).topicLong},
	{"topic-giant", Warning,
		"One file holds everything (\"memories.md\", \"notes.md\"): it is loaded whole or not at all. " +
			"Split it by topic.", inPointer | inTable, (*view).topicGiant},
	{"topic-title", Warning, "A file doesn't begin with \"# Title\".", inDensity, (*view).topicTitle},
	{"topic-why", Warning,
		"A feedback or project memory must begin with the rule or fact, then \"**Why:**\" and \"**How to " +
			"apply:**\".", inPointer, (*view).topicWhy},

	{"date-relative", Warning,
		"\"Yesterday\", \"next Friday\" or \"recently\" means nothing once the day is forgotten. " +
			"Quotations, code and daily logs are left alone.", anywhere, (*view).dateRelative},
	{"date-old", Warning,
		"Not changed for more than 90 days, and of a kind that goes stale: check whether it still holds.",
		anywhere, (*view).dateOld},
	{"date-step", Warning,
		"The date in the routing table and last_updated of the file differ, or one of them is missing.",
		inTable, (*view).dateStep},

	{"twice-file", Warning, "Two files say the same, word for word.", anywhere, (*view).twiceFile},
	{"twice-line", Warning,
		"The same statement stands in two places; one of them will be changed and the other not.", anywhere,
		(*view).twiceLine},
	{"twice-near", Warning, "Two topic files say the same in other words.", anywhere, (*view).twiceNear},

	{"place-wrong", Warning,
		"A file lies where its kind doesn't belong: outside of the tree of user/ and agent/, an event " +
			"without its month, an archive beside the topics.", inDensity | inTable, (*view).placeWrong},
	{"log-old", Warning,
		"A daily log older than 7 days still lies in the memory root; keepsake md upkeep archives it.",
		inDensity, (*view).logOld},
	{"append-only", Error,
		"A file under events/ or cases/ was changed after it was written. A new one would keep what " +
			"happened.", inDensity, (*view).appendOnly},
	{"layer-missing", Warning, "There is no INDEX.md above the folders.", inDensity, (*view).layerMissing},
	{"layer-step", Warning,
		"A layer doesn't know of the one below: a file is not in INDEX.md, or a new event or case not in " +
			"MEMORY.md.", inDensity, (*view).layerStep},
	{"layer-long", Warning, "INDEX.md has more than 1,000 words.", inDensity, (*view).layerLong},
	{"layer-thin", Warning,
		"INDEX.md has fewer than 500 words for 25 files or more: what it says of each is too little to " +
			"choose by.", inDensity, (*view).layerThin},
	{"board-step", Warning,
		"A project's card and its row in the blackboard's REGISTRY.md disagree, or one of them is missing. " +
			"REGISTRY.md holds; keepsake project set changes both.", anywhere, (*view).boardStep},
}
