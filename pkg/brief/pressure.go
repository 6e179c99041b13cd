package brief

import (
	"fmt"

	"keepsake/pkg/capture/triage"
)

// mustSurvive lists what has to be written down before a context window is full.
const mustSurvive = "decisions and their reasons, pending items and who owns them, threads that are not " +
	"resolved"

// A Full is how full the model's context window is. For the zero Full nothing is said.
type Full struct {
	At      triage.Pressure // the threshold that was reached
	Percent int
}

func (f Full) head() string {
	return fmt.Sprintf("Keepsake: the conversation fills %d %% of the model's context window [source: "+
		"transcript]", f.Percent)
}

// Filling returns the text above the list of what there is to save, at the end of the turn in which the
// window reached a threshold. staged reports that something waits to be saved.
func Filling(f Full, staged bool) string {
	var text string
	switch f.At {
	case triage.Flush:
		text = f.head() + ". What is not saved may be lost when it is compacted: " + mustSurvive + "."
	case triage.Emergency:
		text = f.head() +
			" and will be compacted soon. Before the work goes on, all that is worth keeping is saved now, " +
			"with a full summary: " + mustSurvive + "."
	default:
		return ""
	}
	if !staged {
		text += " Nothing of it is staged; the skill `" + Skill + "` saves what it is given as a text."
	}
	return text
}

// line returns the line beside a prompt for a window that is half full.
func (f Full) line() string {
	if f.At != triage.Alert {
		return ""
	}
	return f.head() +
		". From here on all that may matter is staged. The key points of an important exchange are best " +
		"written down when it ends: " + mustSurvive + "."
}
