// Package e2e runs Keepsake inside the real Claude Code clients it supports, against a scripted
// Messages API on 127.0.0.1. Everything but this comment is built with the tag e2e; README.md says how
// to run a story, look into one that failed, and write the next.
package e2e
