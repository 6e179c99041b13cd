package brief

import "fmt"

// SignedRow returns a line for the person about memories that came with the repository, and that one of the
// approvers they accepted has signed.
func SignedRow(n int, by string) string {
	return fmt.Sprintf("Keepsake: %s came with the repository, approved by %s", count(n, "memory"),
		Text(by, maxSigner))
}

// CameRow returns a line for the person about n memories that came with the repository and wait for their
// yes, and about approvers that do; "" for neither. more reports that there may be older ones.
func CameRow(n int, more, approvers bool) string {
	if n == 0 && !approvers {
		return ""
	}
	const look = " (keepsake review)"
	row := ""
	if n > 0 {
		row = count(n, "memory")
		if more {
			row += " or more"
		}
	}
	switch {
	case n == 0:
		return "Keepsake: the repository names approvers of memories, and their signatures count once you " +
			"say yes" + look
	case approvers:
		row += ", and a list of who may approve such,"
	}
	return "Keepsake: " + row + " came with the repository; no agent is told of " + them(n) +
		" before you say yes" + look
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}
