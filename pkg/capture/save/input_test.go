package save

import "testing"

// TestClassifyInput: what was meant as a draft is never taken for a text, and a text that
// only has braces in it stays one.
func TestClassifyInput(t *testing.T) {
	const one = `{"covers":[7],"category":"decision","title":"Use Kafka","content":{"decision":"Kafka"}}`
	for text, want := range map[string]inputKind{
		one:                                   wholeDraft,
		"```json\n" + one + "\n```":           wholeDraft,
		"```\n" + one + "\n```\n":             wholeDraft,
		"Here is the draft: " + one:           wholeDraft,
		"Here is the draft:\n" + one + "\nOK": wholeDraft,
		"[" + one + "]":                       wholeDraft,
		"[\n  " + one + ",\n]":                wholeDraft,
		"‘" + one + "’":                       wholeDraft,
		"“" + one + "”":                       wholeDraft,
		`{“covers”: [7], “category”: “decision”, “title”: “Use Kafka”}`:                wholeDraft,
		`{covers: [7], noop: "not of the project"}`:                                    wholeDraft,
		`"{\"covers\":[7],\"noop\":\"not of the project\"}"`:                           wholeDraft,
		`{"drafts":[` + one + `]}`:                                                     wholeDraft,
		`{"covers":[7],"category":"decision","title":"Use Kaf`:                         brokenDraft,
		"Here is it: " + `{"covers":[7],"category":"decision","title":"Use Kaf`:        brokenDraft,
		"```json\n" + `{"covers":[7],"category":"decision","title":"Use Kaf` + "\n```": brokenDraft,
		`{covers: [7], category: decision, title: Use Kafka}`:                          brokenDraft,
		`{\"covers\":[7],\"category\":\"decision\",\"title\":\"Use Kafka\"}`:           brokenDraft,
		`{"topic":"package manager","value":"pnpm"}`:                                   brokenDraft,
		"```json\n{\"topic\":\"package manager\"}\n```":                                brokenDraft,
		`{"topic":"package manager","value":"pnpm`:                                     brokenDraft,
		`{"topic":"package manager" "value":"pnpm"}`:                                   brokenDraft,
		`[{"topic":"package manager"},{"topic":"linter"}]`:                             brokenDraft,
		"staging is called heron":                                                      plainText,
		"{name} stands for the customer in our templates":                              plainText,
		"{{ .Values.host }} is set by the chart":                                       plainText,
		`{"status":"ok"} is what the health endpoint answers`:                          plainText,
		`{'a': 1} is how the old exporter prints it`:                                   plainText,
		`The health endpoint answers {"status":"ok","title":"x"}`:                      plainText,
		`Errors are {"category":"books","title":"x"}, never a list`:                    plainText,
		`Errors are {"category":"constraint","code":3}`:                                plainText,
		`“{x}” and ‘{y}’ are placeholders`:                                             plainText,
		"[WIP] in a title means that nobody reviews it":                                plainText,
		`"Use pnpm" is on the sign above the door`:                                     plainText,
		`"Use pnpm"`: plainText,
		"Run it as:\n```json\n{\"port\": 80}\n```\nand nothing else": plainText,
		"The title: covers the whole category: see {docs}":           plainText,
	} {
		if _, is := classifyInput(text); is != want {
			t.Errorf("%s: %d, want %d", text, is, want)
		}
	}
}
