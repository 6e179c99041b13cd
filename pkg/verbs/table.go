package verbs

// What several verbs write, or take.
const (
	memories  = "**memories**"
	markdown  = "the directory of Markdown memories"
	card      = "the project's card and `REGISTRY.md`"
	drawers   = "MemPalace or Keepsake's own drawers"
	noWrite   = "--json --profile --diff -d"
	onlyNamed = "--json --profile"
)

var table = [...]Verb{
	// what people type every day
	{Name: "remember", Agent: Saves, Does: Records, Writes: memories},
	{Name: "recall", Agent: Free},
	{Name: "list", Agent: Free},
	{Name: "show", Agent: Free},
	{Name: "forget", Agent: Looks, Does: Forgets, Looks: "--dry-run", Writes: memories +
		", findings, drawers"},
	{Name: "inbox list", Default: true, Agent: Free, Only: "--json --all"},
	{Name: "inbox edit", Agent: Person, Does: Other, Writes: "the inbox, drafts, " + memories},
	{Name: "inbox later", Agent: Person, Does: Other, Writes: "the inbox"},
	{Name: "inbox approve", Old: "approve", Agent: Person, Does: Answers,
		Writes: "an answer, a drawer, " + memories},
	{Name: "inbox reject", Old: "reject", Agent: Person, Does: Answers, Writes: "an answer"},
	{Name: "review", Agent: Person, Does: Answers, Writes: "an answer, " + memories},
	{Name: "undo", Agent: Looks, Does: Undoes, Looks: "--dry-run", Writes: memories},
	{Name: "status", Agent: Free},
	{Name: "doctor", Agent: Free},
	{Name: "config get", Agent: Free},
	{Name: "config set", Does: Settings, Writes: "settings"},
	{Name: "config unset", Does: Settings, Writes: "settings"},
	{Name: "config list", Agent: Free},
	{Name: "config explain", Agent: Free},
	{Name: "help", Agent: Free},

	{Name: "notes save", Old: "save", Agent: Saves, Does: Keeps, Looks: "--dry-run",
		Writes: "notes; with `--tier why` what `notes promote` writes"},
	{Name: "notes promote", Old: "promote", Does: ForGood, Looks: "--dry-run", Writes: drawers +
		", the notes"},
	{Name: "notes candidates", Old: "candidates", Does: Other, Prints: Given, Writes: "the inbox"},
	{Name: "notes handoff catchup", Old: "handoff catchup", Agent: Free},
	{Name: "notes handoff promote", Old: "handoff promote", Agent: Saves, Does: Other,
		Writes: "the handoff note"},
	{Name: "notes tiers", Old: "tiers", Agent: Free},

	{Name: "md check", Agent: Free, Only: onlyNamed + " --rules --each", Prints: Files},
	{Name: "md lint", Old: "lint", Agent: Free, Only: onlyNamed + " --rules", Prints: Files},
	{Name: "md fix", Old: "fmt", Agent: Free, Does: Reorganises, With: "--write", Only: noWrite,
		Prints: Files,
		Writes: markdown},
	{Name: "md tidy sheet", Old: "tidy sheet", Default: true, Agent: Free, Does: Stage, Only: onlyNamed,
		Prints: Files, Writes: "the stage"},
	{Name: "md tidy plan", Old: "tidy plan", Agent: Saves, Does: Stage, Only: onlyNamed, Prints: Files,
		Writes: "the stage"},
	{Name: "md tidy apply", Old: "tidy apply", Does: Reorganises, Prints: Files, Writes: markdown},
	{Name: "md upkeep", Old: "upkeep", Agent: Free, Does: Reorganises, With: "--write", Only: noWrite,
		Prints: Files, Writes: markdown},
	{Name: "md note", Old: "note", Agent: Adds, Does: Markdown, Looks: "--dry-run", Writes: markdown},
	{Name: "md mentions", Old: "mentions", Agent: Free},
	{Name: "md snapshot list", Old: "snapshot list", Default: true, Agent: Free, Prints: Files},
	{Name: "md snapshot diff", Old: "snapshot diff", Agent: Free, Prints: Files},
	{Name: "md snapshot restore", Old: "snapshot restore", Agent: Looks, Does: Markdown, Looks: "--dry-run",
		Prints: Files, Writes: "the client's memory files"},
	{Name: "md lesson add", Old: "lesson add", Default: true, Agent: Adds, Does: Markdown, Looks: "--dry-run",
		Writes: markdown},
	{Name: "md lesson list", Old: "lesson list", Agent: Free},
	{Name: "md lesson instinct", Old: "lesson instinct", Agent: Free, Does: Markdown, With: "--write",
		Only: "--json", Writes: markdown},

	{Name: "records history", Old: "history", Agent: Free},
	{Name: "records retire", Old: "retire", Agent: Looks, Does: Forgets, Looks: "--dry-run",
		Writes: memories},
	{Name: "records restore", Old: "restore", Agent: Looks, Does: BringsBack, Looks: "--dry-run",
		Writes: memories},
	{Name: "records archive", Old: "archive", Agent: Looks, Does: Forgets, Looks: "--dry-run",
		Writes: memories},
	{Name: "records unarchive", Old: "unarchive", Agent: Looks, Does: BringsBack, Looks: "--dry-run",
		Writes: memories},
	{Name: "records gc", Old: "gc", Agent: Looks, Does: Forgets, Looks: "--dry-run", Writes: memories},
	{Name: "records triage", Old: "triage", Agent: Saves, Does: Stage, Writes: "the stage"},
	{Name: "records draft", Old: "draft", Agent: Saves, Does: Stage, Writes: "the stage"},
	{Name: "records plan", Old: "plan", Agent: Saves, Does: Stage, Writes: "the stage"},
	{Name: "records apply", Old: "apply", Agent: Saves, Does: Records, Writes: memories},
	{Name: "records commit", Old: "commit", Agent: Saves, Does: Records, Writes: memories},
	{Name: "records digest", Old: "digest", Agent: Person, Does: Records, Looks: "--dry-run",
		Writes: memories},
	{Name: "records import", Old: "import", Does: Records, Looks: "--dry-run", Prints: Given,
		Writes: "the stage; with `--apply` " + memories},
	{Name: "records export", Old: "export", Does: File, Writes: "with `-o` a file"},
	{Name: "records index rebuild", Old: "index rebuild", Agent: Saves, Does: Other,
		Writes: "`index.md`, the search index"},
	{Name: "records index validate", Old: "index validate", Agent: Free},
	{Name: "records index health", Old: "index health", Agent: Free},
	{Name: "records audit", Old: "audit", Agent: Free, Does: Answers, With: "--yes", Only: "--json",
		Writes: memories + ", their history, notes, state, caches"},

	{Name: "project show", Agent: Free},
	{Name: "project set", Agent: Adds, Does: Markdown, Looks: "--dry-run", Writes: card},
	{Name: "project progress", Agent: Adds, Does: Markdown, Looks: "--dry-run", Writes: card},
	{Name: "project conclude", Agent: Adds, Does: Markdown, Looks: "--dry-run", Writes: card},
	{Name: "project topic", Agent: Adds, Does: Markdown, Looks: "--dry-run", Writes: card},
	{Name: "project open", Agent: Adds, Does: Markdown, Looks: "--dry-run", Writes: card},
	{Name: "project close", Agent: Adds, Does: Markdown, Looks: "--dry-run", Writes: card},

	{Name: "gate test", Prints: Given},
	{Name: "gate explain", Agent: Free},
	{Name: "gate approvals", Old: "approvals", Agent: Free},
	{Name: "gate install-lock", Agent: Person, Does: Answers, Looks: "--dry-run",
		Writes: "your settings of Claude Code"},

	{Name: "team git-setup", Old: "git-setup", Agent: Looks, Does: Other, Looks: "--dry-run",
		Writes: "`.gitattributes`, `.gitignore`, git's configuration"},
	{Name: "team merge", Old: "merge", Does: Records, Prints: Given, Writes: "the file OURS"},

	{Name: "dev log show", Old: "log show", Default: true, Agent: Free},
	{Name: "dev log analyze", Old: "log analyze", Agent: Free},
	{Name: "dev eval triage", Does: File, Prints: Files, Writes: "with `--json` a file"},
	{Name: "dev version", Old: "version", Agent: Free},
	{Name: "dev completion", Agent: Free},
	{Name: "dev man", Agent: Free},
}
