package brief

import (
	"fmt"
	"strings"

	"keepsake/pkg/text"
)

// maxBranchName bounds the name of a branch in a message, in bytes.
const maxBranchName = 60

// CameWithMerge asks the person whether to keep memories that were made on branches and have come into the
// default one.
func CameWithMerge(memories int, branches []string) string {
	names := make([]string, min(len(branches), 3))
	for i := range names {
		names[i] = text.Safe(text.Shorten(branches[i], maxBranchName))
	}
	if more := len(branches) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	them := "them"
	if memories == 1 {
		them = "it"
	}
	return "keepsake: " + text.Count(memories, "memory") + " came with the merge of " +
		strings.Join(names, ", ") + ": keep " + them + "? keepsake review asks you"
}
