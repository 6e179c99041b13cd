package memory

// Code names why something was refused, for programs that act on it without parsing the text. The names are
// those of claude-memory, except where noted.
type Code string

// The codes. Hooks and commands give some of them for errors of other packages: see docs/cli.md.
const (
	CodeValidation       Code = "VALIDATION_ERROR"
	CodeConflict         Code = "OCC_CONFLICT"
	CodeAntiResurrection Code = "ANTI_RESURRECTION_ERROR"
	CodeOverwrite        Code = "CREATE_OVERWRITE_ERROR"
	CodePath             Code = "PATH_ERROR"
	CodeRead             Code = "READ_ERROR"
	CodeUpdate           Code = "UPDATE_ERROR"
	CodeMerge            Code = "MERGE_ERROR"
	CodeRetire           Code = "RETIRE_ERROR"
	CodeArchive          Code = "ARCHIVE_ERROR"
	CodeUnarchive        Code = "UNARCHIVE_ERROR"
	CodeRestore          Code = "RESTORE_ERROR"
	CodeLockTimeout      Code = "LOCK_TIMEOUT_ERROR"
	CodeDelete           Code = "DELETE_ERROR"   // ours: claude-memory deletes without asking
	CodeUndo             Code = "UNDO_ERROR"     // ours: claude-memory cannot undo
	CodeUnbacked         Code = "UNBACKED_ERROR" // ours: only a person's own words can end what a person said
)

// Refusal is a change to a record that its rules do not allow.
type Refusal struct {
	Code Code
	Problem
}

// Error returns the refusal in one line. What to do instead follows "hint: ".
func (e *Refusal) Error() string {
	s := e.Field + ": expected " + e.Expected + ", got " + e.Got
	if e.Fix != "" {
		s += "; hint: " + e.Fix
	}
	return s
}

func newRefusal(code Code, field, expected, got, fix string) error {
	return &Refusal{code, Problem{field, expected, got, fix}}
}
