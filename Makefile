# One line each, as you would type it. `make` alone lists them.
.DEFAULT_GOAL := help
export CGO_ENABLED ?= 0
# For tests as well, so that whatever is built is compiled once.
export GOFLAGS := $(strip -trimpath $(GOFLAGS))

VERSION := $(shell sed -n 's/.*"version": "\(.*\)".*/\1/p' plugin.json)
LDFLAGS := -s -w -X keepsake/pkg/layout.version=$(VERSION)

help: ## list what can be made
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## /{printf "  %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: helpers programs ## build bin/keepsake, bin/hooks and bin/libexec, static and stripped

# First of all what takes longest to compile, SQLite, so that the other core has the rest to do meanwhile.
helpers:
	@mkdir -p bin/libexec
	go build -ldflags '$(LDFLAGS)' -o bin/libexec/ ./cmd/palace ./cmd/mempalace ./cmd/parsers ./cmd/tui

programs:
	@mkdir -p bin/hooks
	go build -ldflags '$(LDFLAGS)' -o bin/ ./cmd/keepsake
	go build -ldflags '$(LDFLAGS)' -o bin/hooks/ ./hooks/...

# What it shows needs no helper: neither SQLite nor the network is compiled, two fifths of a first build.
demo: ## show the main job in a temporary folder, without Claude Code or a network
	@$(MAKE) --no-print-directory --silent programs
	@go run ./scripts/demo

test: build ## run the tests that need only Go
	go test ./...

race: ## run the tests under the race detector (needs a C compiler)
	CGO_ENABLED=1 go test -race ./...

torture: ## kill 2,000 writers, let 32 processes race, take away descriptors and disks
	KEEPSAKE_TORTURE=1 go test -count=1 -timeout 60m -v -run '^(TestKill|TestMany|TestFewFiles|TestBad|TestSmallDisks|TestDiskFull)' ./pkg/store

# The tag of the stories adds files and takes none away. What is compiled for macOS serves vet alone, so it is
# not optimised, which takes a third less.
lint: ## gofmt, vet for Linux and macOS, staticcheck
	@test -z "$$(gofmt -l . | grep -v node_modules)" || { gofmt -l . | grep -v node_modules; echo 'run gofmt -w'; exit 1; }
	go vet -tags e2e ./... && GOOS=darwin go vet -gcflags='all=-N -l' ./...
	go tool staticcheck -tags e2e ./...

# Five at once on any machine: stories wait more than they work.
e2e: build ## run the stories with the real Claude Code, both versions (installs them from npm)
	./e2e/install.sh
	go test -tags e2e -count=1 -timeout 40m -parallel 5 ./e2e/...

bench: build ## time whole hook processes against an empty Go program
	@go run ./scripts/bench
	go test -run '^$$' -bench . -benchmem ./pkg/...

# The data is not part of the project: QUALITY names its directory.
quality: ## measure what is noticed and brought back, on the data in QUALITY=DIR
	@go run ./scripts/quality $(QUALITY)

fuzz: ## fuzz every parser for 30 s each
	@go run ./scripts/fuzz 30s

golden: ## rewrite the golden files; review the diff as prose
	KEEPSAKE_GOLDEN=1 go test ./...

dist: ## make a release in dist: programs for four platforms, sums, SBOM, licences, packages of npm
	rm -rf dist
	go run ./scripts/dist

reproduce: ## build the programs of one platform twice, in two places, and compare
	go run ./scripts/dist -verify -platforms linux-arm64

clean: ## remove what was built
	rm -rf bin dist

.PHONY: help build helpers programs demo test race torture lint e2e bench quality fuzz golden dist reproduce clean
