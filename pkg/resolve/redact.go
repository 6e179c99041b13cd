package resolve

import (
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// clean takes secrets, and what nobody can see, out of decoded JSON. It comes
// before anything is read of it: a text that is cut, lower-cased or split would
// no longer show its secret, nor would a value whose key says that it is one.
func clean(v any) any {
	switch v := v.(type) {
	case string:
		return secret.Redact(text.Clean(v))
	case []any:
		for i, e := range v {
			v[i] = clean(e)
		}
	case map[string]any:
		for _, k := range sortedKeys(v) {
			e := clean(v[k])
			if s, ok := e.(string); ok {
				if secret.Names(k, s) {
					e = secret.Redacted
				}
			}
			delete(v, k)
			v[secret.Redact(text.Clean(k))] = e
		}
		topic, _ := v["topic"].(string)
		if value, ok := v["value"].(string); ok && secret.Names(topic, value) { // a preference
			v["value"] = secret.Redacted
		}
	}
	return v
}
