package inbox

import (
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/project/session"
)

// TestCallLines: what the list and a batch show of calls of each kind, whoever worded them. A line of the
// list fits 80 columns with its indentation, and every warning is in the batch.
func TestCallLines(t *testing.T) {
	now := asked.Add(3 * time.Minute)
	drawer := stoppedCall(`{"wing":"projects","room":"keepsake","content":"We use Postgres.\nIt has jsonb, and the team runs it already, as everybody knows who was there.","added_by":"claude"}`)
	drawer.Rule = rules.RulePalaceTool.Rule().Name
	drawer.Reason = rules.Reason([]string{"permanent memory write: mempalace_add_drawer",
		"wing projects, room keepsake, server mempalace", "looks like it holds a secret: AWS key",
		"close to what is already kept: use-postgres"}, rules.RulePalaceTool.Rule().Because)
	drawer.Times = 3
	fact := stoppedCall(`{"subject":"app","predicate":"uses","object":"Postgres"}`)
	fact.Tool = "mcp__plugin_x_mempalace__mempalace_kg_add"
	fact.Origin = finding.FromPerson
	command := stoppedCall(`{"command":"mempalace mine ./docs --wing projects","description":"mine the docs"}`)
	command.Tool, command.CallOrigin = "Bash", session.CallOrigin{Origin: finding.Tainted,
		Why: "it has “mine ./docs”, which came from the web"}
	file := stoppedCall(`{"file_path":"/home/me/app/.claude/memory/decisions/a-file-with-a-very-long-name-indeed.json","content":"{\u001b[31m}"}`)
	file.Tool = "Write"
	file.CallOrigin = session.CallOrigin{Why: "what was said in its session can't be read"}
	file.Reason = "direct write into the memory store\n" +
		"holds 1 invisible character (U+001B), see keepsake review"
	nobody := stoppedCall(`{"drawer_id":"d1"}`)
	nobody.Tool, nobody.Origin = "mcp__m__mempalace_delete_drawer", finding.NoOrigin
	var list, batch []string
	for _, c := range []Call{drawer, fact, command, file, nobody} {
		c.Where, c.Says = placeOf(c.Request), rules.Says(c.Args)
		for _, l := range c.lines(now) {
			if n := len([]rune(l)); n > rowRunes {
				t.Errorf("%d columns: %s", n, l)
			}
		}
		list = append(list, c.lines(now)...)
		batch = append(batch, c.brief(now)...)
		if c.Doubtful() {
			batch = append(batch, c.LeftOut())
		}
	}
	golden(t, "calls", strings.Join(list, "\n")+"\n\n"+strings.Join(batch, "\n")+"\n")
}
