package brief

import "fmt"

// BudgetReached tells the person that the day's tokens are used up.
func BudgetReached(spent, limit int) string {
	return fmt.Sprintf("keepsake: memory cost about %d tokens here today, of %d (budget.tokens_per_day). "+
		"What is noticed now waits in keepsake inbox; what you ask to have remembered is saved.", spent,
		limit)
}
