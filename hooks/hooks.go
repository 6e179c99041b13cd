// Package hooks holds hooks.json as it ships, so that doctor can tell whether
// what the client reads is still that.
package hooks

import _ "embed"

// JSON is hooks.json at build time.
//
//go:embed hooks.json
var JSON []byte
