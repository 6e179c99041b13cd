package draft

// Store is what the store says about a draft: which memory it is about, or how the two relate.
type Store string

// What the store can say. The first six are determined before the draft's own wish, the others once the
// memory it would change is known.
const (
	Veto           Store = "VETO"             // a rule forbids what the draft wants
	AppendOnly     Store = "APPEND_ONLY"      // memories of the category never change
	NoTarget       Store = "NOOP"             // it says that something has ended that is not recorded
	NoCandidate    Store = "CREATE"           // no memory is about the same
	UpdateOrDelete Store = "UPDATE_OR_DELETE" // one is, and drafts may retire memories of its category
	UpdateOnly     Store = "UPDATE"           // one is, of another category

	Duplicate Store = "DUPLICATE" // the memory says all that it says
	News      Store = "NEWS"      // it adds to the memory
	Conflict  Store = "CONFLICT"  // it contradicts the memory
	Replaced  Store = "REPLACED"  // it makes another choice than the memory, backed by a person's own words
	Unbacked  Store = "UNBACKED"  // it would end what a person said, without a person's words for it
	Unfit     Store = "UNFIT"     // it would make the memory unfit to be shown
)

// Wish is what a draft wants done.
type Wish string

// The wishes of drafts. A draft without one wants an update.
const (
	WantsCreate Wish = "CREATE"
	WantsUpdate Wish = "UPDATE"
	WantsDelete Wish = "DELETE"
	AnyWish     Wish = "*"
)

// A Rule is one row of the table that decides what becomes of a draft. The first row that fits applies.
type Rule struct {
	Seed  int // the seed whose table has the row; 0 if neither does
	Store Store
	Wish  Wish
	State State // how the draft ends if nothing is wrong with it
	Why   string
}

// Rules returns one table made of two: seed 3's for what the store and the drafter say, and seed 2's for how
// a text relates to what is recorded. docs/resolution.md prints it.
func Rules() []Rule {
	return []Rule{
		{0, Unbacked, AnyWish, Rejected,
			"only a person ends what a person said: it becomes a question to them"},
		{0, Unfit, AnyWish, Rejected,
			"what nobody could be told is not put into a memory that is told: it becomes a question to the " +
				"person"},
		{0, Replaced, AnyWish, Create,
			"a new memory takes the place of the old one, which is retired in the same plan; nothing is " +
				"blended"},
		{3, Veto, AnyWish, Nothing, "a rule of the store goes before any wish"},
		{3, NoTarget, AnyWish, Nothing, "nothing is there that could have ended"},
		{2, AppendOnly, AnyWish, Create, "sessions, events and cases are new each time, and never modified"},
		{3, NoCandidate, WantsCreate, Create, "agreement"},
		{3, NoCandidate, WantsUpdate, Create, "no memory is there that could be updated"},
		{3, NoCandidate, WantsDelete, Nothing, "nothing is there that could be retired"},
		{3, UpdateOrDelete, WantsUpdate, Update, "agreement"},
		{3, UpdateOrDelete, WantsDelete, Retire, "the category allows it"},
		{3, UpdateOrDelete, WantsCreate, Create,
			"the drafter says that it is new, though one is like it: both stand"},
		{0, UpdateOnly, WantsUpdate, Update, "agreement"},
		{0, UpdateOnly, WantsDelete, Retire, "a person's own words back it; without them it is UNBACKED"},
		{0, UpdateOnly, WantsCreate, Create,
			"the drafter says that it is new, though one is like it: both stand"},
		{2, Duplicate, AnyWish, Nothing, "an exact duplicate is skipped"},
		{2, News, WantsUpdate, Update, "amended in place, with a dated entry in changes"},
		{2, Conflict, WantsUpdate, Update,
			"the new version beside the old: changes keeps old and new with the date, the history the " +
				"whole record"},
		{2, News, WantsCreate, Create, "entirely new information is a new memory"},
		{2, Conflict, WantsCreate, Create, "both versions are kept, as two memories"},
	}
}

// stateFor returns what becomes of a draft. Every pair that occurs has a row, as a test checks.
func stateFor(s Store, w Wish) State {
	for _, r := range Rules() {
		if r.Store == s && (r.Wish == w || r.Wish == AnyWish) {
			return r.State
		}
	}
	return Rejected
}

// wishOf returns what a draft wants done.
func wishOf(d Draft) Wish {
	switch d.Intended {
	case "create":
		return WantsCreate
	case "delete":
		return WantsDelete
	}
	return WantsUpdate
}
