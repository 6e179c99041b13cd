package libexec

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
)

func TestWrongType(t *testing.T) {
	type inner struct {
		Lines []int `json:"lines"`
	}
	for in, want := range map[string]string{
		`{"text":5}`:             "text must be a text, not a number",
		`{"text":["a"]}`:         "text must be a text, not a list",
		`{"text":{}}`:            "text must be a text, not an object",
		`{"limit":"two"}`:        "limit must be a whole number, not a text",
		`{"limit":1.5}`:          "limit must be a whole number, not number 1.5",
		`{"limit":1e99}`:         "limit must be a whole number, not number 1e99",
		`{"share":true}`:         "share must be a number, not true or false",
		`{"open":"yes"}`:         "open must be true or false, not a text",
		`{"of":{"lines":7}}`:     "of.lines must be a list, not a number",
		`{"of":{"lines":["x"]}}`: "of.lines must be a whole number, not a text",
		`{"of":[]}`:              "of must be an object, not a list",
		`[]`:                     "all of it must be an object, not a list",
		`{"limit":3}`:            "",
		`{`:                      "",
	} {
		var into struct {
			Text  string  `json:"text"`
			Limit *int    `json:"limit"`
			Share float64 `json:"share"`
			Open  bool    `json:"open"`
			Of    inner   `json:"of"`
		}
		err := json.Unmarshal([]byte(in), &into)
		if err != nil {
			err = fmt.Errorf("read: %w", err)
		}
		if got := WrongType("all of it", err); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	for value, want := range map[string]string{`"5}"`: "a number", `"-1"`: "a number", `"[1,"`: "a list",
		`"{\"a\""`: "an object", `"\"x\""`: "a text", `"true"`: "true or false"} {
		err := &json.UnmarshalTypeError{Value: value, Type: reflect.TypeFor[*string](), Field: "name"}
		if got := WrongType("it", err); got != "name must be a text, not "+want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
	if got := WrongType("it", errors.New("another")); got != "" {
		t.Errorf("another error: %q", got)
	}
}
