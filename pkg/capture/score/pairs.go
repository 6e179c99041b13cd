package score

import "keepsake/pkg/capture/cues"

// pair is two families that mean more together: a claim and its reason.
type pair struct{ a, b cues.Family }

// pairs are the two sides of what is worth keeping: claim and reason, symptom and cause, cause and fix, limit
// and source, deferral and object, rule and scope, reversal and subject; and what takes a claim back again.
var pairs = [...]pair{
	{cues.Choice, cues.Reason}, {cues.Choice, cues.Contrast}, {cues.Choice, cues.Advantage},
	{cues.Choice, cues.Tradeoff}, {cues.Choice, cues.Drawback}, {cues.Contrast, cues.Reason},
	{cues.Contrast, cues.Advantage}, {cues.Rejection, cues.Reason}, {cues.Rejection, cues.Drawback},
	{cues.Proposal, cues.Agreement}, {cues.Proposal, cues.Reason}, {cues.Plan, cues.Choice},
	{cues.Symptom, cues.Cause}, {cues.Cause, cues.Fix}, {cues.Symptom, cues.Fix},
	{cues.Fix, cues.Verified}, {cues.Symptom, cues.Trigger}, {cues.Caveat, cues.Fix},
	{cues.Limit, cues.Source}, {cues.Limit, cues.Reason}, {cues.Limit, cues.Measure},
	{cues.Limit, cues.Version}, {cues.Limit, cues.Negation},
	{cues.Deferral, cues.Gap}, {cues.Deferral, cues.Reason}, {cues.Gap, cues.Reason},
	{cues.Rule, cues.Scope}, {cues.Rule, cues.Style}, {cues.Want, cues.Scope}, {cues.Want, cues.Contrast},
	{cues.Want, cues.Style}, {cues.Rule, cues.Contrast},
	{cues.Reversal, cues.Choice}, {cues.Reversal, cues.Reason}, {cues.Correction, cues.Contrast},
	{cues.Correction, cues.Rule}, {cues.Choice, cues.Hedge}, {cues.Choice, cues.Question},
	{cues.Choice, cues.Condition}, {cues.Fix, cues.Hedge}, {cues.Cause, cues.Hedge},
	{cues.Narration, cues.Choice}, {cues.Narration, cues.Fix}, {cues.Report, cues.Fix},
	{cues.Emphasis, cues.Limit}, {cues.Emphasis, cues.Caveat}, {cues.Migration, cues.Reason},
	{cues.Setting, cues.Choice}, {cues.Before, cues.Reversal}, {cues.Wish, cues.Choice},
}
