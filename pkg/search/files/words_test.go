package files

import (
	"slices"
	"strings"
	"testing"
)

func TestTerms(t *testing.T) {
	for text, want := range map[string]string{
		"Where is the login handler?": "wher is the login handl",
		"handles handled handling":    "handl handl handl",
		"store stored stores":         "stor stor stor",
		"validation validate":         "validat validat",
		"loginHandler":                "login handl loginhandler",
		"login_handler.go":            "login handl loginhandler go",
		"parseHTTPRequest":            "pars http request parsehttprequest",
		"sha256 utf-8 v2":             "sha256 utf utf8 v2",
		"a 42 x":                      "",
		"running queries boxes":       "run query box",
		"Überprüfung":                 "überprüfung",
		"検索 x 機能表":                    "検索 機能 能表",
		strings.Repeat("ab", 40):      "",
		"status class":                "status class",
		"--- _ - a-":                  "",
	} {
		var got []string
		eachTerm([]byte(text), func(w []byte) { got = append(got, string(w)) })
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, strings.Join(got, " "), want)
		}
	}
}

func TestLines(t *testing.T) {
	type row struct {
		path, line string
		kind       part
		name       string
	}
	for _, c := range []row{
		{"a.md", "# C#", heading, ""},
		{"a.md", "##\tLogin", heading, ""},
		{"a.md", "#login", plain, ""},
		{"a.md", "# ##", plain, ""},
		{"a.md", "#######  Login", plain, ""},
		{"a.adoc", "== Login", heading, ""},
		{"a.go", "func Login(w http.ResponseWriter) {", defines, "Login"},
		{"a.go", "func (s *Server) Login() error {", defines, "Login"},
		{"a.go", "type Handler struct {", defines, "Handler"},
		{"a.go", "\tx := login(y)", plain, ""},
		{"a.go", "\tif login(y) {", plain, ""},
		{"a.go", "\t} else if login(y) {", plain, ""},
		{"a.go", "const maxTries = 3", defines, "maxTries"},
		{"a.go", "\tconst maxTries = 3", plain, ""},
		{"a.py", "class LoginHandler(Base):", defines, "LoginHandler"},
		{"a.py", "    async def login(self):", defines, "login"},
		{"a.ts", "export default async function login() {", defines, "login"},
		{"a.ts", "export const login = async () => {", defines, "login"},
		{"a.ts", "  login(user) {", defines, "login"},
		{"a.ts", "  private readonly x = 3;", plain, ""},
		{"A.java", "    public static void login(User u) {", defines, "login"},
		{"a.c", "int login(void)", defines, "login"},
		{"a.c", "static int login(struct user *u) {", defines, "login"},
		{"a.c", "\tlogin(u);", plain, ""},
		{"a.c", "#define LOGIN_MAX 3", defines, "LOGIN_MAX"},
		{"a.rs", "pub(crate) fn login() -> bool {", defines, "login"},
		{"a.rs", "impl Handler for Login {", defines, "Handler"},
		{"a.sh", "login() {", defines, "login"},
		{"a.rb", "  def login", defines, "login"},
		{"a.sql", "CREATE TABLE users (", defines, "users"},
		{"a.proto", "message LoginRequest {", defines, "LoginRequest"},
		{"Makefile", "login: build ## log in", defines, "login"},
		{"a.toml", "[server.login]", defines, "server.login"},
		{"a.md", "## Login", heading, ""},
		{"a.md", "* a point", plain, ""},
		{"a.md", "#hashtag", plain, ""},
		{"a.go", "// Package login lets people in.", heading, ""},
		{"a.go", "@Override", plain, ""},
	} {
		kind, name := newReader(c.path).line([]byte(c.line))
		if kind != c.kind || string(name) != c.name {
			t.Errorf("%s: %q: %d %q, want %d %q", c.path, c.line, kind, name, c.kind, c.name)
		}
	}
	r := newReader("a.go")
	r.line([]byte("package a"))
	if kind, _ := r.line([]byte("// later")); kind != comment {
		t.Errorf("a comment below code is %d", kind)
	}
	r = newReader("a.md")
	r.line([]byte("```sh"))
	if kind, _ := r.line([]byte("# not a heading")); kind != plain {
		t.Errorf("a comment in a block of code is %d", kind)
	}
	r = newReader("a.md")
	for _, line := range []string{"~~~sh", "# no heading", "```", "~~~", "```sh``` is code in a line"} {
		if kind, _ := r.line([]byte(line)); kind != plain {
			t.Errorf("%s is %d", line, kind)
		}
	}
	if kind, _ := r.line([]byte("# Heading")); kind != heading {
		t.Errorf("a heading behind code is %d", kind)
	}
}

func TestAsk(t *testing.T) {
	for question, want := range map[string]string{
		"where is the login handler":     "login handl loginhandler",
		"Which file defines LoginForm?":  "fil defin login form loginform",
		"":                               "",
		"?!":                             "",
		"where is find":                  "wher is find",
		"src/auth/login.ts":              "src auth login ts srcauth authlogin logints",
		strings.Repeat("one two ", 1000): "one two onetwo",
	} {
		var got []string
		for _, g := range Ask(question).groups {
			got = append(got, g.forms[0].term)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%.40q: %q, want %q", question, strings.Join(got, " "), want)
		}
	}
	if q := Ask(strings.Join(slices.Collect(strings.SplitSeq("abcdefghijklmnopqrstuvwxyz", "")),
		"zz ")); len(q.groups) > maxGroups {
		t.Errorf("%d groups", len(q.groups))
	}
}

func TestLadder(t *testing.T) {
	for question, want := range map[string]string{
		"where is the login handler":            "login handler|handler",
		"which file defines the login_handler?": "file defines login_handler|login_handler",
		"find src/auth/login.ts":                "src auth login.ts|login.ts",
		`locate "login -handler: OR #x\y`:       "login handler x y|handler",
		"Postgres":                              "Postgres",
		"where is the":                          "where is the",
		"wo ist die Prüfung":                    "wo ist die Prüfung|Prüfung",
		"... - /":                               "",
		"":                                      "",
	} {
		if got := strings.Join(Ladder(question), "|"); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}
