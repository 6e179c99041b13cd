package promote

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/search/tiers"
)

// nearLimit is how long a preview compares with what is kept: the gate waits for it,
// and has two seconds for everything.
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

// Alike is what is kept and says nearly the same.
type Alike struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// Preview returns what the promotion would write, and compares it with what k keeps, or with what
// was found lately in the folder of journals. words are the command's that writes it.
func (p Promotion) Preview(ctx context.Context, k tiers.Keeper, dir string, words []string,
	now time.Time) (Preview,
	[]tiers.Hit) {
	out := Preview{
		Digest: p.Digest(), Backend: p.Backend, To: BackendName(p.Backend), Where: p.addresses(),
		Words: words,
		Near:  []Alike{}, Secrets: append([]string{}, p.Secrets...),
	}
	ctx, stop := context.WithTimeout(ctx, nearLimit)
	defer stop()
	near, err := p.Close(ctx, k)
	if err != nil {
		near = Found(dir, p, now)
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

// BackendName returns what a back end is called where a person reads it.
func BackendName(backend string) string {
	if backend == "mempalace" {
		return "MemPalace"
	}
	return "Keepsake's own drawers"
}

// addresses says where the drawers go, in words.
func (p Promotion) addresses() string {
	var all []string
	for _, d := range p.Drawers() {
		if a := fmt.Sprintf("wing %s, room %s", d.Wing, d.Room); !slices.Contains(all, a) {
			all = append(all, a)
		}
	}
	text := strings.Join(all, "; ")
	if n := len(p.Items); n > 1 {
		text = fmt.Sprintf("%d drawers: %s", n, text)
	}
	return text
}

// Shown returns the promotion as a person is shown it, with what says nearly the same.
func (p Promotion) Shown(near []tiers.Hit) brief.Promoting {
	b := brief.Promoting{MemPalace: p.Backend == "mempalace", Secrets: p.Secrets}
	for _, d := range p.Drawers() {
		b.Texts = append(b.Texts, brief.PromotedText{Wing: d.Wing, Room: d.Room, Source: d.Source,
			Text: d.Text})
	}
	for _, h := range near {
		b.Near = append(b.Near, h.Path+"  "+h.Text)
	}
	return b
}
