package status

import (
	"context"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/scratch"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/search/tiers"
)

// Tier is one that a question can go to.
type Tier struct {
	Name string `json:"tier"` // as in [source: …]
	// BackEnd is the name of the back end that answers: files (nothing to choose), embedded, qmd,
	// mempalace or skill.
	BackEnd     string   `json:"back_end"`
	Why         string   `json:"why"`
	Change      string   `json:"change,omitempty"`      // the command that changes it
	Collections []string `json:"collections,omitempty"` // of QMD that are searched
	Folder      string   `json:"folder,omitempty"`      // of embedded drawers
	Before      string   `json:"before,omitempty"`      // the file of annotations, which are shown first
	Trouble     string   `json:"trouble,omitempty"`     // why it can't answer
}

// Tiers returns the tiers of a project in their order, and why WHERE and WHY can't answer.
func Tiers(ctx context.Context, b answer.BackEnds) (all []Tier, noWhere, noWhy error) {
	s := b.Session
	var kept []string
	for _, dir := range s.MemoryDirs() {
		kept = append(kept, brief.Line(dir))
	}
	all = []Tier{
		{Name: "scratch", BackEnd: "files", Why: "notes in " + scratch.Dir + " of this checkout"},
		{Name: "project", BackEnd: "files", Why: "memories in .claude/memory of the project"},
		{Name: "markdown", BackEnd: "files", Why: "Markdown memories in " + strings.Join(kept, " and ") +
			", where the others have nothing"},
	}
	where, noWhere := Where(ctx, b)
	why, noWhy := Why(ctx, b)
	return append(all, where, why), noWhere, noWhy
}

// Where returns the back end that answers where things are. If it is another program, it is asked a
// question to see that it works, which takes a second or less.
func Where(ctx context.Context, b answer.BackEnds) (t Tier, err error) {
	if t, on, err := routed(b); on {
		t.Name = "WHERE"
		return t, err
	}
	finder, choice := b.Locator()
	if both, ok := finder.(tiers.Both); ok {
		finder = both.QMD
	}
	if choice.Backend == "qmd" {
		_, err = finder.Find(ctx, "keepsake", 1)
	}
	return Tier{Name: "WHERE", BackEnd: choice.Backend, Why: choice.Why, Collections: choice.Collections,
		Before: tiers.AnnotationsFile, Change: "keepsake config set tiers.where NAME (auto, embedded or qmd)",
		Trouble: mainly(err)}, err
}

// Why returns the back end that keeps what was promoted. It only reads, and takes a second or two if the
// back end is another program.
func Why(ctx context.Context, b answer.BackEnds) (t Tier, err error) {
	if t, on, err := routed(b); on {
		t.Name = "WHY"
		return t, err
	}
	keeper, choice, err := b.Keeper()
	t = Tier{Name: "WHY", BackEnd: choice.Backend, Why: choice.Why,
		Change: "keepsake config set tiers.why NAME --user (auto, embedded or mempalace)"}
	switch {
	case err != nil:
	case choice.Backend == "mempalace":
		_, err = keeper.Find(ctx, "keepsake", 1)
	default:
		t.Folder = b.Session.Dirs.Drawers()
	}
	t.Trouble = mainly(err)
	return t, err
}

// routed returns the tier of the skill that answers WHERE and WHY, if tiers.router names one.
func routed(b answer.BackEnds) (t Tier, on bool, err error) {
	r, on, err := b.Router()
	is := "it is not installed"
	if err == nil {
		is = "it is " + r.Path
	}
	return Tier{BackEnd: "skill", Why: "tiers.router is " + tiers.RouterSkill + "; " + is,
		Change:  "keepsake config set tiers.router NAME (builtin or code-memory-router)",
		Trouble: mainly(err)}, on, err
}

// mainly returns the text of an error without its hints, or "" for nil.
func mainly(err error) string {
	if err == nil {
		return ""
	}
	text, _, _ := strings.Cut(err.Error(), "; hint: ")
	return text
}
