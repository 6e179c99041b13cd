package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// take reads what the key was given. A note says what is wrong with it; with ok
// the value can be used all the same.
func (k *Key) take(v gjson.Result) (got value, note string, ok bool) {
	switch k.Kind {
	case Bool:
		if v.IsBool() {
			return value{yes: v.Bool()}, "", true
		}
	case Whole, Number:
		x := v.Num
		if v.Type != gjson.Number || math.IsNaN(x) || math.IsInf(x, 0) || k.Kind == Whole &&
			x != math.Trunc(x) {
			break
		}
		near := min(max(x, k.Lo), k.Hi)
		switch {
		case near == x:
			return value{num: x}, "", true
		case !k.Foreign && !(k.Firm && x < k.Lo):
			return value{num: near}, fmt.Sprintf("%s is outside %s to %s and is taken as the nearer end",
				short(v), plain(k.Lo), plain(k.Hi)), true
		}
	case Word:
		if v.Type != gjson.String {
			break
		}
		for _, w := range k.Words {
			if strings.EqualFold(w, v.Str) {
				return value{text: w}, "", true
			}
		}
	case Text:
		if v.Type != gjson.String {
			break
		}
		text := strings.TrimSpace(v.Str)
		if len(text) <= int(k.Hi) {
			return value{text: text}, "", true
		}
		if r := []rune(text); len(r) > int(k.Hi) {
			return value{text: string(r[:int(k.Hi)])},
				fmt.Sprintf("is longer than %s characters and is cut there", plain(k.Hi)), true
		}
		return value{text: text}, "", true
	}
	return value{}, fmt.Sprintf("must be %s, got %s", k.Want(), short(v)), false
}

// json is a value as the key would have it in a file.
func (k *Key) json(v value) string {
	switch k.Kind {
	case Bool:
		return strconv.FormatBool(v.yes)
	case Whole, Number:
		return plain(v.num)
	}
	return string(gjson.AppendJSONString(nil, v.text))
}

// spoken reads a value as it is typed in a shell or an environment variable:
// JSON, or text without its quotes.
func (k *Key) spoken(text string) gjson.Result {
	text = strings.TrimSpace(text)
	switch k.Kind {
	case Word, Text:
		if !strings.HasPrefix(text, `"`) || !gjson.Valid(text) {
			text = string(gjson.AppendJSONString(nil, text))
		}
	case Bool:
		switch strings.ToLower(text) {
		case "1", "on", "yes", "true":
			text = "true"
		case "0", "off", "no", "false":
			text = "false"
		}
	}
	if !gjson.Valid(text) {
		text = string(gjson.AppendJSONString(nil, text))
	}
	return gjson.Parse(text)
}

func plain(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// short is a value as it stands in the file, for a warning.
func short(v gjson.Result) string {
	if r := []rune(v.Raw); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return v.Raw
}
