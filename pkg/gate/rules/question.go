package rules

// An Event is a tool call as a hook receives it. Only Tool and Args are required.
type Event struct {
	Tool       string `json:"tool_name"`
	Args       []byte `json:"tool_input"` // one JSON object
	Session    string `json:"session_id"`
	Transcript string `json:"transcript_path"`
	Cwd        string `json:"cwd"` // absolute
	// absolute path where the session was started; "" for the project around Cwd
	ProjectDir string `json:"project_dir"`
	Agent      string `json:"agent_type"` // set inside a subagent
	Mode       string `json:"permission_mode"`
	UseID      string `json:"-"` // tool_use_id
	Prompt     string `json:"-"` // prompt_id; "" for a call that is only judged, not made, and does not count
}

// MaxArgs is the length of the longest Args of a Question, in bytes. No hook reads a longer event.
const MaxArgs = 16 << 20

// A Question asks for a verdict on a call that is not made. bin/libexec/parsers reads it as JSON.
type Question struct {
	Event
	Dialog bool `json:"dialog"` // whether a person could be asked
}

// An Answer is what bin/libexec/parsers prints. The decision is a word, so that a missing one is not
// taken for a decision.
type Answer struct {
	Decision   string `json:"decision"` // pass, allow, ask or deny
	Checkpoint string `json:"checkpoint"`
	Rule       string `json:"rule"`
	Reason     string `json:"reason"`
}

// A Watch hears what a call runs and changes while it is judged. A nil one hears nothing.
type Watch struct {
	Text    func(text string) bool // whether it wants to hear what this shell text runs and changes
	Command func(words []string)   // a command, its words folded; a wrapper such as sudo is one of its own
	File    func(path string)      // that is changed, made, removed or renamed; absolute where that is known
	Lost    func()                 // a shell text that it wants to hear of can't be read; may be nil
}

// Wants reports whether the watch wants to hear what a shell text runs and changes.
func (w *Watch) Wants(text string) bool { return w != nil && w.Text(text) }

// Missed tells the watch of a shell text that could not be read.
func (w *Watch) Missed(text string) {
	if w.Wants(text) && w.Lost != nil {
		w.Lost()
	}
}

// Ran tells the watch of a command.
func (w *Watch) Ran(words []string) {
	if w != nil {
		w.Command(words)
	}
}

// Changed tells the watch of a file.
func (w *Watch) Changed(path string) {
	if w != nil {
		w.File(path)
	}
}
