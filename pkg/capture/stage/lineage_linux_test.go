package stage

import (
	"os"
	"os/exec"
	"testing"
)

// TestLineageOfAContainer: where the first process runs this, it is among those above.
func TestLineageOfAContainer(t *testing.T) {
	if os.Getenv("KEEPSAKE_TEST_CONTAINER") == "1" {
		up := Lineage()
		if len(up) != 2 || up[0].PID != 2 || up[1].PID != 1 || up[1].Args[0] != "claude" {
			t.Errorf("%+v", up)
		}
		return
	}
	sh, err := exec.LookPath("bash")
	if err != nil || exec.Command("unshare", "-rpf", "--mount-proc", "true").Run() != nil {
		t.Skip("no bash, or this user may not have a namespace of processes")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("unshare", "-rpf", "--mount-proc", sh, "-c",
		`exec -a claude "$0" -c '"$0" -c "\"\$0\" -test.run ^TestLineageOfAContainer\$; exit \$?" "$1"; exit $?' "$0" "$1"`, sh, self)
	cmd.Env = append(os.Environ(), "KEEPSAKE_TEST_CONTAINER=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
