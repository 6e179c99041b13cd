package checkpoint

// An Event is a tool call as a hook event tells it. Only Tool and Args are
// required.
type Event struct {
	Tool       string `json:"tool_name"`
	Args       []byte `json:"tool_input"` // one JSON object
	Session    string `json:"session_id"`
	Transcript string `json:"transcript_path"`
	Cwd        string `json:"cwd"` // absolute
	// where the session was started, absolute; "" for the project around Cwd
	ProjectDir string `json:"project_dir"`
	Agent      string `json:"agent_type"` // inside a subagent
	Mode       string `json:"permission_mode"`
	Prompt     string `json:"-"` // prompt_id; "" for a call that is only looked at, which counts for nothing
}

// MaxArgs is the longest Args of a Question, in bytes: no hook reads an event that
// is longer.
const MaxArgs = 16 << 20

// A Question is a call that is only looked at: what bin/libexec/judge reads, as JSON.
type Question struct {
	Event
	Dialog bool `json:"dialog"` // whether a person could be asked
}

// An Answer is what it prints. The decision is a word, so that none at all is not
// taken for one.
type Answer struct {
	Decision   string `json:"decision"` // pass, allow, ask or deny
	Checkpoint string `json:"checkpoint"`
	Rule       string `json:"rule"`
	Reason     string `json:"reason"`
}
