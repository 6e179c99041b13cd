package approval

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/gate/rules"
)

// A Grant lets one run of keepsake notes promote write what a person was shown. The gate makes it when it
// asks the person about the call or lets an approved call through, and puts its nonce into the command. A
// command that did not pass the gate has no nonce.
type Grant struct {
	Request Request `json:"request"`
	Use     string  `json:"use"` // the client's id of the call
	// paths of similar memories that the person was shown too
	Near []string `json:"near"`
}

// errGrant is wrapped by every error of Redeem about the nonce itself.
var errGrant = errors.New("this approval can't be used")

// Grant returns a nonce for what a request would write. It can be used once, within Valid from now. Only its
// SHA-256 is stored.
func (d Dir) Grant(g Grant, now time.Time) (nonce string, err error) {
	if g.Request.Writes == "" {
		return "", errors.New("a grant needs the digest of what would be written")
	}
	if err := d.makeDir("granted"); err != nil {
		return "", err
	}
	g.Request.Version, g.Request.Answered = Version, now.UTC()
	if g.Request.By == "" { // then the dialog is the answer
		g.Request.By = Dialog
	}
	g.Request = g.Request.withoutSecrets()
	b, err := json.Marshal(g)
	if err != nil {
		return "", err
	}
	nonce = rand.Text() // 128 bits
	return nonce, disk.Write(d.requestPath("granted", hashNonce(nonce)), append(b, '\n'), 0o600)
}

// Redeem uses up a nonce for what is about to be written in a project. If several callers use it at once, one
// succeeds. A nonce for other bytes is left as it is, since the person was not shown these.
func (d Dir) Redeem(nonce, writes, project string, now time.Time) (Grant, error) {
	name := hashNonce(nonce)
	path := d.requestPath("granted", name)
	b, err := readPrivate(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(d.requestPath("redeemed", name)); err == nil {
			return Grant{}, fmt.Errorf("%w: it was used already", errGrant)
		}
		return Grant{}, fmt.Errorf("%w: no such approval", errGrant)
	case err != nil:
		return Grant{}, fmt.Errorf("%w: %w", errGrant, err)
	}
	var g Grant
	if err := json.Unmarshal(b, &g); err != nil || g.Request.Version != Version || g.Request.Writes == "" {
		return Grant{}, fmt.Errorf("%w: %s: not an approval of version %d", errGrant, path, Version)
	}
	switch {
	case g.Request.isExpired(now):
		return Grant{}, fmt.Errorf("%w: it expired, %d minutes after it was given", errGrant,
			int(Valid.Minutes()))
	case g.Request.Writes != writes || g.Request.Project != project:
		return Grant{}, fmt.Errorf("%w: it is not for what would be written now", errGrant)
	}
	if err := d.makeDir("redeemed"); err != nil {
		return Grant{}, err
	}
	switch err := os.Rename(path, d.requestPath("redeemed", name)); {
	case errors.Is(err, fs.ErrNotExist):
		return Grant{}, fmt.Errorf("%w: it was used already", errGrant)
	case err != nil:
		return Grant{}, err
	}
	return g, nil
}

func hashNonce(nonce string) string {
	sum := sha256.Sum256([]byte(nonce))
	return hex.EncodeToString(sum[:])
}

// SettlePromotion is Settle for what keepsake notes promote has written. The same bytes under the same
// ids are settled once, even if another process finishes a promotion that was cut off.
func (d Dir) SettlePromotion(g Grant, o Outcome) error {
	for _, dir := range [...]string{"taken", "asked"} { // the folders from which Settle removes names
		if err := d.makeDir(dir); err != nil {
			return err
		}
	}
	done, err := d.Settled(time.Time{})
	if err != nil {
		return err
	}
	if slices.ContainsFunc(done, func(is Outcome) bool {
		return is.Result == Stored && is.Writes == g.Request.Writes && slices.Equal(is.Stored, o.Stored)
	}) {
		return d.forgetRequest(g.Request, g.Use)
	}
	return d.Settle(g.Request, g.Use, o)
}

// ByPerson returns the grant for what a person promotes at their own terminal. No call was stopped for it, so
// nothing is used up.
func ByPerson(tool, writes, project string, now time.Time) Grant {
	r := Request{
		Version: Version, Digest: writes, Checkpoint: rules.MemPalaceWrite, Tool: tool,
		Rule: rules.RulePromote.Rule().Name, Writes: writes, Project: project,
		Asked: now.UTC(), By: Terminal, Answered: now.UTC(),
	}
	r.ID = shortID(r, 6)
	return Grant{Request: r}
}

// revoke deletes the nonces that a settled call did not use, as when the person said no in the dialog.
func (d Dir) revoke(use string) error {
	all, err := d.files("granted")
	errs := []error{err}
	for _, path := range all {
		b, err := disk.Read(path, maxFile)
		var g Grant
		if err == nil && json.Unmarshal(b, &g) == nil && g.Use == use {
			errs = append(errs, disk.Remove(path))
		}
	}
	return errors.Join(errs...)
}
