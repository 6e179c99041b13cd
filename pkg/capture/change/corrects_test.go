package change

import "testing"

// saidAfter are a person's next words after something that the agent did, and whether they correct it.
type saidAfter struct {
	said     string
	corrects bool
}

func TestCorrects(t *testing.T) {
	for _, c := range []saidAfter{
		{"No worries, it's fine.", false}, {"No problem, go on.", false},
		{"No need to change anything else.", false}, {"No further questions. Ship it.", false},
		{"Wait for the CI to finish, then merge.", false}, {"Stop here for today, thanks.", false},
		{"Wait, one more thing: also bump the version.", false},
		{"Nothing is wrong, all tests pass now.", false},
		{"That's not a problem, leave it as it is.", false},
		{"The test is still not in CI, add it.", false}, {"Nein danke, passt so.", false},
		{"It was my mistake, sorry. Continue.", false}, {"Great, no errors. Next task: the login.", false},
		{"I said thanks to Ana already. Next: the README.", false},
		{"No, use pnpm please, not npm.", true}, {"no that's wrong", true}, {"nope", true},
		{"That's wrong, undo it.", true}, {"I told you not to touch the lock file.", true},
		{"Why did you run npm? We use pnpm here.", true}, {"Stop! Don't push to main.", true},
		{"No problem with the name, but you should have asked first. That's wrong.", true},
		{"Hm, I meant the other file.", true}, {"It is still not what I asked for.", true},
		{"Nein, das ist falsch.", true}, {"Actually let's use yarn instead of npm.", true},
	} {
		if got := Corrects(c.said); got != c.corrects {
			t.Errorf("%q: %v", c.said, got)
		}
	}
}

// TestCorrectsUnseen has sentences that were written before the rule was tried on them, and after which it
// was not changed. It holds what was found then.
func TestCorrectsUnseen(t *testing.T) {
	right := 0
	for _, c := range []saidAfter{
		{"no no no, not the staging database", true}, {"No. Use the existing helper.", true},
		{"That's not how we do it here.", true}, {"You deleted the wrong file.", true},
		{"stop doing that", true}, {"I asked for a dry run first!", true},
		{"Don't commit yet, I want to look at it.", true}, {"wait, why are you rewriting the tests?", true},
		{"Undo the last commit please.", true}, {"Nein, nicht npm, nimm pnpm.", true},
		{"No objections from my side.", false}, {"no, that's all, thanks", false},
		{"No idea why it was slow before, but now it is fast.", false},
		{"Wait until the build is green and then tag it.", false}, {"Not bad at all!", false},
		{"I already have a ticket for that, so skip it.", false},
		{"Nothing else, thank you.", false}, {"That is exactly what I meant.", false},
		{"No more changes needed, please open the PR.", false},
		{"Stop the server and start it again.", false},
	} {
		if got := Corrects(c.said); got == c.corrects {
			right++
		} else {
			t.Logf("%q: %v", c.said, got)
		}
	}
	if right < unseenRight {
		t.Errorf("%d of 20 are right, and %d were", right, unseenRight)
	}
}

// unseenRight is how many were right at first. The cues alone have 9.
const unseenRight = 13
