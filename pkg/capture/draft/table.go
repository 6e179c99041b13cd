package draft

// A store is how a draft relates to the memories in the store: which one it is about, or how the two
// differ.
type store string

// What the store can say. The first six are determined before the draft's own wish, the others once the
// memory it would change is known.
const (
	veto           store = "VETO"             // a rule forbids what the draft wants
	appendOnly     store = "APPEND_ONLY"      // memories of the category never change
	noTarget       store = "NOOP"             // it ends something that isn't recorded
	noCandidate    store = "CREATE"           // no memory is about the same
	updateOrDelete store = "UPDATE_OR_DELETE" // one is, and drafts may retire memories of its category
	updateOnly     store = "UPDATE"           // one is, of another category

	duplicate store = "DUPLICATE" // the memory says all that it says
	news      store = "NEWS"      // it adds to the memory
	conflict  store = "CONFLICT"  // it contradicts the memory
	replaced  store = "REPLACED"  // it makes another choice than the memory, backed by a person's own words
	unbacked  store = "UNBACKED"  // it would end what a person said, without a person's words for it
	unfit     store = "UNFIT"     // it would make the memory unfit to be shown
)

// wish is what a draft wants done.
type wish string

// The wishes of drafts. A draft without one wants an update.
const (
	wantsCreate wish = "CREATE"
	wantsUpdate wish = "UPDATE"
	wantsDelete wish = "DELETE"
	anyWish     wish = "*"
)

// A rule is one row of the table that decides what becomes of a draft. The first row that fits applies.
type rule struct {
	Seed  int // the seed whose table has the row; 0 if neither does
	store store
	wish  wish
	State State // how the draft ends if nothing is wrong with it
	Why   string
}

// rules is one table made of two: one for what the store and the drafter say, and one for how a text relates
// to what is recorded. docs/resolution.md prints it.
var rules = [...]rule{
	{0, unbacked, anyWish, Rejected,
		"only a person ends what a person said: it becomes a question to them"},
	{0, unfit, anyWish, Rejected,
		"nobody may be told the draft's words, so they are not added to a memory that is told: it becomes " +
			"a question to the person"},
	{0, replaced, anyWish, Create,
		"a new memory takes the place of the old one, which is retired in the same plan; nothing is " +
			"blended"},
	{3, veto, anyWish, Nothing, "a rule of the store goes before any wish"},
	{3, noTarget, anyWish, Nothing, "no memory is there that could have ended"},
	{2, appendOnly, anyWish, Create, "sessions, events and cases are new each time, and never modified"},
	{3, noCandidate, wantsCreate, Create, "agreement"},
	{3, noCandidate, wantsUpdate, Create, "no memory is there that could be updated"},
	{3, noCandidate, wantsDelete, Nothing, "nothing is there that could be retired"},
	{3, updateOrDelete, wantsUpdate, Update, "agreement"},
	{3, updateOrDelete, wantsDelete, Retire, "the category allows it"},
	{3, updateOrDelete, wantsCreate, Create,
		"the drafter says that it is new, though one is like it: both stand"},
	{0, updateOnly, wantsUpdate, Update, "agreement"},
	{0, updateOnly, wantsDelete, Retire, "a person's own words back it; without them it is UNBACKED"},
	{0, updateOnly, wantsCreate, Create,
		"the drafter says that it is new, though one is like it: both stand"},
	{2, duplicate, anyWish, Nothing, "an exact duplicate is skipped"},
	{2, news, wantsUpdate, Update, "amended in place, with a dated entry in changes"},
	{2, conflict, wantsUpdate, Update,
		"the new version beside the old: changes keeps old and new with the date, the history the " +
			"whole record"},
	{2, news, wantsCreate, Create, "entirely new information is a new memory"},
	{2, conflict, wantsCreate, Create, "both versions are kept, as two memories"},
}

// stateFor returns what becomes of a draft. Every pair that occurs has a row, as a test checks.
func stateFor(s store, w wish) State {
	for _, r := range rules {
		if r.store == s && (r.wish == w || r.wish == anyWish) {
			return r.State
		}
	}
	return Rejected
}

// wishOf returns what a draft wants done.
func wishOf(d Draft) wish {
	switch d.Intended {
	case "create":
		return wantsCreate
	case "delete":
		return wantsDelete
	}
	return wantsUpdate
}
