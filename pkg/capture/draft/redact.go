package draft

import (
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// cleanJSON removes secrets and invisible characters from decoded JSON. It must come first: a text that is
// cut,
// lower-cased or split may no longer show its secret, and neither may a value taken from its key.
func cleanJSON(v any) any {
	switch v := v.(type) {
	case string:
		return secret.Redact(text.Clean(v))
	case []any:
		for i, e := range v {
			v[i] = cleanJSON(e)
		}
	case map[string]any:
		for _, k := range sortedKeys(v) {
			e := cleanJSON(v[k])
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
