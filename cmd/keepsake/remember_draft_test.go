package main

import (
	"errors"
	"os"
	"testing"
	"time"
)

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

// TestRememberAtTerminal: who typed no text is told so at once, and not waited for.
func TestRememberAtTerminal(t *testing.T) {
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	was := os.Stdin
	os.Stdin = tty
	defer func() { os.Stdin = was }()
	for _, text := range [][]string{nil, {""}, {" "}} {
		said := make(chan error, 1)
		go func() {
			_, err := rememberCmd{Text: text}.text()
			said <- err
		}()
		select {
		case err := <-said:
			var f *failure
			if !errors.As(err, &f) || f.code != exitUsage {
				t.Errorf("%q: %v, want a usage error", text, err)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("%q waits for the terminal", text)
		}
	}
}
