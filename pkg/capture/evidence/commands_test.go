package evidence

import (
	"testing"

	"keepsake/pkg/client/transcript"
)

// TestCommand: what everyday commands print, and what is not known.
func TestCommand(t *testing.T) {
	project := checkout(t)
	p := newProjectFiles(project, runGit(project))
	for kind, commands := range map[printed][]string{
		nothing: {"echo done", "cd pkg", "mkdir -p pkg/new && touch pkg/new/x.go", "pwd", "sleep 5"},
		projects: {"cat README.md", "cd pkg && cat queue/lock.go", "head -n 20 README.md | tail -5",
			"ls -la pkg",
			"sed -n '1,80p' docs/deploy.md", "wc -l README.md Makefile", "find . -name '*.go' -type f",
			"git status",
			"git log --oneline -5", "git log -n 3 --stat -- pkg", "git diff HEAD~1 -- pkg/queue/lock.go",
			"git show 1234567",
			"git --no-pager diff --cached", "git blame -L 1,5 README.md", "cat README.md 2>/dev/null || true",
			"grep -n Build README.md", "git grep -n AcquireLock", "git show HEAD:README.md",
			"git log main..HEAD",
			"git -C pkg log -1", "cat -n README.md | grep -i build | sort | uniq -c",
			"git branch --show-current",
			"ls pkg && echo --- && cat go.mod"},
		byLine: {"grep -rn Build .", "grep -rn --include='*.go' Lock pkg | head -20", "rg -n Lock",
			"rg Lock pkg docs",
			"grep -rn Lock pkg && ls"},
		builds: {"go test ./...", "go test -run TestX -count=1 ./pkg/queue", "go build ./... && go vet ./...",
			"make", "make build", "npm test", "npm run lint", "cargo test --all", "pytest -q",
			"python3 -m pytest pkg", "npx tsc --noEmit",
			"cd pkg && go test ./queue/... 2>&1 | tail -20", "timeout 60 go test ./...", "gofmt -l pkg"},
		keeps: {"keepsake recall locks", "keepsake status && git status"},
		others: {"", "cat vendored/NOTES", "cat README.md vendored/NOTES", "cat *.md", "cat ~/x", "curl x",
			"go run .", "go generate ./...", "go test ../clone/...", "go test -exec ./x ./...",
			"go test ./vendored/...", "make -C ../clone", "make --directory=../clone",
			"make -f ../clone/Makefile", "make X=1", "npm install", "npm test --prefix ../clone", "npx other",
			"./scripts/release.sh", "python3 x.py", "bash -c ls", "sudo cat README.md", "env ls", "xargs cat",
			"git fetch", "git show origin/evil:x", "git log --all", "git log -p --ext-diff",
			"git diff --no-index a b", "git show stash@0", "tree ..", "ls ..", "ls /etc", "cat /etc/passwd",
			"cd .. && ls", "cd /tmp && cat README.md", "cd vendored && ls", "find / -name x",
			"find . -delete", "rg --pre x y", "grep -f vendored/NOTES README.md", "grep -rhn Lock .",
			"grep -rn Lock . | cut -d: -f3", "less +x README.md", "tee README.md", "sort -o x README.md",
			"cat", "awk 1 README.md",
			"jq . go.mod"},
	} {
		for _, c := range commands {
			r := result{call: &transcript.Call{Tool: "Bash", Command: c}, at: then, dirs: []string{project}}
			if got, _ := p.command(r); got != kind {
				t.Errorf("%q: %d, want %d", c, got, kind)
			}
		}
	}
}
