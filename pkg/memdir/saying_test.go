package memdir_test

import (
	"strings"
	"testing"

	"keepsake/pkg/memdir"
)

// TestExceptionsStayInHooks: what every session loads never says more than holds.
func TestExceptionsStayInHooks(t *testing.T) {
	const index = "# Memory\n\n## API\n" +
		"- Rate limit is 50 rps for every customer\n  - except Acme, which has 500\n" +
		"- Releases go out on Mondays\n\n## Orders\nOrders run in Frankfurt. But backups are in Dublin.\n" +
		"Nothing else is there.\n"
	d := memdir.Dir{Now: now, Files: []memdir.File{{Path: memdir.Index, Bytes: []byte(index), Modified: now}}}
	var all strings.Builder
	for _, e := range memdir.Format(d, memdir.Profiles()[0]).Plan.Edits {
		all.Write(e.After)
	}
	for _, want := range []string{
		"— Rate limit is 50 rps for every customer, except Acme, which has 500; Releases go out on Mondays\n",
		"description: Rate limit is 50 rps for every customer, except Acme, which has 500; Releases",
		"— Orders run in Frankfurt, but backups are in Dublin\n",
	} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("%q is not in\n%s", want, all.String())
		}
	}
}
