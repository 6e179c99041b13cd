package shell

import (
	"strings"
	"testing"

	"keepsake/pkg/client/permissions"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/why/palace"
)

// TestLockTools: the lock names no tool that only reads, and each that it names is
// stopped by the gate too.
func TestLockTools(t *testing.T) {
	for _, rule := range permissions.Rules([]string{"mempalace", "why"}) {
		if v := Judge(Call{Tool: rule, Args: []byte(`{"apply":true,"x":1}`), Cwd: "/", Home: "/h",
			Dialog: true}); v.Decision != rules.Ask {
			t.Errorf("%s: %v", rule, v.Decision)
		}
		if tool := rule[strings.LastIndex(rule, "__")+2:]; palace.IsRead(tool) {
			t.Errorf("the lock asks before %s, a read", tool)
		}
	}
}
