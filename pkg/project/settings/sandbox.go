package settings

import (
	"fmt"
	"slices"

	"keepsake/pkg/client/permissions"
	"keepsake/pkg/disk"
)

// A SandboxLock is what Keepsake put into the client's own settings so that Bash runs in the client's sandbox
// and can't write to some folders there.
type SandboxLock struct {
	ClientFile
	was boxed
}

// boxed records that. It is kept beside the approvals, so that exactly that can be taken out again.
type boxed struct {
	Path string `json:"path"`
	permissions.SandboxChange
	// Sum is the SHA-256 of the settings after the change, Text their text before it. While nobody has
	// changed them since, they are restored byte for byte.
	Sum  string `json:"sum"`
	Text []byte `json:"before"`
	None bool   `json:"none,omitempty"` // there was no file before
}

// A SandboxChange is a change of the client's settings, and of the record of it.
type SandboxChange struct {
	After []byte // nil to remove the file
	Done  permissions.SandboxChange
	now   boxed // has no path if everything is taken out
}

// OpenSandboxLock reads the settings of a client, and the record of what was put into them.
func OpenSandboxLock(client string) (l SandboxLock, err error) {
	l.ClientFile, err = openFile(client, "sandbox.json", &l.was)
	return l, err
}

// Install returns the change that switches the sandbox on and makes these folders read-only in it.
func (l SandboxLock) Install(paths []string) (ch SandboxChange, err error) {
	after, done, err := permissions.AddSandbox(string(l.Before), paths)
	if err != nil {
		return ch, fmt.Errorf("%s: %w", l.Path, err)
	}
	ch = SandboxChange{[]byte(after), done, boxed{l.Path, done, sumOf(after), l.Before, l.Before == nil}}
	if l.Held() { // a second install adds what is new
		ch.now.SandboxChange = l.was.And(done)
		ch.now.Text, ch.now.None = nil, false
	}
	return ch, nil
}

// Held reports whether something was put into the settings.
func (l SandboxLock) Held() bool { return l.was.Path == l.Path && !l.was.Empty() }

// Folders returns the folders that were made read-only.
func (l SandboxLock) Folders() []string { return slices.Clone(l.was.DenyWrite) }

// Remove returns the change that takes exactly that out again.
func (l SandboxLock) Remove() (SandboxChange, error) {
	if l.was.Sum == sumOf(string(l.Before)) && (l.was.None || l.was.Text != nil) {
		return SandboxChange{After: l.was.Text, Done: l.was.SandboxChange}, nil
	}
	after, err := permissions.DropSandbox(string(l.Before), l.was.SandboxChange)
	if err != nil {
		return SandboxChange{}, fmt.Errorf("%s: %w", l.Path, err)
	}
	return SandboxChange{After: []byte(after), Done: l.was.SandboxChange}, nil
}

// Write makes a change if the settings have not changed since they were read, and keeps a copy of the old
// ones beside them. The record is written before something is added, and removed after it is taken out.
func (l SandboxLock) Write(ch SandboxChange) error {
	if ch.now.Path != "" {
		if err := l.remember(ch.now); err != nil {
			return err
		}
	}
	if string(ch.After) != string(l.Before) {
		if err := l.replace(ch.After); err != nil {
			return err
		}
	}
	if ch.now.Path == "" {
		return disk.Remove(l.memo)
	}
	return nil
}
