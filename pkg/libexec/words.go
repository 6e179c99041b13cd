package libexec

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
)

// WrongType returns in words that a value of some JSON has another type than its reader wants, such as "limit
// must be a whole number, not a text", and "" if that is not what an error says. whole names the JSON itself.
func WrongType(whole string, err error) string {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return ""
	}
	name := wrong.Field
	if name == "" {
		name = whole
	}
	return name + " must be " + wanted(wrong.Type) + ", not " + found(wrong.Value)
}

// wanted returns in words which JSON is decoded into a type.
func wanted(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch k := t.Kind(); {
	case k == reflect.String:
		return "a text"
	case k == reflect.Bool:
		return "true or false"
	case k >= reflect.Int && k <= reflect.Uintptr:
		return "a whole number"
	case k == reflect.Float32 || k == reflect.Float64:
		return "a number"
	case k == reflect.Slice || k == reflect.Array:
		return "a list"
	}
	return "an object"
}

// found returns in words which value a decoder found. The MCP SDK's names some by their kind, and quotes the
// beginning of others.
func found(value string) string {
	if raw, err := strconv.Unquote(value); err == nil && raw != "" {
		switch c := raw[0]; {
		case c == '{':
			value = "object"
		case c == '[':
			value = "array"
		case c == '"':
			value = "string"
		case c == 't' || c == 'f':
			value = "bool"
		default:
			value = "number"
		}
	}
	switch value {
	case "string":
		return "a text"
	case "number":
		return "a number"
	case "bool":
		return "true or false"
	case "array":
		return "a list"
	case "object":
		return "an object"
	}
	return value // such as "number 1.5"
}
