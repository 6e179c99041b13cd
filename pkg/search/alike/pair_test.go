package alike

import "testing"

// TestStatements: what one denies and the other affirms is no matter of how often each denies something,
// and two numbers of two things don't contradict each other.
func TestStatements(t *testing.T) {
	for _, c := range []struct {
		a, b          string
		denies, other bool
	}{
		{"Never deploy on Fridays.", "Deploy on Fridays, never on Mondays.", true, true},
		{"Never deploy on Fridays.", "We never deploy on Fridays.", false, false},
		{"The import job must retry failed rows.", "The import job must not retry failed rows.", true, false},
		{"Never log the address of a customer.", "The address of a customer is never logged.", false, false},
		{"We don't use Redis for caching.", "We use Redis for caching sessions.", true, false},
		{"We use Postgres instead of MySQL.", "Postgres is used, not MySQL.", false, false},
		{"The API listens on 8001.", "The gateway listens on 9090.", false, true},
		{"The billing service is on port 8001.", "The billing service is on port 9001.", false, false},
		{"The port of the API is 8001.", "The port of the gateway is 9090.", false, true},
		{"The retry limit of the importer is 3.", "The retry limit of the exporter is 5.", false, true},
		{"Sessions live for 30 minutes.", "Sessions live for 60 minutes.", false, false},
		{"The shop uses Postgres 14 for orders.", "Orders are in Postgres 16 by the shop.", false, false},
	} {
		x, y := StatementOf(c.a), StatementOf(c.b)
		if x.Denies(y) != c.denies || y.Denies(x) != c.denies {
			t.Errorf("%s / %s: denies %t", c.a, c.b, !c.denies)
		}
		if !c.denies && (x.IsOfOtherThing(y) != c.other || y.IsOfOtherThing(x) != c.other) {
			t.Errorf("%s / %s: of other things %t", c.a, c.b, !c.other)
		}
		if c.denies && Notes(c.a, c.b) {
			t.Errorf("%s / %s are alike", c.a, c.b)
		}
	}
}
