package approval

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"keepsake/pkg/client/codex"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/journal"
	"keepsake/pkg/layout"
)

// A Call is one tool call, as the client's events report it.
type Call struct {
	Tool       string
	Args       []byte // tool_input
	UseID      string // tool_use_id
	Session    string
	Transcript string
	Cwd        string
	ProjectDir string
	Agent      string
	AgentID    string
}

func (c Call) dir() Dir { return Dir(layout.Approvals(layout.Client(c.Transcript))) }

func (c Call) project() string { return layout.Project(c.ProjectDir, c.Cwd).Home }

// Weigh applies a person's answer to a verdict that a person may answer. An approval for exactly this
// call is used up and allows it, if the call still does what the person was told, in the same directory.
// A no denies it. Otherwise the call is stored, and a deny says how it can be approved. A promotion that
// may run, or that the dialog asks about, gets its Input, and in Codex CLI a Save, so that the hook runs it.
// id is that of the approval that was used. No error in here lets a call through.
func Weigh(c Call, v rules.Verdict, here bool, now time.Time) (_ rules.Verdict, id string) {
	if !v.Person {
		return v, ""
	}
	d, digest := c.dir(), rules.Digest(v.Checkpoint, c.Tool, c.Args)
	switch {
	case d == "":
		return unwritten(v, "the client's folder is unknown"), ""
	case digest == "":
		return unwritten(v, "its arguments are no JSON object, or name a key twice"), ""
	}
	session, project := layout.Session(c.Session), c.project()
	r, ok, broken := d.Take(digest, session, project, c.UseID, now)
	if broken != nil {
		c.Fault("an approval could not be read, so the call that it was for was asked again", broken)
	}
	if ok && r.Cwd == c.place() && r.wasTold(v.Reason) && r.Writes == writes(v) {
		yes := rules.Verdict{Decision: rules.Allow, Checkpoint: v.Checkpoint, Rule: v.Rule}
		if v.Promotion != nil {
			var err error
			var nonce string
			if yes.Input, nonce, err = c.grant(d, &r, v, now); err == nil {
				if layout.IsCodex(c.Transcript) { // its sandbox would let the command write nothing
					yes.Save, r.Runs = &rules.Command{Args: v.Promotion.Args(nonce)}, ""
				}
				err = d.keepTaken(r, c.UseID)
			}
			if err != nil {
				return c.ungranted(d, v, err), ""
			}
		}
		return yes, r.ID
	}
	r = Request{
		Digest: digest, Checkpoint: v.Checkpoint, Rule: v.Rule, Tool: c.Tool, Args: c.Args, Reason: v.Reason,
		Session: session, Project: project, Cwd: c.place(), Agent: c.Agent, AgentID: c.AgentID,
		Asked: now.UTC(), Writes: writes(v), Transcript: c.Transcript, From: fileSize(c.Transcript),
	}
	if v.Promotion != nil { // the person has to read the texts, which the call only names
		r.Args = v.Promotion.Input("…")
	}
	if broken != nil {
		v.Reason = rules.Unreadable(v.Reason, within(d, broken))
	}
	asked, refused, err := d.Ask(r)
	switch {
	case err != nil:
		c.Fault("a call that was stopped could not be written down for the person", err)
		v = unwritten(v, within(d, err))
	case refused:
		v.Decision, v.Reason = rules.Deny, rules.Rejected(v.Reason, asked)
		return v, ""
	case v.Held:
		v.Reason = rules.Held(v.Reason, asked, layout.Command(), c.elsewhere(), here)
	case v.Decision == rules.Deny:
		v.Reason = rules.Waiting(v.Reason, asked, layout.Command(), c.elsewhere(), here)
	default:
		r.ID = asked
		if v.Promotion != nil {
			if v.Input, _, err = c.grant(d, &r, v, now); err != nil {
				return c.ungranted(d, v, err), ""
			}
		}
		if err := d.Show(r, c.UseID); err != nil {
			c.Fault("a call that the person is asked about could not be written down", err)
		}
	}
	return v, ""
}

// writes returns the digest of what a promotion would write, or "" for every other call.
func writes(v rules.Verdict) string {
	if v.Promotion == nil {
		return ""
	}
	return v.Promotion.Digest
}

// grant makes a nonce with which a promotion may run once. It returns the input with the nonce that
// replaces the call's, and the nonce, and notes in r what will run.
func (c Call) grant(d Dir, r *Request, v rules.Verdict, now time.Time) (input []byte, nonce string,
	err error) {
	nonce, err = d.Grant(Grant{Request: *r, Use: c.UseID, Near: v.Promotion.Near}, now)
	if err != nil {
		return nil, "", err
	}
	input = v.Promotion.Input(nonce)
	r.Runs = rules.Digest(r.Checkpoint, r.Tool, input)
	return input, nonce, nil
}

// ungranted denies a promotion that could not be given its nonce.
func (c Call) ungranted(d Dir, v rules.Verdict, err error) rules.Verdict {
	c.Fault("a promotion could not be prepared, so it was stopped", err)
	return unwritten(v, within(d, err))
}

// unwritten returns the verdict on a call that can't be stored. Only a dialog can still be answered. A
// promotion would run without its nonce and write nothing, so it is denied.
func unwritten(v rules.Verdict, why string) rules.Verdict {
	v.Reason = rules.Unwritten(v.Reason, why)
	if v.Promotion != nil {
		v.Decision = rules.Deny
	}
	return v
}

// elsewhere returns the variable that names the client's folder, with its value, if a terminal would look in
// another one, else "".
func (c Call) elsewhere() string {
	client := layout.Client(c.Transcript)
	home, err := os.UserHomeDir()
	switch {
	case err == nil && (client == layout.ClientIn(home) || client == layout.CodexIn(home)):
		return ""
	case layout.IsCodex(c.Transcript):
		return "CODEX_HOME=" + rules.Quote(client)
	}
	return "CLAUDE_CONFIG_DIR=" + rules.Quote(client)
}

// within returns the text of an error with paths relative to the folder of approvals. The lines of a
// reason are short, and the ledger has the whole text.
func within(d Dir, err error) string {
	return strings.ReplaceAll(err.Error(), string(d)+string(filepath.Separator), "")
}

// place returns the directory of a shell command or a patch, whose words may mean other files elsewhere. It
// returns "" for other calls.
func (c Call) place() string {
	if c.Tool == "Bash" || c.Tool == "Monitor" || c.Tool == codex.Patch {
		return c.Cwd
	}
	return ""
}

// Settle stores the result of a call, once, if the gate had let it through on a person's word. response
// is its tool_response. failed reports that the client itself called it a failure.
func Settle(c Call, response []byte, failed bool, now time.Time) (o Outcome, settled bool,
	err error) {
	d := c.dir()
	if d == "" {
		return o, false, nil
	}
	r, open, err := d.openRequest(c.UseID)
	if !open || err != nil {
		return o, false, err
	}
	o = Outcome{ID: r.ID, Time: now, Result: Stored}
	told := rules.ResultOf(response)
	switch {
	case r.Writes != "": // the program settles what it has written itself
		o.Result, o.Error = Failed, "the promotion was not finished"
	case failed:
		o.Result, o.Error = Failed, "the call failed"
	case !told.OK:
		o.Result, o.Error = Failed, "refused by the back end"
	default:
		o.Stored = told.Stored
	}
	if r.Writes != "" {
		if is := rules.Digest(r.Checkpoint, c.Tool, c.Args); r.Runs != "" && is != r.Runs {
			o.Error = "another command ran in the place of the promotion"
			c.Fault("an approved promotion ran as another command",
				errors.New("id "+r.ID+"; another hook may have changed it"))
		}
		return o, true, d.Settle(r, c.UseID, o)
	}
	if o.Result == Stored && rules.Digest(r.Checkpoint, c.Tool, c.Args) != r.Digest {
		o.Result, o.Error = Changed, "it ran with other arguments than were approved"
		c.Fault("an approved call ran with other arguments than the person had approved",
			errors.New("id "+r.ID+"; another hook may have changed them"))
	}
	return o, true, d.Settle(r, c.UseID, o)
}

// Fault adds a failure to the ledger of the call's project.
func (c Call) Fault(what string, why error) {
	place := layout.Project(c.ProjectDir, c.Cwd)
	_ = journal.AppendFailure(layout.DirsFor(place, c.Transcript).Of(place.Home).Ledger(), journal.Failure{
		Time: time.Now(), Where: "gate", Session: layout.Session(c.Session), What: what, Why: why.Error(),
	})
}
