package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"keepsake/pkg/memory"
)

// TestSettingsAreDocumented holds docs/config.md, the JSON Schema and the
// README to the table.
func TestSettingsAreDocumented(t *testing.T) {
	golden(t, "../../../docs/config.md", configPage())
	golden(t, "../../../assets/schemas/config.schema.json", configSchema(t))

	_, rest, ok := strings.Cut(readFile(t, "../../../README.md"), "```json\n")
	example, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatal("README.md has no example of settings")
	}
	if _, warnings := Parse(nil, []byte(example)); len(warnings) > 0 {
		t.Errorf("the settings in README.md warn: %q", warnings)
	}
}

func golden(t *testing.T, path, want string) {
	t.Helper()
	if os.Getenv("KEEPSAKE_GOLDEN") == "1" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := readFile(t, path); got != want {
		t.Errorf("%s does not say what the table says; KEEPSAKE_GOLDEN=1 rewrites it", path)
	}
}

func configPage() string {
	var b strings.Builder
	b.WriteString(`# Settings

<!-- Made from the table in pkg/project/config/schema.go by KEEPSAKE_GOLDEN=1 go test ./pkg/project/config; edit it there. -->

Settings come from four places. What comes later wins, key by key:

1. the defaults below,
2. yours, for all your projects: ` + "`config.json` in `$XDG_CONFIG_HOME/keepsake` (`~/.config/keepsake`)" + `,
3. the project's: ` + "`.claude/memory/memory-config.json`" + `,
4. the environment: the variable beside each key. True can also be ` + "`on`, `yes`, `1`; false `off`, `no`, `0`" + `.

` + "`keepsake config list` shows what counts and where it comes from. " +
		"`keepsake config explain KEY` prints what\n" +
		"this page says of a key. `keepsake config set KEY VALUE` changes one value and nothing else in " +
		"the file;\n`keepsake config unset KEY` takes it out again." + `

A value that a key does not take changes nothing, and ` + "`keepsake doctor`" + ` names it, as it does a key that is
not on this page. A number outside the range of its key counts as the nearer end of the range. These keys
refuse it instead:

` + beyond() + `

` + "`KEEPSAKE=off`" + ` silences every hook but the check before a permanent memory write. No setting and no variable
loosens that check: a project's own settings can set variables, so the check reads none that could loosen it.

What a project sets is the project's wish, in its file or in a variable. Of the keys below ` + "`gate`" + ` a project
and a variable can only make an answer stricter than you have it: off, ask, deny. If a variable moves your
` + "`config.json`" + `, the gate treats that file like a project's.

` + personal() + `

[config.schema.json](../assets/schemas/config.schema.json) is the same table for editors: name it as
` + "`$schema`" + ` in a file.

## Keys

`)
	group := ""
	for _, k := range schema[:] {
		if g, _, _ := strings.Cut(k.Name, "."); g != group {
			if group != "" {
				b.WriteString("\n")
			}
			group = g
			fmt.Fprintf(&b,
				"### %s\n\n| key | takes | default | variable | |\n| --- | --- | --- | --- | --- |\n", g)
		}
		env := ""
		if k.Env() != "" {
			env = "`" + k.Env() + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n",
			strings.ReplaceAll(k.Name, "<category>", categoryIn(k)), k.Want(), defaults(k), env, k.Doc)
	}
	b.WriteString("\n" +
		"`<category>` is `session_summary`, `decision`, `runbook`, `constraint`, `tech_debt` or " +
		"`preference`, in any\ncase, with underscores or hyphens.\n\n" +
		"## Keys that do nothing here\n\n" +
		"A file of claude-memory can have these keys. They are named as doing nothing, except " +
		"with the value in the\nlast column, which asks for what happens anyway.\n\n" +
		"| key | why | silent |\n| --- | --- | --- |\n")
	for _, r := range refusals[:] {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.name, r.reason, silent(r))
	}
	return b.String()
}

// beyond lists the keys that do not take every number as the nearer end.
func beyond() string {
	var firm, foreign []string
	for _, k := range schema[:] {
		name := "`" + strings.ReplaceAll(k.Name, "<category>", categoryIn(k)) + "`"
		switch {
		case k.Foreign:
			foreign = append(foreign, name)
		case k.Firm:
			firm = append(firm, name)
		}
	}
	return "- below their range:\n  - " + strings.Join(firm, "\n  - ") + "\n- outside their range:\n  - " +
		strings.Join(foreign, "\n  - ")
}

// personal lists the keys that only the person's file sets.
func personal() string {
	var names []string
	for _, k := range schema[:] {
		if k.Personal {
			names = append(names, "`"+k.Name+"`")
		}
	}
	var own []string
	for _, k := range schema[:] {
		if k.OwnVariable {
			own = append(own, "`"+k.Name+"` ("+strings.Join(k.Words, ", ")+")")
		}
	}
	return "Only your own file (`keepsake config set --user`) sets\n\n- " + strings.Join(names, "\n- ") +
		"\n\nA project's file can only make " + strings.Join(own, ", ") +
		" stricter. Its variable counts as\n" +
		"yours, unless the `env` of the project's `.claude/settings.json` or `settings.local.json` names it."
}

// categoryIn is how the page writes the category in a key's name.
func categoryIn(k Key) string {
	if k.Only != "" {
		return string(k.Only)
	}
	return perCategory
}

func defaults(k Key) string {
	out := code(k.Default)
	for _, b := range k.By {
		out += fmt.Sprintf("; %s %s", b.Category, code(b.Default))
	}
	return out
}

func code(json string) string {
	if json == `""` {
		return "none"
	}
	return "`" + strings.Trim(json, `"`) + "`"
}

func silent(r refusal) string {
	if r.unless == nil {
		return ""
	}
	return "`" + r.fits + "`"
}

// TestWhatIsSilent holds the last column of the page to what is read.
func TestWhatIsSilent(t *testing.T) {
	for _, r := range refusals {
		if (r.unless == nil) != (r.fits == "") {
			t.Errorf("%s: the page and the code differ", r.name)
		}
		fits := strings.ReplaceAll(r.fits, "<folder>", memory.TechDebt.Folder())
		if r.unless != nil && !r.fine(memory.TechDebt, gjson.Parse(fits)) {
			t.Errorf("%s: %s is not fine", r.name, fits)
		}
		if r.fine(memory.TechDebt, gjson.Parse(`{"enabled":true}`)) ||
			r.fine(memory.TechDebt, gjson.Parse(`"else"`)) {
			t.Errorf("%s: takes anything", r.name)
		}
	}
}

// object is a JSON object that keeps its order.
type object []member

type member struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, m := range o {
		b.WriteByte("{,"[min(i, 1)])
		name, _ := json.Marshal(m.name)
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(append(append(name, ':'), value...))
	}
	if len(o) == 0 {
		b.WriteByte('{')
	}
	return append(b.Bytes(), '}'), nil
}

// put places a leaf below the object, making what is missing on the way.
func (o *object) put(names []string, leaf object) {
	if len(names) == 1 {
		*o = append(*o, member{names[0], leaf})
		return
	}
	for _, m := range *o {
		if m.name == names[0] {
			sub := m.value.(*group)
			sub.members.put(names[1:], leaf)
			return
		}
	}
	sub := &group{}
	sub.members.put(names[1:], leaf)
	*o = append(*o, member{names[0], sub})
}

// group is the schema of an object with members.
type group struct{ members object }

func (g *group) MarshalJSON() ([]byte, error) {
	return json.Marshal(object{{"type", "object"}, {"properties", g.members},
		{"additionalProperties", false}})
}

// configSchema is the table as a JSON Schema.
func configSchema(t *testing.T) string {
	var properties object
	properties = append(properties, member{"$schema", object{{"type", "string"}}})
	for _, k := range schema {
		for _, cat := range k.Categories() {
			leaf := object{{"description", k.Doc}, {"default", json.RawMessage(k.DefaultFor(cat))}}
			switch k.Kind {
			case Bool:
				leaf = append(leaf, member{"type", "boolean"})
			case Whole:
				leaf = append(leaf, member{"type", "integer"}, member{"minimum", k.Lo},
					member{"maximum", k.Hi})
			case Number:
				leaf = append(leaf, member{"type", "number"}, member{"minimum", k.Lo},
					member{"maximum", k.Hi})
			case Word:
				leaf = append(leaf, member{"enum", k.Words})
			case Text:
				leaf = append(leaf, member{"type", "string"}, member{"maxLength", k.Hi})
			default:
				t.Fatalf("%s: what is its kind?", k.Name)
			}
			properties.put(strings.Split(k.For(cat), "."), leaf)
		}
	}
	b, err := json.Marshal(object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"title", "Settings of Keepsake"},
		{"description",
			"config.json of a person and memory-config.json of a project. Made from the table in " +
				"pkg/project/config/schema.go."},
		{"type", "object"},
		{"properties", properties},
		{"additionalProperties", false},
	})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, b, "", "  "); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(out.String(), `\u003c`, "<") + "\n"
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
