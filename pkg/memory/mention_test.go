package memory

import "testing"

func TestWithoutMention(t *testing.T) {
	const name = "decisions/use-redis.json"
	for text, want := range map[string]string{
		"":                                  "",
		name:                                "",
		".claude/memory/" + name:            "",
		"takes the place of " + name + ".":  "takes the place of [forgotten].",
		"use-redis, use-redis":              "[forgotten], [forgotten]",
		"use-redis-2 and re-use-redis":      "use-redis-2 and re-use-redis",
		"use-redisé":                        "use-redisé",
		"Use Redis":                         "Use Redis",
		"see use-redis.json":                "see [forgotten]",
		"decisions/use-redis.json.invalid.": "[forgotten].invalid.",
	} {
		if got := WithoutMention(text, name); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := WithoutMention("redis is fast, redis.json", "decisions/redis.json"); got !=
		"redis is fast, [forgotten]" {
		t.Errorf("%q", got)
	}
}

func TestRewriteJSON(t *testing.T) {
	clean := func(s string) string { return WithoutMention(s, "decisions/use-redis.json") }
	for text, want := range map[string]string{
		`{"b": 1.50, "a": "x"}`: `{"b": 1.50, "a": "x"}`,
		`{"b": 12345678901234567890, "a": "use-redis <"}`: `{"a":"[forgotten] <","b":12345678901234567890}` +
			"\n",
		"{\n  \"a\": [\"x use-redis\"]\n}\n":         `{"a":["x [forgotten]"]}` + "\n",
		"{\"a\":1}\nno use-redis\n[\"use-redis\"]\n": "{\"a\":1}\nno [forgotten]\n[\"[forgotten]\"]\n",
		"": "",
	} {
		if got := string(RewriteJSON([]byte(text), clean)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
