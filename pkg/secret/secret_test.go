package secret

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The secrets below are made up in the shapes their issuers publish; they are
// put together at run time so that no scanner takes this file for a leak.
func TestRedact(t *testing.T) {
	x := func(n int) string { return strings.Repeat("aB3d", n/4+1)[:n] }
	up := func(n int) string { return strings.Repeat("AB3D", n/4+1)[:n] }
	pem := "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIE\nabc\n-----END RSA " + "PRIVATE KEY-----"
	jwt := "eyJ" + x(20) + "." + x(30) + "." + x(40)
	for name, c := range map[string]struct{ in, want string }{
		"aws id":      {"use AKIA" + up(16) + " now", "use [redacted] now"},
		"aws secret":  {"aws_secret_access_key = " + x(40), "aws_secret_access_key = [redacted]"},
		"github":      {"ghp_" + x(36), "[redacted]"},
		"github fine": {"(github_pat_" + x(40) + ")", "([redacted])"},
		"gitlab":      {"glpat-" + x(20) + ".", "[redacted]."},
		"slack":       {"xoxb-12345-" + x(20), "[redacted]"},
		"anthropic":   {"key sk-ant-api03-" + x(60), "key [redacted]"},
		"openai":      {"sk-proj-" + x(40), "[redacted]"},
		"google":      {"AIza" + x(35), "[redacted]"},
		"stripe":      {"sk_live_" + x(24), "[redacted]"},
		"npm":         {"npm_" + x(36), "[redacted]"},
		"jwt":         {"token " + jwt + "!", "token [redacted]!"},
		"bearer":      {"Authorization: Bearer " + x(24), "Authorization: Bearer [redacted]"},
		"basic": {`-H "Authorization: Basic ` + x(24) + `"`,
			`-H "Authorization: Basic [redacted]"`},
		"pem":            {"a\n" + pem + "\nb", "a\n[redacted]\nb"},
		"pem cut off":    {"a " + pem[:40], "a [redacted]"},
		"url":            {"postgres://app:s3cr3tpw@db:5432/x", "postgres://app:[redacted]@db:5432/x"},
		"assignment":     {`DB_PASSWORD="hunter2hunter2"`, `DB_PASSWORD="[redacted]"`},
		"json":           {`{"api_key": "` + x(20) + `"}`, `{"api_key": "[redacted]"}`},
		"yaml":           {"client-secret: " + x(20), "client-secret: [redacted]"},
		"two":            {"ghp_" + x(36) + " and npm_" + x(36), "[redacted] and [redacted]"},
		"at the end":     {"pw: x, password: 12345678a", "pw: x, password: [redacted]"},
		"prose password": {"the password: required, see below", "the password: required, see below"},
		"password word": {"We store the password hashed with argon2.",
			"We store the password hashed with argon2."},
		"variable": {`password=$DB_PASSWORD_FILE`, `password=$DB_PASSWORD_FILE`},
		"env":      {"secret: process.env.SECRET_1", "secret: process.env.SECRET_1"},
		"public pem": {"-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
			"-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----"},
		"long bearer": {"Authorization: Bearer " + x(2700) + " end",
			"Authorization: Bearer [redacted] end"},
		"long jwt":      {"a eyJ" + x(3000) + "." + x(4000) + "." + x(400) + " b", "a [redacted] b"},
		"short basic":   {"Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted]"},
		"gitlab runner": {"glrt-" + x(20), "[redacted]"},
		"slack webhook": {"post to https://hooks.slack.com/services/T01/B02/" + x(24) + ".",
			"post to https://hooks.slack.com/services/[redacted]"},
		"quoted phrase":  {`password = "correct horse 7 battery"`, `password = "[redacted]"`},
		"curl user":      {"curl -u admin:hunter2 https://x", "curl -u admin:[redacted] https://x"},
		"curl user name": {"curl -u admin https://x", "curl -u admin https://x"},
		"sort -u":        {"sort -u file:1", "sort -u file:1"},
		"api token":      {"API_TOKEN=9f86d081884c7d659a2f", "API_TOKEN=[redacted]"},
		"token header":   {"Authorization: token 9f86d081884c7d659a2f", "Authorization: token [redacted]"},
		"cookie":         {"Cookie: session=9f86d081884c7d; theme=dark", "Cookie: [redacted]"},
		"escaped json":   {`{\"password\": \"hunter2hunter2\"}`, `{\"password\": \"[redacted]\"}`},
		"prose token": {"The token is checked first: expired ones are refused.",
			"The token is checked first: expired ones are refused."},
		"token count":   {"tokens: 150000", "tokens: 150000"},
		"cookie words":  {"the cookie: same-site by default", "the cookie: same-site by default"},
		"password type": {`"password": { "type": "string" }`, `"password": { "type": "string" }`},
		"short sk":      {"the sk-learn package", "the sk-learn package"},
		"hash": {"commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
			"commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"},
		"uuid": {"id 123e4567-e89b-12d3-a456-426614174000",
			"id 123e4567-e89b-12d3-a456-426614174000"},
		"url without":     {"see https://example.com:8080/a@b", "see https://example.com:8080/a@b"},
		"bearer of news":  {"the bearer of bad news", "the bearer of bad news"},
		"basic knowledge": {"basic understanding-of-things", "basic understanding-of-things"},
		"unicode":         {"Schlüssel — ghp_" + x(36) + " — Ende", "Schlüssel — [redacted] — Ende"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Redact(c.in); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("token ghp_" + strings.Repeat("a1", 20))
	f.Add("://:@ password: eyJ eyJ. -----BEGIN PRIVATE KEY-----")
	f.Fuzz(func(t *testing.T, s string) {
		once := Redact(s)
		if strings.Count(once, Redacted) < strings.Count(s, Redacted) && !strings.Contains(s, Redacted) {
			t.Fatal("lost a mark")
		}
		if !strings.Contains(once, Redacted) && once != s {
			t.Fatalf("changed without saying so: %q to %q", s, once)
		}
	})
}

// Texts made of many beginnings of secrets must not be scanned again and again: one takes 20 ms, and
// minutes where each beginning is read to the end.
func TestRedactDoesNotRunAway(t *testing.T) {
	const size, most = 256 << 10, 30 * time.Second
	for _, unit := range beginnings {
		t.Run(unit, func(t *testing.T) {
			t.Parallel()
			begun := time.Now()
			Redact(strings.Repeat(unit, size/len(unit)))
			if took := time.Since(begun); took > most {
				t.Errorf("took %s", took)
			}
		})
	}
}

var beginnings = []string{"eyJ-", "eyJaaaa.", "eyJ ", "sk-", "://a:", "-----BEGIN ", "password=",
	"authorization bearer ", "AKIA ", "a_b-", "password=$", "secret-", "password=os.",
	"cookie: a=1234567890123456;", "-u a:", "token=\"", "hooks.slack.com/services/", "key=", "--a", "a-",
	"password is ", "mysql -p", "machine a login ", "PuTTY-User-Key-File-", "-----BEGIN PRIVATE KEY-----",
	"s.a", "token=a(", "12345:A", "MTIzNDU2Nzg5MDEyMzQ1Njc4.", "----", "\\n", "name: value: ", "auth=/",
	"npm_", "&sig=", "htpasswd -b ", "htpasswd -b a b", "net use \\\\a ", "send \"", "password send \"a",
	"log in with ", "log in with a / ", "a1 as the password ", "as password ", "passphrase is ",
	"passphrase: a b ", "passphrase is ab ", "zip -P$", "zip -a ", "7z -p", "lftp -u a", "rpcclient -U a",
	"wget --password=", "-passin pass:",
	"password (", "password, a", "password of a.b ", "password's ", "| password | ", "password\n",
	"echo a | ", "vault login ", "gh secret set a --body", "rabbitmqctl add_user a ", "IDENTIFIED BY ",
	"passwords: admin ", "the password is word", "A_PASSWORD=word ", "PIN is 1", "_authToken ",
	"recovery code is ", "password for a: ", "password=abcdefghIj ", "https://a:"}

// BenchmarkRedact measures 1 MB of each.
func BenchmarkRedact(b *testing.B) {
	for _, unit := range beginnings {
		text := strings.Repeat(unit, 1<<20/len(unit))
		b.Run(unit, func(b *testing.B) {
			for b.Loop() {
				Redact(text)
			}
		})
	}
}

func TestKinds(t *testing.T) {
	x := strings.Repeat("aB3d", 20)
	for in, want := range map[string][]string{
		"nothing here": nil,
		"AKIA" + "ABCDEFGHIJKLMNOP and ghp_" + x + ", ghp_" + x: {"AWS key", "GitHub token"},
		"postgres://app:s3cr3tpw@db/x":                          {"password in a URL"},
		"API_KEY=" + x:                                          {"API key"},
		"Authorization: Bearer " + x:                            {"bearer token"},
		"eyJ" + x + "." + x + "." + x:                           {"JSON web token"},
		"-----BEGIN OPENSSH " + "PRIVATE KEY-----\nabc":         {"private key"},
	} {
		if got := Kinds(in); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// BenchmarkProse measures the usual text: 100 KB of documentation without a secret.
func BenchmarkProse(b *testing.B) {
	text := prose(b)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Redact(text)
	}
}

// prose returns 100 KB of the project's own documentation.
func prose(t testing.TB) string {
	var text strings.Builder
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("no documentation", err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(b)
	}
	return text.String()[:min(text.Len(), 100<<10)]
}
