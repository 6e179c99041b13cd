package text

import "unicode/utf8"

// The lists are switches, which the compiler turns into searches: a hook pays
// nothing for them at start.

// IsStopWord reports whether w carries no topic in a prompt: the grammar of
// English and, where a word is not also an English one, of some other
// languages, and the manners people have with an assistant.
func IsStopWord(w []byte) bool {
	switch string(w) {
	case "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "aren", "as",
		"at", "be", "because", "been", "before", "being", "below", "between", "both", "but", "by",
		"can", "cannot", "cant", "could", "couldn", "couldnt",
		"did", "didn", "didnt", "do", "does", "doesn", "doesnt", "doing", "don", "dont", "down", "during",
		"each", "either", "else", "etc", "ever", "every",
		"few", "for", "from", "further",
		"had", "has", "hasn", "have", "haven", "having", "he", "hello", "her", "here", "hers", "hey", "hi",
		"him", "his", "how", "if", "in", "into", "is", "isn", "isnt", "it", "its", "itself", "ive",
		"just", "let", "lets", "like", "ll",
		"many", "may", "maybe", "me", "might", "mine", "more", "most", "much", "must", "my", "myself",
		"neither", "no", "nor", "not", "now",
		"of", "off", "ok", "okay", "on", "once", "only", "onto", "or", "other", "others", "our", "ours",
		"out", "over", "per", "please", "quite", "rather", "re", "really", "same", "shall", "she", "should",
		"shouldn", "since", "so", "some", "something", "still", "such", "sure", "than", "thank", "thanks",
		"that", "thats", "the", "their", "theirs", "them", "then", "there", "these", "they", "this", "those",
		"though", "through", "to", "too", "under", "until", "up", "upon", "us", "ve", "very", "via", "was",
		"wasn", "we", "well", "were", "weren", "what", "whats", "when", "where", "whether", "which", "while",
		"who", "whom", "whose", "why", "will", "with", "within", "without", "won", "wont", "would", "wouldn",
		"yes", "yet", "you", "your", "yours", "yourself",
		// German
		"aber", "auch", "auf", "bei", "bitte", "das", "dass", "dem", "den", "der", "des", "diese", "dieser",
		"dieses", "ein", "eine", "einem", "einen", "einer", "fur", "haben", "hat", "ich", "ihr", "im", "ist",
		"kann", "kannst", "mach", "mich", "mir", "mit", "nicht", "noch", "nur", "oder", "sich", "sie", "sind",
		"uber", "um", "und", "uns", "unser", "vom", "von", "warum", "welche", "wenn", "werden", "wie", "wir",
		"wird", "wo", "wurde", "zu", "zum", "zur",
		// French
		"au", "aux", "avec", "ce", "ces", "cette", "dans", "du", "elle", "est", "et", "il", "je", "la", "le",
		"les", "leur", "mais", "nous", "ou", "par", "pas", "plait", "pour", "pourquoi", "que", "quel",
		"quelle", "qui", "se", "ses", "sont", "sur", "un", "une", "vous",
		// Spanish, Portuguese, Italian
		"al", "como", "con", "cual", "cuando", "da", "de", "del", "della", "di", "donde", "el", "em", "en",
		"es", "esta", "este", "esto", "favor", "gli", "isso", "las", "lo", "los", "mas", "na", "nao", "nel",
		"os", "para", "pero", "por", "porque", "si", "sin", "sono", "su", "uma", "una", "y",
		// Russian
		"без", "бы", "был", "вы", "где", "для", "до", "его", "если", "есть", "же", "за", "из", "или", "их",
		"как", "какой", "когда", "ли", "мне", "мы", "на", "над", "не", "нет", "но", "об", "от", "по",
		"почему", "пожалуиста", "при", "с", "со", "так", "там", "то", "тоже", "ты", "уже", "что", "чтобы",
		"эта", "эти", "это", "этот":
		return true
	}
	return false
}

// smallTalk reports whether w is of the talk around a topic more often than of one.
// Records are indexed with it, but a question that says anything else is not looked
// up by it.
func smallTalk(w []byte) bool {
	switch string(w) {
	case "done", "get", "gets", "getting", "got", "help", "know", "look", "looking", "looks", "need", "needs",
		"own", "run", "say", "see", "tell", "thing", "things", "want", "wants":
		return true
	}
	return false
}

// IsGeneric reports whether the stem w is one that prompts to a coding agent are
// made of, whatever they are about. A store of ten records cannot know that "fix"
// and "file" say little; this list does.
func IsGeneric(w []byte) bool {
	switch string(w) {
	case "abl", "across", "activ", "actual", "ad", "add", "addit", "addition", "agent", "ai", "allow",
		"alreadi", "alway", "anoth", "anymor", "anyth", "app", "appli", "approach", "argument", "around",
		"ask", "assum", "avail", "avoid", "back", "bad", "base", "basic", "behavior", "behaviour", "best",
		"better", "big", "bit", "block", "branch", "break", "broken", "bug", "build", "built", "bump",
		"call", "case", "caus", "chang", "check", "class", "claud", "clean", "cleanup", "cmd", "code",
		"column", "com", "come", "command", "comment", "commit", "complet", "complex", "compon", "config",
		"configur", "conflict", "consid", "consist", "contain", "content", "context", "continu", "correct",
		"correctli", "count", "creat", "current", "data", "day", "debug", "default", "defin", "delet",
		"describ", "descript", "design", "detail", "dev", "develop", "diff", "differ", "directli",
		"directori", "disabl", "discuss", "doc", "document", "done", "edit", "effect", "eg", "empti",
		"enabl", "end", "ensur", "entir", "env", "environ", "error", "especi", "even", "event", "exampl",
		"execut", "exist", "expect", "explain", "extract", "fact", "fail", "failur", "fals", "far", "featur",
		"feedback", "feel", "field", "figur", "file", "final", "find", "fine", "first", "fix", "folder",
		"follow", "format", "found", "full", "function", "futur", "gener", "get", "git", "github", "give",
		"given", "go", "goe", "good", "got", "great", "group", "guarante", "guess", "handl", "handler",
		"happen", "hard", "help", "high", "hint", "hm", "hmm", "http", "idea", "ignor", "implement",
		"improv", "includ", "inform", "input", "insid", "instal", "instead", "instruct", "integr", "intern",
		"issu", "item", "keep", "key", "kind", "know", "last", "later", "latest", "less", "level", "librari",
		"line", "link", "list", "littl", "live", "load", "local", "log", "logic", "long", "look", "lot",
		"low", "machin", "made", "main", "make", "manag", "md", "mean", "meant", "merg", "messag", "method",
		"miss", "mode", "model", "modul", "move", "multipl", "multipli", "name", "need", "new", "next",
		"normal", "note", "noth", "number", "object", "old", "one", "open", "oper", "option", "order",
		"origin", "output", "own", "packag", "page", "paramet", "part", "pass", "past", "path", "peopl",
		"perf", "perform", "place", "plan", "point", "possibl", "pr", "preserv", "previous", "print",
		"prior", "probabl", "problem", "process", "program", "project", "prompt", "proper", "properli",
		"propos", "provid", "pull", "push", "put", "question", "quick", "quickli", "read", "readabl",
		"readi", "readm", "real", "reason", "recent", "refactor", "refer", "relat", "releas", "remov",
		"renam", "replac", "repo", "report", "request", "requir", "resolv", "respond", "respons", "result",
		"return", "review", "right", "root", "run", "save", "say", "scenario", "scratch", "script", "search",
		"second", "section", "see", "seem", "send", "sent", "sentenc", "separ", "server", "servic",
		"session", "set", "setup", "sever", "short", "show", "side", "similar", "simpl", "simpli", "singl",
		"small", "sorri", "sourc", "specif", "src", "start", "state", "statement", "statu", "step", "stop",
		"store", "string", "structur", "stuff", "suggest", "sum", "summari", "support", "suppos", "switch",
		"system", "take", "task", "team", "tell", "test", "text", "thing", "think", "three", "time", "todo",
		"togeth", "tool", "top", "total", "track", "tri", "true", "try", "turn", "two", "typ", "type",
		"typo", "understand", "unit", "updat", "us", "usag", "user", "usual", "valid", "valu", "variabl",
		"verbos", "verifi", "version", "view", "wait", "want", "watch", "way", "websit", "week", "whole",
		"wonder", "word", "work", "worth", "write", "written", "wrong", "yeah", "year":
		return true
	}
	return false
}

// IsWorkflow reports whether the stem, or the pair of characters, w is of the steps that every project takes:
// commit, push, test, go on. A prompt of nothing else is about no memory, although some name these too.
func IsWorkflow(w []byte) bool {
	switch string(w) {
	case "amend", "approv", "branch", "checkout", "close", "commit", "continu", "done", "draft", "execut",
		"fetch", "finish", "git", "go", "merg", "next", "open", "pr", "prs", "proceed", "pull", "push",
		"rebas", "rerun", "restart", "resum", "retri", "revert", "run", "squash", "start", "stash", "step",
		"stop", "sync", "task", "test", "ticket", "todo", "tri", "undo", "updat", "wait",
		// German, French, Spanish, Portuguese, Russian
		"committ", "commite", "pushe", "pushen", "mergen", "merge", "weiter", "weitermachen", "fertig",
		"testen", "pousse", "fusionn", "suivant", "termine", "sigue", "siguient", "continua", "sube",
		"prueba", "pruebas", "segue", "seguint", "teste", "testes", "закоммить", "коммит", "запушь", "пуш",
		"ветку", "ветка", "продолжаи", "дальше", "тест", "тесты", "запусти", "смержи", "готово",
		// Chinese, Japanese, Korean
		"提交", "推送", "继续", "合并", "分支", "运行", "测试", "好的", "コミ", "ミッ", "ット", "プッ", "ッシ", "シュ", "マー", "ージ",
		"続け", "実行", "テス", "スト", "커밋", "푸시", "머지", "계속", "테스", "스트", "실행", "진행", "브랜", "랜치":
		return true
	}
	return false
}

// IsGenericPair is IsGeneric for a pair of characters: code, function, test, file,
// error and explain as written in Chinese, Japanese and Korean; any pair with
// hiragana, which Japanese writes its grammar in, or with a character of Chinese
// grammar; and what Korean verbs and particles end in.
func IsGenericPair(w []byte) bool {
	switch string(w) {
	case "代码", "函数", "测试", "文件", "错误", "解释", "修复", "コー", "ード", "関数", "テス",
		"スト", "実行", "修正", "説明", "변경", "修改", "코드", "함수", "수정", "설명", "파일",
		"오류", "실행", "해줘", "습니", "니다", "에서", "하는", "나요", "세요", "주세", "합니",
		"으로", "하고", "하면", "있는", "있어", "해서", "지금", "그리", "리고", "거야", "는데",
		"에는", "까지", "하게", "되나", "되는", "이거", "그거", "어떻", "떻게":
		return true
	}
	for len(w) > 0 {
		r, size := utf8.DecodeRune(w)
		if 0x3040 <= r && r <= 0x309F || isGrammar(r) {
			return true
		}
		w = w[size:]
	}
	return false
}

// isGrammar reports whether r is a Chinese character that mostly is grammar, or the talk around a topic.
func isGrammar(r rune) bool {
	switch r {
	case '的', '了', '吗', '呢', '吧', '是', '这', '那', '个', '们', '我', '你', '他', '么', '什', '哪', '怎', '请', '把', '和',
		'就', '也', '都', '要', '给', '让', '帮', '还', '得', '很', '啊', '被':
		return true
	}
	return false
}

// canonical maps the short forms programmers use to one term with the long ones.
func canonical(w []byte) []byte {
	switch string(w) {
	case "authent": // authentication, authenticate
		return append(w[:0], "auth"...)
	case "databas":
		return append(w[:0], "db"...)
	case "repositori":
		return append(w[:0], "repo"...)
	case "configur":
		return append(w[:0], "config"...)
	case "environ":
		return append(w[:0], "env"...)
	case "kubernet":
		return append(w[:0], "k8s"...)
	case "postgresql":
		return append(w[:0], "postgr"...)
	case "javascript":
		return append(w[:0], "js"...)
	case "typescript":
		return append(w[:0], "ts"...)
	case "document":
		return append(w[:0], "doc"...)
	case "perform":
		return append(w[:0], "perf"...)
	case "depend":
		return append(w[:0], "dep"...)
	}
	return w
}
