package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// at is a project of its own in the same home, with n records. They have the
// words of real ones in the shares of real ones: a few are in every second
// record, most in hardly any.
func (w *world) at(n int) (*world, error) {
	other := w.in(fmt.Sprint("project-", n))
	dir := filepath.Join(other.project, ".claude", "memory")
	kinds := []kind{
		{"decision", "decisions", func(t func(int) string) map[string]any {
			return map[string]any{"status": "accepted", "context": t(25), "decision": t(15),
				"rationale": []string{t(12), t(12)}, "consequences": []string{t(10)}}
		}},
		{"runbook", "runbooks", func(t func(int) string) map[string]any {
			return map[string]any{"trigger": t(12), "symptoms": []string{t(10)}, "root_cause": t(15),
				"steps": []string{t(12), t(12), t(12)}, "verification": t(8)}
		}},
		{"constraint", "constraints", func(t func(int) string) map[string]any {
			return map[string]any{"kind": "limitation", "rule": t(20), "impact": []string{t(15), t(15)},
				"workarounds": []string{t(15)}, "severity": "high", "active": true}
		}},
		{"tech_debt", "tech-debt", func(t func(int) string) map[string]any {
			return map[string]any{"status": "open", "priority": "low", "description": t(30),
				"reason_deferred": t(20), "suggested_fix": []string{t(20)}}
		}},
		{"preference", "preferences", func(t func(int) string) map[string]any {
			return map[string]any{"topic": t(3), "value": t(20), "reason": t(20), "strength": "soft"}
		}},
	}
	for _, k := range kinds {
		if err := os.MkdirAll(filepath.Join(dir, k.folder), 0o755); err != nil {
			return nil, err
		}
	}
	var (
		wg   sync.WaitGroup
		errs = make([]error, 2)
	)
	for worker := range errs {
		wg.Go(func() {
			for i := worker; i < n && errs[worker] == nil; i += len(errs) {
				errs[worker] = kinds[i%len(kinds)].write(dir, i)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return other, nil
}

type kind struct {
	category, folder string
	content          func(text func(words int) string) map[string]any
}

func (k kind) write(dir string, i int) error {
	rng := rand.New(rand.NewSource(int64(i)))
	text := func(n int) string { return text(rng, n) }
	id := fmt.Sprint(k.category[:3], "-", i)
	record := map[string]any{
		"schema_version": "1.0", "category": k.category, "id": id, "title": text(6),
		"record_status": "active",
		"created_at":    "2026-10-02T09:00:00Z", "updated_at": "2026-10-02T09:00:00Z",
		"tags": []string{text(1), text(1), text(1)}, "times_updated": 0, "content": k.content(text),
	}
	b, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, k.folder, id+".json"), append(b, '\n'), 0o644)
}

// text is n words.
func text(rng *rand.Rand, n int) string {
	zipf := rand.NewZipf(rng, 1.15, 8, 40_000)
	words := make([]string, n)
	for i := range words {
		words[i] = vocabulary(zipf.Uint64())
	}
	return strings.Join(words, " ")
}

var frequent = strings.Fields("the of and to is in service for with on are we test that request by queue " +
	"not database from it deploy cache which user as build index token retry postgres error worker this " +
	"run when webhook config migration kafka log state table invoice client timeout billing schema key " +
	"session batch")

// vocabulary is the i-th most frequent word.
func vocabulary(i uint64) string {
	if i < uint64(len(frequent)) {
		return frequent[i]
	}
	var b strings.Builder
	for i += 400; i > 0; i /= 80 {
		b.WriteByte("bcdfghklmnprstvz"[i%16])
		b.WriteByte("aeiou"[i/16%5])
	}
	return b.String()
}

// longPrompt is what people type: a few words that matter among many that do not.
const longPrompt = "the billing webhook is timing out again since we moved the invoice queue to kafka, can " +
	"you look at the worker logs, find out which token it uses there and write a short note for the team " +
	"on how the retry table is meant to be used before the next migration?"

// recalls are a prompt and the verb in a project of n records.
func (w *world) recalls(n int, aim string) ([]bench, error) {
	here, err := w.at(n)
	if err != nil {
		return nil, err
	}
	if _, _, err := here.once([]string{filepath.Join(w.bin, "keepsake"), "index", "rebuild"},
		nil); err != nil {
		return nil, err
	}
	id := fmt.Sprint("prompt-", n)
	restore, err := here.session(id, filepath.Join(w.dir, "none.jsonl"), nil)
	if err != nil {
		return nil, err
	}
	prompt := event(map[string]any{"session_id": id, "transcript_path": filepath.Join(w.dir, "none.jsonl"),
		"cwd": here.project, "hook_event_name": "UserPromptSubmit", "permission_mode": "default",
		"prompt": longPrompt})
	return []bench{
		{name: fmt.Sprintf("UserPromptSubmit, %d records", n), aim: aim,
			argv: w.hook("UserPromptSubmit"), prepare: restore, stdin: prompt, world: here},
		{name: fmt.Sprintf("keepsake recall --tier project, %d records", n), aim: aim,
			argv: []string{filepath.Join(w.bin, "keepsake"), "recall", "--tier", "project", "which", "token",
				"does", "the", "billing", "webhook", "use"}, world: here},
	}, nil
}
