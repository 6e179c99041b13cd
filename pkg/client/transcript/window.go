package transcript

import "strings"

// Sizes of context windows, in tokens.
const (
	window200K = 200_000
	window1M   = 1_000_000
)

// windows are the context windows of models by the API's names. They are from the tables in both supported
// clients (2.1.197 and 2.1.329), from which these compute the percentage they show.
var windows = map[string]int64{
	"claude-3-5-haiku": window200K, "claude-3-5-sonnet": window200K, "claude-3-7-sonnet": window200K,
	"claude-opus-4": window200K, "claude-opus-4-0": window200K, "claude-opus-4-1": window200K,
	"claude-opus-4-5": window200K, "claude-opus-4-6": window200K,
	"claude-opus-4-7": window1M, "claude-opus-4-8": window1M, "claude-opus-5": window1M,
	"claude-opus-5-5": window1M,
	"claude-sonnet-4": window200K, "claude-sonnet-4-0": window200K, "claude-sonnet-4-5": window200K,
	"claude-sonnet-4-6": window200K,
	"claude-sonnet-5":   window1M, "claude-sonnet-5-5": window1M,
	"claude-haiku-4-5": window200K, "claude-haiku-5-5": window1M,
	"claude-fable-5": window1M, "claude-fable-5-1": window1M, "claude-fable-5-2": window1M,
	"claude-mythos-5": window1M, "claude-mythos-5-1": window1M, "claude-mythos-5-2": window1M,
}

// wide marks a model that runs with a window of a million tokens. It is in the client's name of the model,
// but not in the API's name in the transcript.
const wide = "[1m]"

// Window returns the size of the context window in tokens. selected is the model as the client named it when
// the session began ("claude-opus-4-6[1m]", or ""), and answered the model of the last answer. The result is
// 0 if the name is in no table, or if a model with a wider window may have been selected since.
func Window(selected, answered string) int64 {
	was, now := modelName(selected), modelName(answered)
	if was != "" && (now == "" || now == was) {
		if strings.Contains(strings.ToLower(selected), wide) {
			return window1M
		}
		return windows[was]
	}
	if w := windows[now]; w == window1M {
		return w
	}
	return 0
}

// modelName returns a model's name without the mark, its provider and its date:
// us.anthropic.claude-sonnet-4-5-20250929-v1:0 becomes claude-sonnet-4-5.
func modelName(id string) string {
	id = strings.ToLower(id)
	if i := strings.Index(id, "claude-"); i > 0 {
		id = id[i:]
	}
	id, _, _ = strings.Cut(id, "[")
	id, _, _ = strings.Cut(id, "@")
	id, _, _ = strings.Cut(id, "-20")
	id, _, _ = strings.Cut(id, "-v1")
	return id
}
