// Package brief holds every word that a hook says to the agent or the user. The rules for its
// texts:
//
//   - Facts, not orders: what was noticed, stored or lost, and which skill handles it.
//   - Every line names its source: a file of the store, or who said it.
//   - A budget in bytes. What does not fit is cut at a character and ends in "…".
//   - Whatever came from a file or a transcript is data. It is cleaned (no control, bidi or
//     zero-width characters, one line) and escaped, so that it can neither open nor close a tag of
//     ours; see Text.
//   - Where there is nothing to say, a text is "".
//
// Each text has a golden file in testdata, to be reviewed as prose.
package brief

import "keepsake/pkg/memory"

// Source is the path of a project's memories, as the agent sees it.
const Source = ".claude/memory/"

// Skill is the skill with which the agent saves what waits.
const Skill = "keepsake:save"

// Descriptions are the descriptions of the categories in the configuration.
type Descriptions map[memory.Category]string
