package scratch

import (
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

// TestTopic: spellings of an active phase as they are found in plans.
func TestTopic(t *testing.T) {
	for name, tt := range map[string]struct{ plan, want string }{
		"no plan":   {"", General},
		"no phases": {"# Plan\n\n- [ ] write it\n", General},
		"the template": {"# Task Plan: x\n<!-- WHAT: a\n### Phase 9: no\n- **Status:** " +
			"in_progress\n-->\n## Current Phase\n<!-- which -->\nPhase 2\n\n## Phases\n\n### Phase 1: " +
			"Requirements\n- [x] a\n- **Status:** complete\n\n### Phase 2: Data model\n- [ ] b\n- " +
			"**Status:** in_progress\n<!--\n  - complete: done\n-->\n\n### Phase 3: Build\n- [ ] c\n- " +
			"**Status:** pending\n", "phase-2-data-model"},
		"an escaped bar": {"| Phase | Status |\n|---|---|\n| Phase 1: A | done |\n|" +
			" Phase 2: Data \\| model | in progress |\n", "phase-2-data-model"},
		"a tab behind a number": {"## Phases\n\n1.\tData model (in progress)\n", "data-model"},
		"a fence in a block": {"````md\n```\n## Phase 9: no\nStatus: in progress\n```\n## Phase 8: " +
			"no\nStatus: in progress\n````\n## Phase 2: Data model\nStatus: in progress\n",
			"phase-2-data-model"},
		"tildes in a block": {"```\n~~~\n## Phase 9: no\nStatus: in progress\n```\n## Phase 2: Data " +
			"model\nStatus: in progress\n", "phase-2-data-model"},
		"plain status": {"## Phase 1: A\nStatus: done\n## Phase 2: Data model\nStatus: in " +
			"progress\n", "phase-2-data-model"},
		"capitals": {"### PHASE 2: DATA MODEL\n**STATUS**: IN-PROGRESS\n", "phase-2-data-model"},
		"picture": {"### Phase 1: A\n**Status:** ✅ Complete\n### Phase 2: Data " +
			"model\n**Status:** 🔄 In Progress\n### Phase 3: B\n**Status:** ⏳ Pending\n",
			"phase-2-data-model"},
		"in the title": {"### Phase 1: A (complete)\n### Phase 2: Data model (in progress)\n### " +
			"Phase 3: B\n", "phase-2-data-model"},
		"brackets": {"### Phase 2: Data model [in_progress]\n", "phase-2-data-model"},
		"after a dash": {"## Phase 1 - A - done\n## Phase 2 - Data model - IN PROGRESS\n",
			"phase-2-data-model"},
		"mark first": {"### ✅ Phase 1: A\n### 🔄 Phase 2: Data model\n### Phase 3: B\n",
			"phase-2-data-model"},
		"mark last": {"### Phase 1: A ✅\n### Phase 2: Data model 🚧\n", "phase-2-data-model"},
		"bold title": {"### **Phase 2: `Data` model**\n- *Status*: in_progress\n",
			"phase-2-data-model"},
		"code at the end": {"### Phase 1: A `complete`\n### Phase 2: Data model `in_progress`\n### " +
			"Phase 3: B `pending`\n", "phase-2-data-model"},
		"bold at the end": {"### Phase 1: A **done**\n### Phase 2: Data model **in progress**\n",
			"phase-2-data-model"},
		"word at the end": {"### Phase 1: A\n### Phase 2: Data model in_progress\n",
			"phase-2-data-model"},
		"two brackets": {"- [x] Phase 1: A\n- [ ] Phase 2: Data model (tables) (in progress)\n",
			"phase-2-data-model-tables"},
		"code in a title": {"### Phase 1: Make `complete`\n### Phase 2: Call `done()`\n- **Status:** " +
			"in_progress\n", "phase-2-call-done"},
		"status itself": {"## Phase 2: Data model\n### Status: in progress\n", "phase-2-data-model"},
		"CRLF": {"### Phase 2: Data model\r\n- **Status:** in_progress\r\n",
			"phase-2-data-model"},

		"current phase, no status": {"## Current Phase\nPhase 2\n\n## Phases\n### Phase 1: A\n### Phase " +
			"2: Data model\n", "phase-2-data-model"},
		"current phase, whole": {"## Current Phase\n\n**Phase 2: Data model**\n", "phase-2-data-model"},
		"current phase, one line": {"## Current Phase: Phase 2\n### Phase 1: A\n### Phase 2: Data model\n",
			"phase-2-data-model"},
		"current phase, a number": {"Current phase: 2\n### Phase 1: A\n### Phase 2: Data model\n",
			"phase-2-data-model"},
		"active phase": {"#### Phase 1: A ⏳\n- [x] a\n#### Phase 2: Data model 📝\n### " +
			"Current Status\n- **Active Phase**: Phase 2 - Data model\n", "phase-2-data-model"},
		"currently in": {"## Phases\n- [ ] Phase 1: A\n- [ ] Phase 2: Data model\n- [ ] " +
			"Phase 3: B\n\n## Status\n**Currently in Phase 2** - nearly there\n", "phase-2-data-model"},
		"current phase is complete": {"## Current Phase\nComplete\n### Phase 1: A\n- [x] a\n- **Status:** " +
			"complete\n", General},
		"current phase is done": {"## Current Phase\nPhase 1\n### Phase 1: A\n- **Status:** " +
			"complete\n### Phase 2: B\n- **Status:** pending\n", General},
		"status before the pointer": {"## Current Phase\nPhase 1\n### Phase 1: A\n- **Status:** " +
			"complete\n### Phase 2: Data model\n- **Status:** in_progress\n", "phase-2-data-model"},
		"several, pointer decides": {"## Current Phase\nPhase 2\n### Phase 1: A\n- **Status:** " +
			"in_progress\n### Phase 2: Data model\n- **Status:** in_progress\n", "phase-2-data-model"},
		"several, no pointer": {"### Phase 2: Data model\n- **Status:** in_progress\n### Phase 3: " +
			"B\n- **Status:** in_progress\n", "phase-2-data-model"},
		"unknown pointer": {"## Current Phase\nPhase 7\n### Phase 1: A\n", "phase-7"},
		"all pending":     {"### Phase 1: A\n- [ ] a\n- **Status:** pending\n", General},
		"all done":        {"### Phase 1: A\n- [x] a\n- **Status:** complete\n", General},
		"boxes": {"- [x] Phase 1: A\n- [ ] Phase 2: Data model\n- [ ] Phase 3: B\n",
			"phase-2-data-model"},
		"boxes, all ticked": {"- [x] Phase 1: A\n- [X] Phase 2: Data model\n", General},
		"boxes and a mark": {"- [ ] Phase 1: A\n- [ ] **Phase 2: Data model** (CURRENT)\n",
			"phase-2-data-model"},
		"box with a tilde": {"- [x] Phase 1: A\n- [ ] Phase 3: B\n- [~] Phase 2: Data model\n",
			"phase-2-data-model"},
		"boxes below headings": {"## Phase 1: A\n- [x] a\n## Phase 2: Data model\n- [x] b\n- [ ] " +
			"c\n## Phase 3: B\n- [ ] d\n", "phase-2-data-model"},
		"state in a box": {"## Phases\n- [completed] Look around\n- [in_progress] Data " +
			"model\n- [pending] Tests\n", "data-model"},
		"a numbered list": {"## Phases\n\n1. **Foundation (complete)** — the app\n2. **Data " +
			"model (in progress)** — tables\n", "data-model"},
		"headings without that word": {"## Phases\n### 1. Setup\n- **Status:** complete\n### 2. Data " +
			"model\n- **Status:** in_progress\n## Notes\nStatus: in progress\n", "2-data-model"},
		"a table": {"| Phase | State |\n|---|---|\n| Phase 1: A | done |\n|" +
			" Phase 2: Data model | in progress |\n", "phase-2-data-model"},
		"a table with a column": {"| Phase 2 | Data model | 🔄 |\n", "phase-2-data-model"},
		"a table, numbered": {"| # | Phase | Status |\n|---|---|---|\n| 1 | A | done |\n| 2 |" +
			" Data model | in progress |\n", "phase-2-data-model"},
		"a table, a number first": {"| Phase | What | Status |\n|---|---|---|\n| 1 | A | done |\n| 2 |" +
			" Data model | in progress |\n", "phase-2-data-model"},
		"a table without numbers": {"| Phase | Status |\n|:--|--:|\n| A | done |\n| Data model |" +
			" **in_progress** |\n\n| 3 | in progress |\n", "data-model"},
		"a table of other things": {"Current phase: 2\n\n| Error | Phase |\n|---|---|\n| timeout | 2 |" +
			"\n\n### Phase 2: Data model\n", "phase-2-data-model"},
		"a byte order mark": {"\uFEFF## Phase 2: Data model\n- **Status:** in_progress\n",
			"phase-2-data-model"},
		"an arrow": {"- [ ] Phase 1: A\n- [ ] Phase 2: Data model ← CURRENT\n",
			"phase-2-data-model"},
		"an arrow of signs": {"### Phase 1: A\n### Phase 2: Data model <-- in progress\n",
			"phase-2-data-model"},
		"status after a dash": {"## Phase 2: Data model\n- Status - in_progress\n",
			"phase-2-data-model"},
		"status as an assignment": {"## Phase 2: Data model\nstatus=in_progress\n", "phase-2-data-model"},
		"underway": {"## Phase 2: Data model\n**Status:** underway\n",
			"phase-2-data-model"},
		"bold lines": {"**Phase 1: A**\nStatus: complete\n\n**Phase 2: Data model**\n- [ ] " +
			"b\n- Status: in_progress\n", "phase-2-data-model"},
		"bold lines with a state": {"**Phase 1: A** - done\n**Phase 2: Data model:** (in progress)\n",
			"phase-2-data-model"},
		"bold in a phase": {"### Phase 2: Data model\n**Phase 1 tables**\n- **Status:** " +
			"in_progress\n", "phase-2-data-model"},
		"bold in a sentence": {"**Phase 2** comes later.\nStatus: in_progress\n", General},
		"parts with a status": {"# Plan\n## Setup\n- **Status:** complete\n## Data model\n- " +
			"**Status:** in_progress\n## Build\n- **Status:** pending\n", "data-model"},
		"a phase without number": {"## Phase: Data model\n- **Status:** in_progress\n",
			"phase-data-model"},
		"a sprint": {"## Sprint 2: Data model\nStatus: in_progress\n",
			"sprint-2-data-model"},
		"one part with a status": {"# Plan\n## Overview\n**Status:** in progress\n", General},
		"Chinese, one line":      {"## 当前状态\n- 当前阶段：阶段 1 — 数据模型\n- 当前状态：`in_progress`\n", "阶段-1-数据模型"},
		"Chinese": {"## 当前阶段\n阶段 2\n### 阶段 1：调研\n- **状态：** 已完成\n### 阶段 2：数据模型\n- " +
			"**状态：** 进行中\n", "阶段-2-数据模型"},

		"status of the whole plan": {"# Plan\n**Status:** in progress\n## Goal\nShip.\n", General},
		"a task of the phase": {"## Phase 1: A\n**Status:** completed\n### Task 1\n**Status:** " +
			"in_progress\n## Phase 2: Data model\n**Status:** in_progress\n### Task 2\n**Status:** " +
			"completed\n", "phase-2-data-model"},
		"in a code block": {"```\n### Phase 1: A\nStatus: in_progress\n```\n### Phase 2: Data " +
			"model\nStatus: in_progress\n", "phase-2-data-model"},
		"not in progress": {"### Phase 1: A\nStatus: not in progress\n", General},
		"a comment in a code span": {"### Phase 1: A\n- [x] strip `<!--` from pages\n- **Status:** " +
			"complete\n### Phase 2: Data model\n- **Status:** in_progress\n", "phase-2-data-model"},
		"a comment in a code block": {"### Phase 1: A\n```html\n<!-- head\n```\n- **Status:** " +
			"complete\n### Phase 2: Data model\n- **Status:** in_progress\n", "phase-2-data-model"},
		"a code block in a comment": {"### Phase 1: A\n<!--\n```\n-->\n- **Status:** complete\n### Phase " +
			"2: Data model\n- **Status:** in_progress\n", "phase-2-data-model"},
		"a comment after a backtick": {"### Phase 1: A ` <!-- \n### Phase 9: B\n- **Status:** " +
			"in_progress\n-->\n### Phase 2: Data model\n- **Status:** in_progress\n", "phase-2-data-model"},
		"code that begins a line": {"### Phase 2: Data model\n```go run``` starts it\n- **Status:** " +
			"in_progress\n", "phase-2-data-model"},
		"a status struck through": {"### Phase 1: A\n- **Status:** ~~in_progress~~ complete\n### Phase " +
			"2: Data model\n- **Status:** ~~pending~~ in_progress\n", "phase-2-data-model"},
		"a pointer struck through": {"Current Phase: ~~Phase 1~~ Phase 2\n### Phase 1: A\n### Phase 2: " +
			"Data model\n", "phase-2-data-model"},
		"no blank after the hashes": {"###Phase 1: A\n- **Status:** complete\n###Phase 2: Data model\n- " +
			"**Status:** in_progress\n", "phase-2-data-model"},
		"an underlined heading": {"Phase 1: A\n----------\nStatus: complete\n\nPhase 2: Data " +
			"model\n===================\nStatus: in_progress\n", "phase-2-data-model"},
		"a line that underlines none": {"### Phase 2: Data model\n- **Status:** in_progress\n---\nPhase 3 " +
			"comes later.\n\n---\n### Phase 3: B\n", "phase-2-data-model"},
		"an open comment": {"### Phase 2: Data model\nStatus: in_progress\n<!-- ### Phase " +
			"3\nStatus: x", "phase-2-data-model"},
		"a phase that means a word": {"## Phases of the moon\n- [ ] full\n## Phase a change in\n- [ ] b\n",
			General},
		"only pictures": {"### Phase 2: 🎉\nStatus: in_progress\n", "phase-2"},
		"a path in the title": {"### Phase 2: ../../etc/passwd\nStatus: in_progress\n",
			"phase-2-etc-passwd"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Topic([]byte(tt.plan)); got != tt.want {
				t.Errorf("Topic = %q, want %q", got, tt.want)
			}
		})
	}
}

// FuzzTopic: whatever a plan says, its topic is a file name and no path.
func FuzzTopic(f *testing.F) {
	f.Add([]byte("### Phase 2: Data model\n- **Status:** in_progress\n"))
	f.Add([]byte("## Current Phase\nPhase 2\n| Phase 1 | [ ] |\n- [~] Phase 3 (current)\n"))
	f.Add([]byte("## Phases\n1. **a (done)** — b\n- [x] **"))
	f.Fuzz(func(t *testing.T, plan []byte) {
		topic := Topic(plan)
		if !memory.ValidID(topic) || strings.ContainsAny(topic, "/\\.\x00\n") {
			t.Errorf("topic %q", topic)
		}
	})
}
