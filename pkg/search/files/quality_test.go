package files

import (
	"fmt"
	"testing"
)

// shop is a small project in several languages.
var shop = []File{
	{Path: "src/auth/login.ts",
		Text: []byte("import { issueToken } from './token';\n\n// loginHandler checks name and " +
			"password.\nexport async function loginHandler(req: Request) {\n  return " +
			"issueToken(req.user);\n}\n")},
	{Path: "src/auth/token.ts",
		Text: []byte("export function issueToken(user: User) {\n  return sign(user);\n}\n\nexport function " +
			"revokeToken(id: string) {\n}\n")},
	{Path: "src/auth/README.md",
		Text: []byte("# Authentication\n\nThe login handler lives in login.ts.\n\n## Tokens\n\nTokens last " +
			"an hour.\n")},
	{Path: "src/billing/invoice.py",
		Text: []byte("class InvoiceRepository:\n    def find_unpaid(self):\n        return " +
			"self.db.query('unpaid')\n\n    def send_reminder(self, invoice):\n        " +
			"self.mail.send(invoice)\n")},
	{Path: "src/billing/rates.py",
		Text: []byte("VAT = 0.19\n\ndef tax_rate(country):\n    return RATES[country]\n")},
	{Path: "src/db/pool.go",
		Text: []byte("// Package db holds the connections to Postgres.\npackage db\n\n// Pool keeps " +
			"connections open.\ntype Pool struct{}\n\nfunc (p *Pool) Acquire() {}\n")},
	{Path: "src/db/migrations/0003_users.sql", Text: []byte("CREATE TABLE users (\n  id bigint\n);\n")},
	{Path: "src/http/router.go",
		Text: []byte("package http\n\nfunc Routes() {\n\thandle(\"/login\", " +
			"loginHandler)\n\thandle(\"/logout\", logoutHandler)\n}\n")},
	{Path: "src/http/middleware/ratelimit.go",
		Text: []byte("package middleware\n\n// RateLimit lets a client through so often.\nfunc RateLimit(n " +
			"int) {}\n")},
	{Path: "test/login.test.ts", Text: []byte("test('loginHandler', () => {\n  loginHandler();\n});\n")},
	{Path: "vendor/lib/login.go", Text: []byte("package lib\n\nfunc LoginHandler() {}\n")},
	{Path: "Makefile", Text: []byte("build:\n\tgo build\n\nrelease: build ## tag and push\n\tgit tag\n")},
	{Path: "config/settings.toml", Text: []byte("[server]\nport = 8080\n\n[server.timeouts]\nread = 5\n")},
	{Path: "docs/deploy.md",
		Text: []byte("# Deploying\n\nPush to main.\n\n## Rolling back\n\nRevert the tag.\n")},
	{Path: "assets/logo.png"},
	{Path: "README.md", Text: []byte("# Shop\n\nSells things.\n")},
	{Path: "ci/run", Text: []byte("#!/bin/sh\n# What the README says, see README.\n")},
	{Path: "go.mod", Text: []byte("module shop\n")},
	{Path: "src/mode.go", Text: []byte("package src\n\n// Mode is how to go: go mode.\ntype Mode int\n")},
	{Path: "CHANGELOG.md",
		Text: []byte("# Changelog\n\n## 1.2\n\n- login handler: rate limit, invoice reminders, rolling " +
			"back\n")},
}

func TestQuality(t *testing.T) {
	ix := indexOf(t, shop...)
	text := map[string][]byte{}
	for _, f := range shop {
		text[f.Path] = f.Text
	}
	for question, want := range map[string]string{
		"where is the login handler":                  "src/auth/login.ts:4",
		"login handler":                               "src/auth/login.ts:4",
		"loginHandler":                                "src/auth/login.ts:4",
		"login_handler":                               "src/auth/login.ts:4",
		"src/auth/login.ts":                           "src/auth/login.ts:4",
		"which file revokes tokens":                   "src/auth/token.ts:5",
		"where are unpaid invoices found":             "src/billing/invoice.py:2",
		"where do we send reminders for invoices":     "src/billing/invoice.py:5",
		"tax rates":                                   "src/billing/rates.py:3",
		"where is the connection pool":                "src/db/pool.go:5",
		"users table":                                 "src/db/migrations/0003_users.sql:1",
		"rate limiting middleware":                    "src/http/middleware/ratelimit.go:4",
		"where are the routes":                        "src/http/router.go:3",
		"make target for a release":                   "Makefile:4",
		"server timeouts":                             "config/settings.toml:4",
		"how do I roll back":                          "docs/deploy.md:5",
		"logo":                                        "assets/logo.png:1",
		"test of the login handler":                   "test/login.test.ts:1",
		"how does authentication work":                "src/auth/README.md:1",
		"where is the README":                         "README.md:1",
		"where is the readme of auth":                 "src/auth/README.md:1",
		"where is go.mod":                             "go.mod:1",
		"kubernetes ingress controller annotations":   "",
		"invoice kubernetes ingress controller nginx": "",
	} {
		q := Ask(question)
		found, err := q.Search(8, ix, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, best := "", 0.0
		for _, f := range found {
			l := q.Best(f.Path, text[f.Path])
			if score := f.Rank * (0.4 + l.Score); score > best {
				got, best = fmt.Sprintf("%s:%d", f.Path, l.Number), score
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s; of %v", question, got, want, found)
		}
	}
}
