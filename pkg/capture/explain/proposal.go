package explain

import (
	"slices"
	"strings"

	"keepsake/pkg/capture/cues"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/text"
)

// A proposal is what the agent put before the person to decide.
type proposal struct {
	text   string // word for word
	reason bool   // with a reason or a contrast
	points bool   // found before a question that only points at it: "shall I do that?"
}

// Words of a proposal, as text.OneOf takes them; verbs by their stems.
const (
	// leading may stand before what a question proposes.
	leading = "should shall do you want would like me us i we to can could may is it ok okay " +
		"alright fine if how about what are happy with sound good just also then so let's lets let " +
		"maybe perhaps rather now please and for that recommend suggest propose i'd i'll my " +
		"recommendation suggestion think prefer either alternatively the best simplest we'd would be " +
		"soll sollen sollten ich wir willst möchtest du wollen dass jetzt noch auch gleich kann können"
	// choosing are verbs of a choice that lasts.
	choosing = "use switch go mov move replac replace drop keep adopt standardize standardise " +
		"default stor store split stay stick target support requir require disabl disable enabl " +
		"enable pin defer postpon postpone leav leave migrat migrate deprecat deprecate avoid rely " +
		"combin combine separat separate treat"
	// errands are verbs of going on with the work.
	errands = "run rerun commit push proceed continue start begin open merge rebase deploy look " +
		"check test show explain review investigate try verify read clean help tackle work draft " +
		"generate build format install restart stop wait amend squash skip done nothing exit cancel " +
		"view put brainstorm ready next plan see"
	// versioning is about what becomes of the work in version control.
	versioning = "commit committed commits push pushed merge merged rebase rebased squash pr branch"
	// pointing are words that a question to go on points back with, behind one of doing.
	pointing = "this that it these those"
	doing    = "implement mak make do apply add go proceed updat update change chang fix refactor"
	contrast = "instead rather because since avoid simpler cleaner safer statt anstatt stattdessen weil " +
		"einfacher sauberer sicherer"
	// suggesting stand early in a sentence that puts something forward.
	suggesting = "cleanest simplest better best should could would würde sollten könnten " + advising
	// advising are words that mark a choice as the agent's advice.
	advising = "recommend suggest propose proposing recommendation suggestion proposal i'd cleaner " +
		"schlage vorschlag empfehle empfehlung"
	// German verbs end a question, and what they are of: "soll ich flock verwenden?".
	germanChoosing = "nehmen verwenden nutzen benutzen wechseln umstellen umsteigen ersetzen behalten " +
		"speichern ablegen einführen streichen belassen"
	germanErrands = "ausführen laufen starten committen pushen mergen testen prüfen weitermachen " +
		"fortfahren anfangen loslegen zeigen anschauen ansehen nachsehen suchen erklären lassen " +
		"deployen ausrollen warten aufhören"
	// proceeding are all words of a question whether to do what was said: "should I go ahead?".
	proceeding = "go ahead proceed continue do implement apply start make that this it those these them " +
		"the change changes plan so with now then " +
		"das es so dann jetzt machen tun umsetzen loslegen anfangen fortfahren weitermachen"
)

// isChoice reports whether a proposal alone is clearly a lasting choice. It gives a reason and is the
// question itself, or it has what the agent would choose. "This should be updated" is only work.
func (p proposal) isChoice() bool {
	if p.reason && !p.points {
		return true
	}
	words := splitWords(p.text)
	if !p.points || len(words) < leastProposed {
		return false
	}
	for i, w := range words[:min(len(words), 5)] {
		if w.in(advising+" cleanest simplest best better simpler safest safer") ||
			w.in("would würde") && i > 0 && words[i-1].in("i ich") {
			return p.reason || !isWork(words)
		}
		if p.reason && i > 0 && w.in("should sollten") && words[i-1].in("we wir") {
			return true
		}
	}
	return choosesIn(words)
}

// option returns the option that a proposal names by its key: "I'd go with option 2".
func (p proposal) option(agent string) (text string, sure, ok bool) {
	words := splitWords(p.text)
	for i, w := range words {
		if !w.in(keyNouns) || w.text == "no" {
			continue
		}
		keys, letters, _ := readKeys(words, i+1)
		if len(keys) == 0 || letters && words[i+1].raw == "a" {
			continue
		}
		return pick{keys: keys[:1], letter: letters, worded: true, noun: true}.find(agent)
	}
	return "", false, false
}

// isWork reports whether a sentence that puts something forward is about work to be done:
// "I suggest fixing the tests".
func isWork(words []word) bool {
	for _, w := range words {
		if !w.in(leading) && !w.in(advising) && !w.in("is vor vorschlag") {
			return isVerb(w.text, doing) || isVerb(w.text, errands) || isVerb(w.text, working)
		}
	}
	return false
}

// leastProposed is the least number of words of a proposal that names a choice.
const leastProposed = 4

// maxBack is how many sentences before a question what it points at may stand.
const maxBack = 6

// findProposal returns what a yes to the agent's last words agrees to. A question about going on with an
// errand proposes nothing: "shall I run the tests?".
func findProposal(text string) (proposal, bool) {
	all := triage.Sentences(text)
	if len(all) == 0 {
		return proposal{}, false
	}
	last := len(all) - 1
	at := last
	for at > max(-1, last-3) && !all[at].Question {
		at--
	}
	if at < 0 || !all[at].Question {
		at = last + 1 // no question: the last words themselves may propose
	} else {
		words := splitWords(all[at].Text)
		for i, w := range words {
			if w.text == "or" && i > 1 && i+2 < len(words) && words[i+1].in("do would are is") &&
				words[i+2].in("you there") { // "or do you prefer something else?"
				words = words[:i]
				break
			}
			if w.in("or oder") && i+1 < len(words) && !words[i+1].in("not nicht") {
				return proposal{}, false // yes to what?
			}
		}
		short := len(words) <= maxAssent
		if choosesIn(words) || makesSo(words) || contrasts(words) && !short && !isErrand(all[at].Text) {
			return proposal{text: all[at].Text, reason: contrasts(words)}, true
		}
		if !pointsBack(words) && !asksConsent(words) && !asksToProceed(words) {
			if short && at > 0 && !isErrand(all[at].Text) {
				return putForward(all[:at])
			}
			return proposal{}, false
		}
		// "I recommend option 1. Sound good?" is one sentence to whoever cuts at "1." as in a list.
		if proposes(words) && isAdvice(words) && !isWork(words) && !isErrand(all[at].Text) {
			return proposal{text: all[at].Text, reason: contrasts(words), points: true}, true
		}
	}
	for i := at - 1; i >= 0 && i >= at-maxBack; i-- {
		words := splitWords(all[i].Text)
		says := !all[i].Question && len(words) > 3 && !strings.HasSuffix(plain(all[i].Text), ":")
		if says && proposes(words) && !isErrand(all[i].Text) {
			return proposal{text: all[i].Text, reason: contrasts(words), points: true}, true
		}
	}
	return proposal{}, false
}

// maxAssent is how many words a question has at most that may only ask for a yes, in any language.
const maxAssent = 5

// putForward returns the last of some sentences that puts something forward, among the last two.
func putForward(all []triage.Sentence) (proposal, bool) {
	for _, s := range slices.Backward(all[max(0, len(all)-2):]) {
		words := splitWords(s.Text)
		if !s.Question && len(words) > 3 && cues.Find(s.Text).Has(cues.Proposal) && proposes(words) &&
			!isErrand(s.Text) {
			return proposal{text: s.Text, reason: contrasts(words), points: true}, true
		}
	}
	return proposal{}, false
}

func stem(w string) string {
	switch {
	case strings.HasSuffix(w, "ing") && len(w) > 5:
		w = w[:len(w)-3]
		if n := len(w); w[n-1] == w[n-2] && w[n-1] != 'l' && w[n-1] != 's' {
			w = w[:n-1]
		}
	case w == "using":
		return "use"
	}
	return w
}

// isVerb reports whether a word is one of the verbs of a list, in any of its forms with "ing".
func isVerb(w, list string) bool {
	s := stem(w)
	return text.OneOf(s, list) || s != w && text.OneOf(s+"e", list)
}

// choosesIn reports whether the first verb behind what leads up to it is one of choice.
func choosesIn(words []word) bool {
	if n := len(words); n > 2 && words[0].in("soll sollen sollten wollen willst möchtest") {
		return words[n-1].in(germanChoosing)
	}
	for i, w := range words {
		s := stem(w.text)
		if s == "go" && i+1 < len(words) {
			return words[i+1].text == "with"
		}
		if isVerb(w.text, choosing) {
			return s != "mov" && s != "move" || i+1 < len(words) &&
				!words[i+1].in("on forward ahead")
		}
		if !w.in(leading) {
			return false
		}
	}
	return false
}

// makesSo reports whether a question is about what something is to do: "want me to make the
// search fall back to the log?".
func makesSo(words []word) bool {
	for i, w := range words {
		if w.in("make have") && i > 0 && i+3 < len(words) && words[i-1].in("to i we") {
			return !words[i+1].in(pointing + " a an another some me you")
		}
		if !w.in(leading) {
			return false
		}
	}
	return false
}

// pointsBack reports whether a question asks to go on with what was said before it.
func pointsBack(words []word) bool {
	for i, w := range words {
		if isVerb(w.text, doing) && hasWord(words[i+1:min(len(words), i+4)], pointing) {
			return true
		}
	}
	return false
}

// asksToProceed reports whether a question only asks whether to do what was just described: "should I go
// ahead?", "soll ich das so umsetzen?".
func asksToProceed(words []word) bool {
	some := false
	for _, w := range words {
		if w.in(proceeding) {
			some = some || !w.in(leading) && !w.in(pointing)
		} else if !w.in(leading) {
			return false
		}
	}
	return some
}

// asksConsent reports whether a question asks for nothing but consent: "sound good?",
// "thoughts?", "is that ok with you?".
func asksConsent(words []word) bool {
	if len(words) > 8 {
		return false
	}
	return hasWord(words,
		"thoughts agree agreed ok okay sound sounds make makes work works fine think right "+
			"einverstanden passt ordnung meinst")
}

// proposes reports whether a sentence of the agent puts something forward.
func proposes(words []word) bool {
	return hasWord(words[:min(len(words), 8)], suggesting) || choosesIn(words)
}

// isAdvice reports whether a sentence begins by saying what the agent would choose.
func isAdvice(words []word) bool {
	return hasWord(words[:min(len(words), 4)], advising)
}

// contrasts reports whether a sentence gives a reason or names an alternative.
func contrasts(words []word) bool { return hasWord(words, contrast) }

// isAboutWork reports whether a question is about how to go on, or about what becomes of
// the work in version control.
func isAboutWork(question string) bool {
	return hasWord(splitWords(question), versioning) || isErrand(question)
}

// isErrand reports whether a question or an option is about how to go on with the work
// and not about what it is to be.
func isErrand(text string) bool {
	words := splitWords(text)
	for i, w := range words {
		if i == 0 && w.in(errands) {
			return true
		}
		if w.in("next proceed") && i < 10 {
			return true
		}
		if w.text == "like" && textAt(words, i+1) == "to" && textAt(words, i+2) == "do" {
			return true
		}
		if !w.in(leading) {
			return isVerb(w.text, errands) || words[len(words)-1].in(germanErrands)
		}
	}
	return false
}
