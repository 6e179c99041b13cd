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
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/disk"
)

// A Grant lets one run of keepsake notes promote write what a person was shown. The
// gate makes it when it puts the call to the person, or lets an approved one
// through, and writes its nonce into the command that then runs: a command that
// does not come from the gate has none.
type Grant struct {
	Request Request `json:"request"`
	Use     string  `json:"use"` // the client's id of the call
	// paths of what is kept and says nearly the same, as the person was shown them
	Near []string `json:"near"`
}

// ErrGrant is what every refusal of a nonce wraps.
var ErrGrant = errors.New("this approval can't be used")

// Grant makes a nonce for what a request would write, good for Valid from now and
// for one use. Only its SHA-256 is kept.
func (d Dir) Grant(g Grant, now time.Time) (nonce string, err error) {
	if g.Request.Writes == "" {
		return "", errors.New("a grant is for bytes that are known")
	}
	if err := d.make("granted"); err != nil {
		return "", err
	}
	g.Request.Version, g.Request.Answered = Version, now.UTC()
	if g.Request.By == "" { // not answered before: the dialog will be
		g.Request.By = Dialog
	}
	g.Request = g.Request.kept()
	b, err := json.Marshal(g)
	if err != nil {
		return "", err
	}
	nonce = rand.Text() // of 128 bits
	return nonce, disk.Write(d.path("granted", hashed(nonce)), append(b, '\n'), 0o600)
}

// Redeem uses up a nonce for what is about to be written in a project. Of several
// callers at once one gets it. A nonce for other bytes stays as it is: they are
// not what the person was shown.
func (d Dir) Redeem(nonce, writes, project string, now time.Time) (Grant, error) {
	name := hashed(nonce)
	b, info, err := disk.ReadInfo(d.path("granted", name), maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(d.path("redeemed", name)); err == nil {
			return Grant{}, fmt.Errorf("%w: it was used already", ErrGrant)
		}
		return Grant{}, fmt.Errorf("%w: no such approval", ErrGrant)
	case err != nil:
		return Grant{}, err
	case !disk.OwnedByUs(info) || info.Mode().Perm()&0o077 != 0:
		return Grant{}, fmt.Errorf("%w: %s: %w", ErrGrant, d.path("granted", name), disk.ErrNotPrivate)
	}
	var g Grant
	if err := json.Unmarshal(b, &g); err != nil || g.Request.Version != Version || g.Request.Writes == "" {
		return Grant{}, fmt.Errorf("%w: %s: not an approval of version %d", ErrGrant, d.path("granted", name), Version)
	}
	switch {
	case g.Request.Expired(now):
		return Grant{}, fmt.Errorf("%w: it was good for %d minutes", ErrGrant, int(Valid.Minutes()))
	case g.Request.Writes != writes || g.Request.Project != project:
		return Grant{}, fmt.Errorf("%w: it is for something else than would be written now", ErrGrant)
	}
	if err := d.make("redeemed"); err != nil {
		return Grant{}, err
	}
	switch err := os.Rename(d.path("granted", name), d.path("redeemed", name)); {
	case errors.Is(err, fs.ErrNotExist):
		return Grant{}, fmt.Errorf("%w: it was used already", ErrGrant)
	case err != nil:
		return Grant{}, err
	}
	return g, nil
}

func hashed(nonce string) string {
	sum := sha256.Sum256([]byte(nonce))
	return hex.EncodeToString(sum[:])
}

// SettlePromotion is Settle for what keepsake notes promote has written. The same bytes,
// kept under the same ids, are settled once, whoever finishes a promotion that was
// cut off.
func (d Dir) SettlePromotion(g Grant, o Outcome) error {
	for _, dir := range [...]string{"taken", "asked"} { // that Settle removes names from
		if err := d.make(dir); err != nil {
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
		return d.forget(g.Request, g.Use)
	}
	return d.Settle(g.Request, g.Use, o)
}

// ByPerson is a grant for what a person promotes themselves, at their terminal. No
// call was stopped for it, and nothing has to be used up.
func ByPerson(checkpoint, rule, tool, writes, project string, now time.Time) Grant {
	r := Request{
		Version: Version, Digest: writes, Checkpoint: checkpoint, Rule: rule, Tool: tool, Writes: writes,
		Project: project, Asked: now.UTC(), By: Terminal, Answered: now.UTC(),
	}
	r.ID = shortID(r, 6)
	return Grant{Request: r}
}

// revoke takes back the nonces of a call that is settled and did not use them, such
// as one that the person said no to in the dialog.
func (d Dir) revoke(use string) error {
	all, err := os.ReadDir(filepath.Join(string(d), "granted"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	errs := []error{err}
	for _, e := range all {
		path := filepath.Join(string(d), "granted", e.Name())
		b, err := disk.Read(path, maxFile)
		var g Grant
		if err == nil && json.Unmarshal(b, &g) == nil && g.Use == use {
			errs = append(errs, disk.Remove(path))
		}
	}
	return errors.Join(errs...)
}
