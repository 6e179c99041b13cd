package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/client/permissions"
	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/settings"
	"keepsake/pkg/text"
)

// boxHint is what to do where the client's sandbox can't run.
const boxHint = "install bubblewrap and socat (Debian and Ubuntu: apt install bubblewrap socat), and see " +
	"that this user may make user namespaces"

// again is the command that puts the lock in once more.
const again = "keepsake gate install-lock --sandbox"

// boxed is a variable that the client's sandbox sets.
const boxed = "SANDBOX_RUNTIME"

// boxTime is how long the sandbox may take for nothing. It takes some 10 ms.
const boxTime = 5 * time.Second

// TrySandbox starts a sandbox as the client does, in which these folders are read-only, and returns an error
// if it does not start or if a folder can be written there. It writes nothing. Inside of a sandbox, and where
// the system has another one than bubblewrap, it only looks whether that is there.
func TrySandbox(ctx context.Context, folders []string) error {
	if runtime.GOOS == "darwin" {
		if _, err := exec.LookPath("sandbox-exec"); err != nil {
			return fmt.Errorf("the client's sandbox can't run here: %w", err)
		}
		return nil
	}
	for _, program := range []string{"bwrap", "socat"} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("the client's sandbox can't run here: %w; hint: %s", err, boxHint)
		}
	}
	if os.Getenv(boxed) != "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, boxTime)
	defer cancel()
	args := []string{"--die-with-parent", "--unshare-pid", "--unshare-net", "--bind", "/", "/"}
	for _, dir := range folders {
		if _, err := os.Stat(dir); err == nil {
			args = append(args, "--ro-bind", dir, dir)
		}
	}
	args = append(args, "--dev", "/dev", "/bin/sh", "-c", `for d; do [ ! -w "$d" ] || echo "$d"; done`, "sh")
	cmd := exec.CommandContext(ctx, "bwrap", append(args, folders...)...)
	cmd.WaitDelay = boxTime
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	switch open := strings.TrimSpace(string(out)); {
	case err != nil:
		return fmt.Errorf("the client's sandbox can't run here: %w: %s; hint: %s", err,
			text.Shorten(brief.Line(errs.String()), shownRunes), boxHint)
	case open != "":
		return fmt.Errorf("in a sandbox %s can be written although it is read-only there", brief.Line(open))
	}
	return nil
}

// checkSandbox reports whether the lock in the client's sandbox holds in this project.
func checkSandbox(p Patient, r *report) {
	if os.Getenv(boxed) != "" {
		r.note("run keepsake doctor in a terminal",
			"this runs in the client's sandbox: what can't be written here, Keepsake's hooks can")
	}
	client := layout.ClientHere()
	l, err := settings.OpenSandboxLock(client)
	if err != nil {
		r.bad("mend or remove it", "%v", err)
		return
	}
	folders, home := layout.Walled(client), os.Getenv("HOME")
	var all permissions.Sandbox
	for _, path := range layout.SettingsOf(client, p.Root) {
		b, err := disk.ReadLinked(path, maxFile)
		if err != nil {
			continue // checkClient says so
		}
		s := permissions.ReadSandbox(b)
		all = all.Over(s)
		if !l.Held() {
			continue
		}
		if open := s.Opens(home, folders); len(open) > 0 {
			r.bad("take that out of "+path, "%s opens %s for Bash, with which the older client (2.1.197) "+
				"forgets what is read-only", path, brief.Line(strings.Join(open, ", ")))
		}
		if turned := s.Turned(); len(turned) > 0 {
			r.bad("take that out of "+path, "%s cancels the lock in the sandbox: %s", path,
				strings.Join(turned, ", "))
		}
	}
	switch {
	case !l.Held() && !all.Enabled():
		r.ok("off; %s has the client keep Bash from writing into a palace", again)
		return
	case l.Held():
		if off := all.Off(); len(off) > len(all.Turned()) {
			r.bad(again, "the settings lost what the lock in the sandbox put there: %s",
				strings.Join(off, ", "))
		}
		if missing := all.Missing(home, folders); len(missing) > 0 {
			r.bad(again, "not read-only in the sandbox: %s", brief.Line(strings.Join(missing, ", ")))
		}
	}
	if err := TrySandbox(context.Background(), folders); err != nil {
		what, hint, _ := strings.Cut(err.Error(), "; hint: ")
		r.bad(hint, "%s", what)
	}
	if len(all.Excluded) > 0 {
		r.note("", "outside of the sandbox, by sandbox.excludedCommands, run %s",
			brief.Line(strings.Join(all.Excluded, ", ")))
	}
	if len(r.found) == 0 && l.Held() {
		r.ok("Bash can't write to %d folders (tried): palaces, drawers, and what the gate rests on",
			len(folders))
	} else if len(r.found) == 0 {
		r.ok("on, and it runs; %s names the palaces in it", again)
	}
}
