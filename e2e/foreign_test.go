//go:build e2e

package e2e

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
)

// WebPage serves a text as a page that the client's own WebFetch can get without leaving
// the machine, and returns its address. The client turns http into https, so the page has
// a certificate that the client is told to trust. What WebFetch returns is what a small
// model says of the page; the scripted one says the text itself.
func (l *Lab) WebPage(text string) (address string) {
	l.t.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = w.Write([]byte(text)) // the client hung up: nothing to do about it
	}))
	l.t.Cleanup(server.Close)
	authority := filepath.Join(l.Root, "authority.pem")
	l.Write(
		authority,
		string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})),
	)
	l.Env["NODE_EXTRA_CA_CERTS"] = authority
	l.Model.add(
		&route{name: "page", match: Match{Bare: true}, loop: true, turns: []Turn{func(r *Request) Reply {
			if strings.Contains(r.Tail(), text) {
				return Say(text)
			}
			return Say("ok") // a title
		}}},
	)
	return server.URL
}
