package memdir

import "testing"

func TestRelink(t *testing.T) {
	const old = "# Memory\n\n## Billing\n- [Billing](billing.md) — invoices\n- [Tests](testing.md) — no " +
		"mocks\n"
	for name, c := range map[string]struct {
		index, old string
		files      []string
		want       string
	}{
		"given back": {"- [Tests](testing.md) — none\n", old, []string{"billing.md"},
			"- [Tests](testing.md) — none\n- [Billing](billing.md) — invoices\n"},
		"leads there": {"- [Money](billing.md) — all of it\n", old, []string{"billing.md"},
			"- [Money](billing.md) — all of it\n"},
		"nothing left": {"", old, []string{"billing.md", "testing.md"},
			"- [Billing](billing.md) — invoices\n- [Tests](testing.md) — no mocks\n"},
		"no line end": {"- [Tests](testing.md) — none", old, []string{"billing.md"},
			"- [Tests](testing.md) — none\n- [Billing](billing.md) — invoices\n"},
		"other endings": {"# Memory\r\n\r\n- [Tests](testing.md) — none\r\n\r\n# More\r\n", old,
			[]string{"billing.md"},
			"# Memory\r\n\r\n- [Tests](testing.md) — none\r\n- [Billing](billing.md) — invoices\r\n\r\n# " +
				"More\r\n"},
		"never led to": {"text\n", old, []string{"other.md"}, "text\n"},
		"a row": {"| File | Hook |\n| --- | --- |\n| [a](a.md) | a |\n\nEnd.\n",
			"| File | Hook |\n| --- | --- |\n| [a](a.md) | a |\n| [b](b.md) | b |\n", []string{"b.md"},
			"| File | Hook |\n| --- | --- |\n| [a](a.md) | a |\n| [b](b.md) | b |\n\nEnd.\n"},
		"one of a line": {"text\n", "- [A](a.md), [B](b.md) — both\n", []string{"a.md", "b.md"},
			"text\n- [A](a.md), [B](b.md) — both\n"},
		"of another one": {"", "- [A](https://example.org/a.md) — far\n", []string{"a.md"}, ""},
	} {
		if got := string(Relink([]byte(c.index), []byte(c.old), c.files)); got != c.want {
			t.Errorf("%s:\n%q, want\n%q", name, got, c.want)
		}
	}
}
