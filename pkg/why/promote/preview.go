package promote

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/text"
)

// nearLimit is how long a preview searches for similar drawers. The gate waits for it and has two seconds
// for everything.
const nearLimit = 900 * time.Millisecond

// Preview is what a promotion would write, as a dry run prints it. The gate reads it.
type Preview struct {
	Digest  string   `json:"digest"`
	Backend string   `json:"backend"`
	To      string   `json:"to"`
	Where   string   `json:"where"`
	Words   []string `json:"words"` // of the command that writes this, texts last
	Near    []Alike  `json:"near"`
	Unknown string   `json:"not_compared,omitempty"`
	Secrets []string `json:"redacted"`
}

// Alike is a stored drawer that says nearly the same.
type Alike struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// Preview returns what the promotion would write, and compares it with what k keeps, or with what
// was found lately in the folder of journals. options are those of the command that writes it.
func (p Promotion) Preview(ctx context.Context, k tiers.Keeper, dir string, options []string,
	now time.Time) (Preview, []tiers.Hit) {
	out := Preview{
		Digest: p.Digest(), Backend: p.Backend, To: BackendName(p.Backend), Where: p.addresses(),
		Words: slices.Concat(p.Words[:1], options, p.Words[1:]), Near: []Alike{},
		Secrets: append([]string{}, p.Secrets...),
	}
	ctx, stop := context.WithTimeout(ctx, nearLimit)
	defer stop()
	near, err := p.Near(ctx, k)
	if err != nil {
		near = lately(dir, p, now)
	}
	switch {
	case len(near) > 0:
	case ctx.Err() != nil:
		out.Unknown = "it took too long; that is done before it is written"
	case err != nil:
		out.Unknown, _, _ = strings.Cut(brief.Line(err.Error()), "; hint: ")
	}
	for _, h := range near {
		out.Near = append(out.Near, Alike{h.Path, h.Text})
	}
	return out, near
}

// mempalace is the back end MemPalace, as tiers.Choice names it.
const mempalace = "mempalace"

// BackendName returns the name of a back end for people.
func BackendName(backend string) string {
	if backend == mempalace {
		return "MemPalace"
	}
	return "Keepsake's own drawers"
}

// addresses returns in words where the drawers go.
func (p Promotion) addresses() string {
	var all []string
	for _, d := range p.Drawers() {
		if a := fmt.Sprintf("wing %s, room %s", d.Wing, d.Room); !slices.Contains(all, a) {
			all = append(all, a)
		}
	}
	where := strings.Join(all, "; ")
	if n := len(p.Items); n > 1 {
		where = fmt.Sprintf("%d drawers: %s", n, where)
	}
	return where
}

// Text returns each text whole, with its source, its address and the similar drawers. Characters that a
// terminal would obey or hide are spelled out.
func (p Promotion) Text(near []tiers.Hit) string {
	var b strings.Builder
	for _, d := range p.Drawers() {
		fmt.Fprintf(&b, "wing %s, room %s", text.Safe(d.Wing), text.Safe(d.Room))
		if d.Source != "" {
			fmt.Fprintf(&b, ", from %s", text.Safe(d.Source))
		}
		b.WriteString("\n" + text.SafeLines("  | ", d.Text) + "\n")
	}
	if len(p.Secrets) > 0 {
		fmt.Fprintf(&b, "Taken out as a secret: %s\n", strings.Join(p.Secrets, ", "))
	}
	if len(near) > 0 {
		b.WriteString("Kept already, and says nearly the same:\n")
	}
	for _, h := range near {
		fmt.Fprintf(&b, "  %s\n", text.Safe(h.Path+"  "+h.Text))
	}
	return b.String()
}

// Question returns Text and the question to the person. If no MemPalace is set up, it names the back end
// that is used.
func (p Promotion) Question(near []tiers.Hit) string {
	shown := p.Text(near)
	if p.Backend != mempalace {
		shown += "No MemPalace is set up: Keepsake's own drawers keep it.\n"
	}
	return shown + "About to promote to MemPalace WHY tier. Approve?"
}
