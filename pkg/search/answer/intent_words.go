package answer

import "keepsake/pkg/memory"

// A form is words by which a prompt says which memories it wants.
type form struct {
	words  string // in lower case
	wants  []memory.Category
	lists  bool // it may stand without a subject
	begins bool // only at the beginning of a sentence
}

var (
	choices  = []memory.Category{memory.Decision}
	repairs  = []memory.Category{memory.Runbook}
	debts    = []memory.Category{memory.TechDebt}
	rules    = []memory.Category{memory.Constraint, memory.Preference}
	manners  = []memory.Category{memory.Preference}
	barriers = []memory.Category{memory.Constraint}
)

// forms are the questions that ask for one category, in English, German, French, Spanish, Portuguese,
// Russian, Chinese, Japanese and Korean. A longer one comes before what it contains.
var forms = []form{
	{"what did we decide", choices, true, false}, {"what have we decided", choices, true, false},
	{"what was decided", choices, true, false}, {"what was our decision", choices, true, false},
	{"did we decide", choices, false, false}, {"did we agree", choices, false, false},
	{"have we decided", choices, false, false}, {"have we agreed", choices, false, false},
	{"was haben wir * entschieden", choices, true, false},
	{"was haben wir * beschlossen", choices, true, false},
	{"worauf haben wir uns * geeinigt", choices, true, false},
	{"qu'avons-nous décidé", choices, true, false}, {"qu'est-ce qu'on a décidé", choices, true, false},
	{"a-t-on décidé", choices, false, false},
	{"qué decidimos", choices, true, false}, {"que decidimos", choices, true, false},
	{"qué acordamos", choices, true, false},
	{"o que combinamos", choices, true, false}, {"o que nós decidimos", choices, true, false},
	{"что мы решили", choices, true, false}, {"что решили", choices, true, false},
	{"как мы договорились", choices, true, false}, {"о чём мы договорились", choices, true, false},
	{"我们决定了什么", choices, true, false}, {"决定了什么", choices, true, false},
	{"怎么决定", choices, false, false},
	{"何を決めました", choices, true, false}, {"何を決めた", choices, true, false},
	{"どう決めました", choices, true, false}, {"どう決めた", choices, true, false},
	{"무엇을 결정했", choices, true, false}, {"뭘 결정했", choices, true, false},
	{"어떻게 결정했", choices, false, false},

	{"how did we fix", repairs, false, false}, {"how did i fix", repairs, false, false},
	{"how did you fix", repairs, false, false}, {"how do we fix", repairs, false, false},
	{"how did we solve", repairs, false, false}, {"how did we resolve", repairs, false, false},
	{"what was the fix", repairs, false, false}, {"what fixed", repairs, false, false},
	{"how was * fixed", repairs, false, false}, {"how was * solved", repairs, false, false},
	{"how was * resolved", repairs, false, false},
	{"wie haben wir * behoben", repairs, false, false}, {"wie haben wir * gelöst", repairs, false, false},
	{"wie haben wir * gefixt", repairs, false, false},
	{"comment avons-nous corrigé", repairs, false, false},
	{"comment avons-nous résolu", repairs, false, false},
	{"comment a-t-on corrigé", repairs, false, false}, {"comment a-t-on résolu", repairs, false, false},
	{"comment on a corrigé", repairs, false, false},
	{"cómo arreglamos", repairs, false, false}, {"cómo solucionamos", repairs, false, false},
	{"cómo resolvimos", repairs, false, false}, {"como arreglamos", repairs, false, false},
	{"como corrigimos", repairs, false, false}, {"como resolvemos", repairs, false, false},
	{"como consertamos", repairs, false, false},
	{"как мы исправили", repairs, false, false}, {"как мы починили", repairs, false, false},
	{"как исправили", repairs, false, false}, {"как починили", repairs, false, false},
	{"怎么修复", repairs, false, false}, {"怎么解决", repairs, false, false},
	{"如何修复", repairs, false, false}, {"如何解决", repairs, false, false},
	{"怎么修", repairs, false, false},
	{"どうやって直し", repairs, false, false}, {"どう直し", repairs, false, false},
	{"どうやって解決", repairs, false, false}, {"どう解決", repairs, false, false},
	{"どう修正し", repairs, false, false},
	{"어떻게 고쳤", repairs, false, false}, {"어떻게 해결", repairs, false, false},
	{"어떻게 수정했", repairs, false, false},

	{"what is left", debts, true, false}, {"what's left", debts, true, false},
	{"what remains", debts, true, false}, {"what did we leave", debts, true, false},
	{"what did we defer", debts, true, false}, {"what have we deferred", debts, true, false},
	{"what did we postpone", debts, true, false}, {"what have we postponed", debts, true, false},
	{"what did we put off", debts, true, false}, {"loose ends", debts, true, false},
	{"was ist noch offen", debts, true, false}, {"was ist offen", debts, true, false},
	{"was bleibt", debts, true, false}, {"was steht noch aus", debts, true, false},
	{"was haben wir * aufgeschoben", debts, true, false}, {"was haben wir * verschoben", debts, true, false},
	{"que reste-t-il", debts, true, false}, {"qu'est-ce qui reste", debts, true, false},
	{"qu'est-ce qu'il reste", debts, true, false}, {"qu'avons-nous reporté", debts, true, false},
	{"qué queda", debts, true, false}, {"que queda", debts, true, false}, {"qué falta", debts, true, false},
	{"qué aplazamos", debts, true, false}, {"qué dejamos", debts, true, false},
	{"o que falta", debts, true, false}, {"o que resta", debts, true, false},
	{"o que ficou", debts, true, false}, {"o que adiamos", debts, true, false},
	{"что осталось", debts, true, false}, {"что мы отложили", debts, true, false},
	{"что отложили", debts, true, false},
	{"还剩什么", debts, true, false}, {"还剩下什么", debts, true, false}, {"还有什么没做", debts, true, false},
	{"推迟了什么", debts, true, false}, {"遗留问题", debts, true, false},
	{"何が残って", debts, true, false}, {"残っているもの", debts, true, false},
	{"先送りにした", debts, true, false}, {"後回しにした", debts, true, false},
	{"뭐가 남", debts, true, false}, {"무엇이 남", debts, true, false}, {"남은 일", debts, true, false},
	{"미뤄 둔", debts, true, false}, {"미룬", debts, true, false},

	{"why", choices, false, true}, {"what's the reason", choices, false, true},
	{"what is the reason", choices, false, true}, {"what was the reason", choices, false, true},
	{"how come", choices, false, true},
	{"warum", choices, false, true}, {"wieso", choices, false, true}, {"weshalb", choices, false, true},
	{"pourquoi", choices, false, true}, {"por qué", choices, false, true}, {"por que", choices, false, true},
	{"почему", choices, false, true}, {"зачем", choices, false, true},
	{"为什么", choices, false, true}, {"为何", choices, false, true},
	{"なぜ", choices, false, true}, {"どうして", choices, false, true}, {"왜", choices, false, true},
}

// nouns are the words for what a category holds. Those that list are asked for by themselves.
var nouns = []form{
	{"technical debts", debts, true, false}, {"technical debt", debts, true, false},
	{"tech debt", debts, true, false}, {"tech-debt", debts, true, false},
	{"technische schulden", debts, true, false}, {"technischen schulden", debts, true, false},
	{"dette technique", debts, true, false}, {"deuda técnica", debts, true, false},
	{"deuda tecnica", debts, true, false}, {"dívida técnica", debts, true, false},
	{"débito técnico", debts, true, false}, {"технический долг", debts, true, false},
	{"технического долга", debts, true, false}, {"техдолга", debts, true, false},
	{"техдолг", debts, true, false}, {"技术债务", debts, true, false}, {"技术债", debts, true, false},
	{"技術的負債", debts, true, false}, {"기술 부채", debts, true, false}, {"기술부채", debts, true, false},

	{"decisions", choices, false, false}, {"entscheidungen", choices, false, false},
	{"décisions", choices, false, false}, {"decisiones", choices, false, false},
	{"decisões", choices, false, false}, {"решения", choices, false, false},
	{"решений", choices, false, false}, {"决定", choices, false, false}, {"决策", choices, false, false},
	{"決定事項", choices, false, false}, {"決定", choices, false, false}, {"결정", choices, false, false},

	{"rules", rules, false, false}, {"regeln", rules, false, false}, {"règles", rules, false, false},
	{"reglas", rules, false, false}, {"regras", rules, false, false}, {"правила", rules, false, false},
	{"правил", rules, false, false}, {"规则", rules, false, false}, {"ルール", rules, false, false},
	{"규칙", rules, false, false},

	{"constraints", barriers, false, false}, {"limitations", barriers, false, false},
	{"limits", barriers, false, false}, {"einschränkungen", barriers, false, false},
	{"beschränkungen", barriers, false, false}, {"contraintes", barriers, false, false},
	{"limites", barriers, false, false}, {"restricciones", barriers, false, false},
	{"limitaciones", barriers, false, false}, {"restrições", barriers, false, false},
	{"limitações", barriers, false, false}, {"ограничения", barriers, false, false},
	{"ограничений", barriers, false, false}, {"限制", barriers, false, false},
	{"约束", barriers, false, false}, {"制約", barriers, false, false}, {"制限", barriers, false, false},
	{"제약", barriers, false, false}, {"제한", barriers, false, false},

	{"preferences", manners, false, false}, {"conventions", manners, false, false},
	{"vorlieben", manners, false, false}, {"konventionen", manners, false, false},
	{"préférences", manners, false, false}, {"preferencias", manners, false, false},
	{"convenciones", manners, false, false}, {"preferências", manners, false, false},
	{"convenções", manners, false, false}, {"предпочтения", manners, false, false},
	{"соглашения", manners, false, false}, {"偏好", manners, false, false}, {"约定", manners, false, false},
	{"惯例", manners, false, false}, {"規約", manners, false, false}, {"慣例", manners, false, false},
	{"선호", manners, false, false}, {"관례", manners, false, false}, {"컨벤션", manners, false, false},

	{"runbooks", repairs, false, false}, {"known problems", repairs, false, false},
	{"known issues", repairs, false, false}, {"bekannten probleme", repairs, false, false},
	{"bekannte probleme", repairs, false, false}, {"problèmes connus", repairs, false, false},
	{"problemas conocidos", repairs, false, false}, {"problemas conhecidos", repairs, false, false},
	{"известные проблемы", repairs, false, false}, {"已知问题", repairs, false, false},
	{"既知の問題", repairs, false, false}, {"알려진 문제", repairs, false, false},
}

// asks are the words that ask for a list, or say whose it is.
var asks = []string{
	"list", "show", "name", "give", "tell", "summarize", "summarise", "enumerate", "our", "what are", "which",
	"what", "liste", "zeig", "zeige", "nenne", "nenn", "aufzählen", "unsere", "unserer", "unser", "welche",
	"montre", "donne", "énumère", "rappelle", "nos", "notre", "quelles", "quels", "quelle",
	"lista", "muestra", "muéstrame", "enumera", "dime", "nuestras", "nuestros", "nuestra", "cuáles", "qué",
	"mostra", "mostre", "liste", "enumere", "diga", "nossas", "nossos", "nossa", "quais",
	"перечисли", "покажи", "список", "назови", "какие", "какой", "наши", "наших", "наш", "нашего",
	"列出", "显示", "有哪些", "哪些", "告诉我", "我们", "一覧", "リスト", "見せて", "教えて", "挙げて", "私たち",
	"目録", "목록", "보여줘", "보여", "알려줘", "나열", "우리의", "우리",
}

// fillers are words beside those that name no subject either.
var fillers = []string{
	"project", "current", "existing", "made", "taken", "took", "known", "far", "open", "left", "remaining",
	"important", "latest", "recent", "leave", "repo", "repository", "codebase", "here", "today", "everything",
	"decided", "agreed", "são", "do", "follow", "remain", "remains",
	"projekt", "projekts", "bisher", "bisherigen", "getroffen", "getroffenen", "offen", "offene",
	"offenen", "übrig", "bleibt", "bleiben", "alle", "allen", "haben", "es", "gibt", "geblieben", "liegen",
	"gelassen", "dieses",
	"toutes", "tous", "prises", "projet", "restant", "restante", "reste", "avons", "laissé", "laissée",
	"todas", "todos", "toda", "tomadas", "proyecto", "pendiente", "pendientes", "hemos", "tomado", "dejamos",
	"queda", "quedan",
	"dejado", "projeto", "pendente", "pendentes", "temos", "tomamos", "ficou", "deixamos", "resta", "me",
	"все", "всех", "весь", "проекта", "принятые", "принятых", "остался", "оставили", "оставленный", "нас",
	"项目", "所有", "全部", "做过", "做的", "做出", "留下", "剩下", "什么", "请", "一下", "还有", "目前", "现在", "都",
	"的", "了", "是", "吗", "呢", "有",
	"プロジェクト", "すべて", "全て", "全部", "これまで", "残した", "残っている", "残って", "ください", "下さい", "です",
	"ですか", "いる", "ある", "して", "した", "何", "の", "を", "は", "が", "か", "に", "で",
	"프로젝트의", "프로젝트", "모든", "전부", "남긴", "남은", "남겨둔", "무엇", "있는", "있어", "주세요", "해줘", "뭐",
	"까지", "사항", "의", "을", "를", "은", "는", "이", "가", "야", "지", "나", "요", "들",
}
