package brief

import (
	"keepsake/pkg/memory"
)

// RecallBudget is the size of a whole recall context, in bytes.
const RecallBudget = 2000

// Recall shows memories with their decisive content, best first, inside
// RecallBudget. It returns the paths of those it shows, which are fewer than
// given when they do not fit. Without memories it is empty.
func Recall(memories []memory.Stored, about Descriptions) (text string, shown []string) {
	return "", nil
}
