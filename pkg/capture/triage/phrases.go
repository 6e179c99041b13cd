package triage

// role is the role of a phrase in a statement.
type role uint8

const (
	primary  role = iota // makes the statement one of its category
	booster              // raises the score, but only beside a primary
	symptom              // one of three parts of a runbook, which needs two
	cause                //
	fix                  //
	negation             // "not": a primary within the next few words does not count
	doubt                // "might": halves a primary
	supposed             // "if": nearly cancels a primary of a decision or a debt after it
	modal                // "could": the same, within a clause
	later                // "when": progress after it is still to come
	asking               // "should we": makes a question, with or without its mark
	doing                // "let me": the assistant describes what it is doing
	another              // "the user": a third person, whose choices are not ours
	ours                 // "we": the choice is ours
	void                 // only looks like a phrase of another row: "let's go ahead"
	remember             // the person asks to remember
)

// topic is a category of statements or a moment, as an index; 0 is any.
type topic uint8

const (
	anyTopic topic = iota
	decision
	runbook
	constraint
	techDebt
	preference
	progress // the first moment; the topics before it are categories
	entity
	pattern
	correction
	topics
)

// firstMoment is the first topic that is not a category.
const firstMoment = progress

// cue is what a phrase means. Its weights, one for each kind of speaker, are probabilities: this share of the
// statements with the phrase and nothing against it is worth keeping. A person says less than the assistant
// and means it.
type cue struct {
	role      role
	topic     topic
	flags     flag
	person    float32
	assistant float32
}

type flag uint8

const (
	subject flag = 1 << iota // a choice, which counts only if it is ours: not "the user chose"
	opens                    // counts only at the beginning of a clause
	begins                   // counts only at the beginning of the statement
	object                   // needs a word after it in its clause: not "let's go!"
	habit                    // not before a past form: "we never settled"
	plain                    // a negation before it does not cancel it
)

// row is a line of the table: phrases with the same meaning, separated by "|". Words are matched folded and
// without plural endings; ":" stands for a colon right after a word, "#" for a number.
type row struct {
	cue
	phrases string
}

// table has all phrases that triage listens for. Each row says why it counts. To add a phrase, put it into a
// row and rebuild the matcher (KEEPSAKE_GOLDEN=1 go test ./pkg/capture/triage); keepsake dev eval triage
// measures its effect.
var table = [...]row{
	// Decisions: a choice that was made.

	// Said as a decision, by the one who made it: nothing else is meant.
	{cue{primary, decision, subject, .60, .55},
		"we decided|we've decided|we have decided|we had decided|i decided|i've decided|i have decided|" +
			"the team decided|it was decided|we settled on|i settled on|we agreed to|we agreed on|" +
			"we agreed that|we opted|i opted|we've chosen|we have chosen|decided to go with|" +
			"decided against|decided not to|final decision|decision is to|decision was to"},
	// A choice that is over; without "decided" it may also be one of the program's.
	{cue{primary, decision, subject, .50, .40},
		"we chose|i chose|we picked|i picked|we selected|we went with|i went with|we've gone with|" +
			"decided to|decided on|settled on|opted for|chosen option|chosen approach|decision :|decided :|" +
			"our decision|the decision is|the decision was|we've switched to|we switched to|we've moved to|" +
			"we moved to"},
	// A change that is told without its subject; the agent reports its own edits so.
	{cue{primary, decision, subject | opens, .40, .30},
		"switched to|moved to|i've changed the approach|i changed the approach|changed the approach|" +
			"i've switched to|i switched to"},
	// A wish of the person is an instruction; the agent's is a proposal.
	{cue{primary, decision, 0, .45, .0},
		"i'd go with|i would go with|i'd use|i'd rather|i want to use|i want us to use"},
	// A choice in the making, with what is taken.
	{cue{primary, decision, 0, .50, .40},
		"let's go with|lets go with|we'll go with|we will go with|we're going with|we are going with|" +
			"i'll go with|i will go with|i'm going with|going to go with|let's stick with|let's stick to|" +
			"let's stay with|we'll stick with|we stick with|we'll stay with|we keep using|opting for|" +
			"going with option|go with option|ruled out|we rejected"},
	// An order of the person; from the agent mostly its next step.
	{cue{primary, decision, opens, .45, .20},
		"go with|let's go for|going with|let's use|lets use|let's keep using|let's switch to|let's move to|" +
			"stick with|stay with"},
	// What will be used or not: often a choice, at times only the next command.
	{cue{primary, decision, 0, .45, .30},
		"we'll use|we're going to use|we're using|we'll keep|we will keep|we won't use|we will not use|" +
			"we're not going to|we will not|let's not use"},
	// The same written out, as people do who settle something.
	{cue{primary, decision, 0, .48, .42}, "we will use|we are going to use|we have to go with"},
	// "let's go Postgres": takes an object, or it only says to begin.
	{cue{primary, decision, opens | object, .42, .15}, "let's go"},
	// A migration, or a choice from before that is explained now.
	{cue{primary, decision, subject, .42, .25},
		"we're dropping|we are dropping|we drop support|we're moving from|we're moving to|we are moving to|" +
			"we're switching|we are switching|we're replacing|we won't support|we will not support|" +
			"we're staying on|we're staying with|we stay on|we stay with|we're sticking with|" +
			"the reason we use|the reason we chose|the reason we went"},
	// What is left out on purpose.
	{cue{primary, decision, 0, .48, .30}, "we're not doing|we are not doing|not doing that"},
	// The person settles what was open.
	{cue{primary, decision, opens, .44, .0},
		"confirmed :|confirmed with|it's confirmed|it is confirmed|that's confirmed"},
	// The person keeps something or takes an option: short orders, often of the moment.
	{cue{primary, decision, opens, .42, .15},
		"let's keep|do option|take option|pick option|choose option|do the first|take the first"},
	// A change that is asked for; one in three is worth more than the turn.
	{cue{primary, decision, opens, .30, .10},
		"let's do|let's change|let's replace|let's drop|let's remove|let's make|keep it|leave it|option #|" +
			"use #"},
	// One thing against another: by itself mostly a detail of the work.
	{cue{primary, decision, 0, .25, .12},
		"instead of|rather than|in favor of|in favour of|over using|makes more sense than|trade off is|" +
			"tradeoff is|not worth"},
	// A claim with its reason is what a reader looks for later.
	{cue{booster, decision, 0, .45, .35},
		"because|rationale|the reason|reason :|due to|reasoning|tradeoff|trade off|this approach|" +
			"so that we|in favor of|in favour of|instead of|rather than"},
	// Weaker reasons: also frequent in sentences that decide nothing.
	{cue{booster, decision, 0, .25, .20},
		"since|so that|in order to|simpler|simplest|safer|cleaner|cheaper|faster|easier|it's one|as it|" +
			"to avoid|which mean|for consistency|given|over|we already|already use|already run"},

	// Runbooks: what broke, why, and what helped. Two of the three are needed.

	// What broke; says nothing without why or what helped.
	{cue{symptom, runbook, 0, .30, .30},
		"error|exception|traceback|failed|failing|fail|failure|crash|crashed|crashing|panic|panicked|broke|" +
			"broken|break|hang|hung|hanging|timeout|timed out|does not work|doesn't work|not working|" +
			"didn't work|stopped working|bug|leak|leaking|stuck|flaky|flake|infinite loop|race condition|" +
			"deadlock|segfault|outage|corrupt|corrupted|blocked|refused|rejected|regression|mismatch|stale"},
	// The cause is named as such.
	{cue{cause, runbook, 0, .50, .50},
		"root cause|was caused by|is caused by|were caused by|are caused by|the cause was|the cause is|" +
			"the culprit was"},
	// A cause in other words, and in German.
	{cue{cause, runbook, 0, .45, .45},
		"caused by|the culprit|turned out|turn out|that's why|that is why|the problem was|the issue was|" +
			"the bug was|happen because|happened because|failing because|failed because|fail because|" +
			"crash because|crashed because|broke because|fail due to|failed due to|failing due to|" +
			"crash due to|crashed due to|stem from|the reason was|das problem war|die ursache war|" +
			"der grund war|das lag daran|lag daran dass|ursache war|schuld war|came from|come from|" +
			"failure are from|failure are all from|error are from|error are all from|traced to|traced it to"},
	// Often a cause, and mostly only a clause.
	{cue{cause, runbook, 0, .12, .12},
		"because|due to|the problem is|the issue is|the reason is|this is why|causing|which caused"},
	// What helped, with how.
	{cue{fix, runbook, 0, .55, .50},
		"fixed by|fixed it by|fix was|fix is to|resolved by|resolved it by|solved by|solved it by|" +
			"the solution was|the solution is to|worked around|workaround was|workaround is to|cured by|" +
			"behoben durch|behoben mit|behoben indem|went away|fix : add|fixed with"},
	// That it is fixed; how may be elsewhere.
	{cue{fix, runbook, 0, .25, .20},
		"fixed|fix :|the fix|resolved|solved|workaround|solution :|works now|work again|passes now|" +
			"passing now|has to be restarted|must be restarted|clear the cache|clearing the cache|rerun|" +
			"restarting|bumping|downgrading|upgrading|reinstalling"},

	// Constraints: a limit that stays.

	// A limit that nobody here can lift.
	{cue{primary, constraint, plain, .50, .46},
		"must never leave|must not leave|may not leave|never leaves our|not supported by|" +
			"there is no way to|there's no way to|not permitted"},
	// A limit that is called one, or comes from outside.
	{cue{primary, constraint, 0, .50, .46},
		"by design|hard limit|known limitation|is limited to|are limited to|only has access to|" +
			"only have access to|only support|only allow|rate limited to|rate limit is|rate limit of|" +
			"platform limitation|known limit|legally|compliance require|for compliance|gdpr|hipaa|" +
			"upstream limitation|forbidden by|hard requirement|contractually|out of our control"},
	// What something does not do; it may do so in the next version.
	{cue{primary, constraint, plain, .40, .36},
		"not supported|does not support|doesn't support|don't support|isn't supported|aren't supported|" +
			"no support for|not possible to|no way to|not allowed to|isn't allowed|is not allowed|" +
			"aren't allowed|no more than|cannot exceed|can't exceed|cannot be relied|can't be relied|" +
			"can't upgrade|cannot upgrade|can't update to|cannot update to"},
	// What must stay or is scarce; also said of a choice of ours.
	{cue{primary, constraint, 0, .40, .36},
		"limitation|rate limit|quota|free tier|only work with|only work when|only work if|only work on|" +
			"only work in|only valid when|only valid if|impossible to|must not|must never|must stay|" +
			"must remain|need to stay|has to stay|have to stay|incompatible with|end of life|upstream bug|" +
			"upstream issue|platform issue|platform bug|known issue"},
	// "cannot" is mostly about the moment.
	{cue{primary, constraint, plain, .22, .12}, "cannot|can't|can not|does not|do not|won't work"},
	// A number may follow; also the words of any program.
	{cue{primary, constraint, 0, .30, .25}, "limited to|maximum of|max of|capped at"},
	// Words of limits that are as often about something else.
	{cue{primary, constraint, 0, .22, .12},
		"unsupported|deprecated|must|requires|only available|limit|restricted"},
	// What makes a limit last: who sets it, how often, without exception.
	{cue{booster, constraint, plain, .40, .35},
		"by design|upstream|hard limit|per minute|per second|per hour|per day|a minute|a second|an hour|" +
			"a day|platform|policy|license|licence|vendor|known|well known|at any point|" +
			"under any circumstance|ever|always|never|no exception|legal|regulation|by law"},
	// Weaker signs that it binds.
	{cue{booster, constraint, plain, .20, .15},
		"must use|need to use|have to use|has to use|api|because|until|cannot|can't|only|must|at most|" +
			"at least|guarantee|#"},

	// Technical debt: work put off, or a gap left on purpose.

	// Put off with the word for it, or left out for good.
	{cue{primary, techDebt, 0, .55, .48},
		"tech debt|technical debt|leave it for later|for now because|defer it|deferred to|deferred until|" +
			"is deferred|are deferred|was deferred|were deferred|acceptable for now|good enough for now|" +
			"fine for now|okay for now|ok for now|skip for now|skipping for now|leave that for now|" +
			"out for now|out of scope for now|not worth fixing|not worth a|clean up later|" +
			"clean it up later|fix it later|fix this later|fix that later|revisit later|revisit this later|" +
			"revisit it later|known gap|we won't fix|i won't fix|wontfix|future consideration|stopgap|" +
			"stop gap|come back to this later|come back to it later|do it later|later because|separate pr|" +
			"separate ticket|separate issue|follow up pr|proper long term"},
	// "don't worry about that": only the negation means it, so it does not cancel it.
	{cue{primary, techDebt, plain, .35, .22}, "worry about"},
	// Put off, or a stopgap; also said of what is done next.
	{cue{primary, techDebt, 0, .35, .22},
		"for now|deferred|defer|todo :|todo later|fixme|quick fix|quick hack|dirty hack|a hack|temporary|" +
			"temporarily|workaround|out of scope|shortcut|short cut|later on|in a follow up|as a follow up|" +
			"hardcoded|hard coded|revisit|eventually|not worth|in the future|another phase|later phase|" +
			"next phase|in v2|in v3"},
	// What makes it a debt: until when, why, at what risk.
	{cue{booster, techDebt, plain, .35, .30},
		"later|for now|until|eventually|temporary|temporarily|because|long term|technical debt|risk|cost|" +
			"proper|properly|leave|left out|skip|harmless|acceptable|pre existing|known|one day|someday|" +
			"when we have time|deadline"},

	// Preferences: a standing convention.

	// A rule that is announced as one.
	{cue{primary, preference, plain, .60, .45},
		"from now on|our convention is|the convention is|as a rule|in this repo we|in this project we|" +
			"in this codebase we|in our codebase we|in our repo we|make sure to always|" +
			"make sure you always|please always|please never|don't ever|do not ever|never ever|" +
			"i always want|i never want|house style|team convention|standing rule|i want you to always"},
	// A habit of all of us.
	{cue{primary, preference, plain | habit, .45, .30}, "we always|we never"},
	// A rule, where it begins the statement; elsewhere it tells what a program does.
	{cue{primary, preference, plain | habit | begins, .45, .15}, "always"},
	// The same of what is forbidden.
	{cue{primary, preference, plain | habit | opens, .45, .15}, "never"},
	// A rule for what is written.
	{cue{primary, preference, plain, .60, .30}, "always use|never use|always prefer"},
	// The person is tired of something.
	{cue{primary, preference, plain, .48, .25}, "stop using|stop adding|stop writing"},
	// What somebody prefers, said as such.
	{cue{primary, preference, 0, .48, .25},
		"i prefer|we prefer|i'd prefer|i would prefer|going forward|our convention|convention is|" +
			"coding convention|naming convention|stay consistent|be consistent|style guide|our style"},
	// An order that holds on: weak, as it may be for the moment.
	{cue{primary, preference, opens, .30, .0}, "switch to"},
	// Strict words; as often about a program as about us.
	{cue{primary, preference, plain, .25, .12},
		"should always|should never|must always|must never|need to always|i don't like|i do not like|i hate"},
	// A reason that is a rule.
	{cue{primary, preference, 0, .36, .20}, "for consistency"},
	// The person repeats themselves, so that it should have been known.
	{cue{primary, preference, plain, .45, .15},
		"unless i ask|unless i say|unless asked|i told you|i already told you|you keep|i've told you"},
	// A habit without "always": often only what is there.
	{cue{primary, preference, 0, .28, .12}, "we use|we don't use|we do not use"},
	// Words of rules, which documents are full of.
	{cue{primary, preference, 0, .25, .12},
		"default to|prefer|convention|by convention|consistent with|consistently|stick to|stick with|rule|" +
			"rule of thumb|everywhere|best practice|our standard|is standard"},
	// "here" makes it a rule of this project.
	{cue{booster, preference, plain, .35, .05}, "here"},
	// What makes it hold beyond the moment.
	{cue{booster, preference, plain, .35, .25},
		"always|never|instead of|rather than|over|everywhere|in this repo|in this project|in this codebase|" +
			"in the codebase|codebase|convention|rule|consistent|consistency|please|every|all|must"},

	// Moments, the other rows of the flush checklist, which belong into the Markdown memories. The
	// checklist's preferences and decisions are the categories above.

	// Progress of the project's work, not of a program: done, blocked, delayed, a milestone. The assistant's
	// own work does not count, as it reports on that every few turns.

	// A step of the project is over.
	{cue{primary, progress, 0, .52, .0},
		"milestone reached|milestone is reached|reached the milestone|reached a milestone|hit the " +
			"milestone|milestone is done|milestone done|milestone is complete|finished the milestone|" +
			"completed the milestone|phase # is done|phase # done|phase # is complete|phase # is finished|" +
			"finished phase #|completed phase #|release is out|release is done|project is done|" +
			"project is finished|project is complete|migration is done|migration is complete|" +
			"rollout is done|rollout is complete|we shipped|we've shipped|we have shipped|we went live|" +
			"it went live|we're live|we are live|is in production now|signed off on"},
	// A date that is new or has moved.
	{cue{primary, progress, 0, .50, .0},
		"deadline is now|deadline moved|deadline has moved|deadline was moved|deadline is moved|deadline " +
			"slipped|new deadline|moved the deadline|deadline is #|deadline is on|deadline is friday|" +
			"deadline is next|launch is now|release is now|behind schedule|ahead of schedule"},
	// The project waits, or goes on again.
	{cue{primary, progress, 0, .50, .0},
		"we're blocked|we are blocked|i'm blocked|i am blocked|project is blocked|release is blocked|" +
			"launch is blocked|migration is blocked|rollout is blocked|milestone is blocked|" +
			"release is delayed|launch is delayed|project is delayed|rollout is delayed|" +
			"migration is delayed|milestone is delayed|release was delayed|launch was delayed|" +
			"release is postponed|launch is postponed|launch was postponed|release was postponed|" +
			"project is on hold|release is on hold|put the project on hold|we're unblocked|we are unblocked"},

	// Entities: a person, a tool or an account that is new or changed. Only the person knows.

	// A person and what they are there for.
	{cue{primary, entity, 0, .50, .0},
		"new contact at|new contact for|new contact is|new contact :|our contact at|our contact for|" +
			"the contact for|point of contact is|contact person is|contact person for|is our contact|" +
			"is the contact|is now the contact|new team member|new teammate|new colleague|joined the team|" +
			"joined our team|joins the team|joins our team|left the team|left our team|leaves the team|" +
			"is leaving the team|left the company|is the new owner|is our new|is the new lead|" +
			"is now responsible for|took over from|takes over from|is taking over from|our account manager"},
	// An account, a name or a channel of ours.
	{cue{primary, entity, 0, .48, .0},
		"our account is|my account is|our account id is|our account number is|our account name is|our " +
			"account has moved|our account changed|my username is|my handle is|my email is|" +
			"my email address is|her email is|his email is|their email is|slack channel is|" +
			"slack channel for"},
	// A tool of ours that is new or gone.
	{cue{primary, entity, 0, .45, .0},
		"we now use|we're now using|we are now using|we now have a subscription|we cancelled our|" +
			"we canceled our|we replaced|we moved from|we've moved from|we switched from|" +
			"we've switched from|we switched our|we've switched our|we migrated from|we've migrated from"},

	// Patterns: a gotcha, a detour, a better way.

	// A trap or a way that is told to save the next one.
	{cue{primary, pattern, 0, .50, .44},
		"a gotcha|one gotcha|the gotcha|gotcha :|gotcha with|gotcha here|known gotcha|hidden gotcha|" +
			"foot gun|footgun|the pitfall|a pitfall|one pitfall|lesson learned|the lesson|was a detour|" +
			"took a detour|took the detour|unnecessary detour|would have saved u|better way is|" +
			"better way was|there's a better way|there is a better way|found a better way|" +
			"found a simpler way|better approach is|better approach was|found a better approach|" +
			"better solution is|better solution was|found a better solution|contrary to the doc|" +
			"contrary to the documentation|docs are wrong|documentation is wrong"},
	// The same as advice, for whoever is next.
	{cue{primary, pattern, opens, .46, .42},
		"watch out for|watch out with|beware of|next time we|next time use|next time check|next time start|" +
			"next time run|next time ask|next time read|note to self"},
	// What makes it worth telling.
	{cue{booster, pattern, 0, .35, .30},
		"because|undocumented|silently|instead of|rather than|next time|always|never|surprisingly|better"},

	// Corrections: the person says that something was wrong, is not content, or wants it done again.

	// The person says that something is wrong.
	{cue{primary, correction, plain | opens, .50, .0},
		"that's wrong|that is wrong|you're wrong|you are wrong|that's incorrect|that is incorrect|" +
			"that's not right|that is not right|that's not correct|still wrong|wrong again|" +
			"you misunderstood|you ignored|you forgot|you broke|you removed|you deleted"},
	// The person is not content, or says it again.
	{cue{primary, correction, plain, .52, .0},
		"not what i asked|not what i wanted|not what i meant|not what i said|i didn't ask for|" +
			"i did not ask for|i didn't ask you|i did not ask you|i told you|i already told you|" +
			"i've told you|i have told you|i already said|you keep|not happy with|unhappy with|" +
			"not satisfied|dissatisfied|not good enough|is unacceptable|not acceptable"},
	// The work is to be done again or taken back.
	{cue{primary, correction, opens, .45, .0},
		"redo it|redo this|redo that|redo the whole|please redo|do it again|do it over|start over|" +
			"undo that|undo this|revert that|revert this|revert your|stop doing"},
	// That it is about more than this once.
	{cue{booster, correction, plain, .35, .0},
		"again|instead|i asked|i told|every time|always|never|please|wrong"},

	// What counts against a statement.

	// Turns the phrase behind it into its opposite.
	{cue{role: negation},
		"not|never|no|didn't|don't|doesn't|haven't|hasn't|hadn't|isn't|aren't|wasn't|weren't|won't|" +
			"wouldn't|can't|cannot|couldn't|shouldn't|without|nor|neither|nothing|yet to|undecided|zero|" +
			"stop|avoid|instead of|rather than"},
	// Makes a guess of a claim.
	{cue{role: doubt},
		"might|may|maybe|perhaps|possibly|probably|likely|seem|i think|i wonder|i guess|not sure|unsure|" +
			"unclear|suspect|could|would|apparently|potentially|i believe|presumably|hopefully"},
	// Makes it depend on something.
	{cue{role: supposed},
		"if|unless|whether|suppose|supposing|imagine|in case|what if|until we|before we|once we|had we|" +
			"were we|let me know|hypothetically|assuming|in theory"},
	// Makes it a possibility.
	{cue{role: modal}, "would|could|should|might|may|perhaps|maybe|were to|either|consider|considering"},
	// What is said has not happened yet.
	{cue{role: later}, "when|once|after|until|till|before|as soon as|by the time|as long as|make sure"},
	// Nothing is stated.
	{cue{asking, anyTopic, opens, 0, 0},
		"should we|should i|shall we|shall i|could we|could you|can we|can you|can i|do we|do you|did we|" +
			"did you|does it|would we|would you|would it|want me to|do you want|is it|is there|are we|" +
			"are there|have we|has it|why|what|how|which|where|who|when should|let me know|wouldn't|" +
			"shouldn't|isn't it|don't we"},
	// The agent tells what it does, which the work itself shows.
	{cue{doing, anyTopic, opens, 0, 0},
		"let me|i'll|i will|i need to|i should|i'm going to|i am going to|i can|i could|let's check|" +
			"let's see|let's look|let's run|let's verify|let's try|let's test|let's start|let's update|" +
			"let's add|let's fix|now let|now i|to fix|will fix|next i|next step|i'm now|want me"},
	// Somebody else chose.
	{cue{role: another},
		"user|customer|client|visitor|admin|player|buyer|shopper|he|she|they|it|agent|model|claude|system|" +
			"app|browser|server|component|function|method|caller|code|test|parser|framework|library|" +
			"candidate|reviewer|someone|anyone|people|who"},
	// We chose.
	{cue{role: ours}, "we|i|let's|lets|we've|we'll|we're|i've|i'll|i'm|our|team"},

	// Phrases of other rows within words that mean something else.
	{cue{role: void},
		"will not be able|won't be able|will not need|won't need|will not have|not going to be|let's keep " +
			"going|let's keep working|let's keep it up|let's keep looking|let's keep trying|let's go " +
			"ahead|let's go back|let's go through|let's go over|let's go step|let's go one|let's go to|" +
			"let's go and|let's go on|let's go now|let's go again|let's go deeper|never mind|never seen|" +
			"never been|never had|never heard|never got|never saw|never was|never again|always the|always " +
			"been|always a|always in|always on|always there|always good|always so|we always get|we never " +
			"get|we always see|we never see|we always return|we never return|we always end|we never hit|we " +
			"never reach|we always call|we never call|add rate limit|add a rate limit|implement rate " +
			"limit|implement a rate limit|add rate limiting|secure by design|private by design|safe by " +
			"design|temporary file|temporary directory|temporary folder|temporary dir|temporary " +
			"table|eventually consistent|be fixed|be fixed by|be resolved by|be solved by|going with the|" +
			"go with the flow|remember me|here it is|there it is|as it is|what it is|how it is|like it is|" +
			"way it is|whatever it is|think it is|that it is|where it is|because it is|since it is|" +
			"if it is|but it is|and it is|so it is|when it is|while it is|which it is|than it is|" +
			"sure it is|is it is|it as it was|them as they were|it the way it was|skip the test for now|" +
			"skip test for now|skip the check for now|skip the lint for now|skip the linter for now|" +
			"skip the build for now|skip ci for now|revert your last|revert your latest|" +
			"revert your previous"},

	// Requests.

	// The person asks to keep something, in the words for it.
	{cue{remember, anyTopic, 0, 1, 0},
		"remember this|remember that|remember to|update memory|update your memory|update the memory|" +
			"save this to memory|save that to memory|save it to memory|save to memory|save this in memory|" +
			"store this in memory|put this in memory|add this to memory|add that to memory|" +
			"add it to memory|add to memory|commit this to memory|don't forget that|do not forget that|" +
			"don't forget this|don't forget :|note that for later|note this for later|note for later|" +
			"note this down|make a note of|make a note that|keep in mind|keep this in mind|bear in mind|" +
			"keep that in mind|memorize this|memorise this|memorize that|memorise that"},
	// Alone, only where it begins a clause: "I remember" asks for nothing.
	{cue{remember, anyTopic, opens, 1, 0}, "remember"},
	// Asks to keep what was said before.
	{cue{remember, anyTopic, opens, 1, 0},
		"save that decision|save this decision|save the decision|save our decision|record that " +
			"decision|record this decision|record the decision|note that decision|note this decision|" +
			"note the decision|save that rule|save this rule|save that preference|save this preference|" +
			"save that convention|save this convention|save that constraint|save this constraint|save that " +
			"limitation|save this limitation|save that lesson|save this lesson|save that fix|save this " +
			"fix|save that workaround|save this workaround"},
	// Announces what to keep.
	{cue{remember, anyTopic, plain, 1, 0}, "for future reference"},
	// The same in German.
	{cue{remember, anyTopic, opens, 1, 0},
		"merk dir|merke dir|merke :|merk :|vergiss nicht|denk dran|denk daran|denke daran"},
}

// wordClasses are words that matter only in the context of a phrase.
var wordClasses = []struct {
	class classes
	words string
}{
	{opener,
		"yes|yeah|yep|yup|ok|okay|so|then|and|but|also|please|well|right|great|good|perfect|nice|now|just|" +
			"no|nope|actually|hey|claude|alright|sure|cool|fine|agreed|oh|hmm|btw|bitte|again|first|" +
			"finally|therefore|thus|hence|lastly"},
	{joining, "with|to|that|about|so|for|and|please|now|file|too|as|when|because"},
	{recalling, "when|how|what|why|who|where|which|if|me|him|her|them"},
	{leading, "to|must|should|can|could|will|would|always|also|want|need|have|kindly|make|sure|like"},
	{telling, "do|did|don't|if|as|because|when|what|that"},
	{remedy, "fix|workaround|solution"},
	{against, "for"},
	{being, "was"},
}
