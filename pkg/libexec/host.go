package libexec

import "encoding/json"

// A HostCall is one call of a tool of Keepsake's MCP server. The server, which links the network, opens no
// memory: it passes each call on to the command line.
type HostCall struct {
	Session string          `json:"session"` // of the server, where the client names none
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args"`
}

// A HostAnswer is what the model is told.
type HostAnswer struct {
	Text   string `json:"text"`
	Failed bool   `json:"failed"`
}

// MaxHostCall bounds a call, in bytes. A note that is written whole must fit.
const MaxHostCall = 2 << 20
