package config

import (
	"fmt"
	"math"
	"strings"

	"github.com/tidwall/gjson"

	"keepsake/pkg/memory"
)

// Parse lays the project's settings over the person's over the defaults.
// Either may be empty. The warnings name file and key and are fit to be shown.
func Parse(user, project []byte) (Config, []string) {
	c := Default()
	var warnings []string
	for _, f := range []struct {
		name string
		text []byte
	}{{"config.json", user}, {"memory-config.json", project}} {
		r := reader{cfg: &c, file: f.name}
		r.read(f.text)
		warnings = append(warnings, r.warnings...)
	}
	return c, warnings
}

// Sizes beyond which a number is a slip of the pen.
const (
	maxInject = 20 // seed 3 clamps max_inject to 0..20
	maxSaves  = 100
	maxDays   = 36_500
	maxKept   = 100_000
)

// Keys of seed 3 that have no work to do here, and why.
func unused(key string) string {
	switch key {
	case "triage.max_messages":
		return "the transcript is read from where the last look ended, not by a number of messages"
	case "retrieval.match_strategy":
		return "there is one search"
	case "architecture":
		return "there is one flow"
	case "memory_root":
		return "memories live in .claude/memory of the project"
	}
	return "unknown key"
}

type reader struct {
	cfg      *Config
	file     string
	warnings []string
}

func (r *reader) warn(key, format string, args ...any) {
	r.warnings = append(r.warnings, fmt.Sprintf("%s: %s: %s", r.file, key, fmt.Sprintf(format, args...)))
}

func (r *reader) read(text []byte) {
	text = []byte(strings.TrimPrefix(string(text), "\ufeff"))
	if len(strings.TrimSpace(string(text))) == 0 {
		return
	}
	root := gjson.ParseBytes(text)
	if !gjson.ValidBytes(text) || !root.IsObject() {
		r.warnings = append(r.warnings, r.file+": not a JSON object, so none of its settings are used")
		return
	}
	r.object("", root, map[string]func(string, gjson.Result){
		"triage":     r.triage,
		"capture":    r.capture,
		"retrieval":  r.retrieval,
		"categories": r.categories,
		"delete": func(key string, v gjson.Result) {
			r.object(key, v, map[string]func(string, gjson.Result){
				"grace_period_days": r.int(&r.cfg.Delete.GraceDays, 0, maxDays),
				"archive_retired":   r.bool(&r.cfg.Delete.Archive),
			})
		},
		"max_memories_per_category": r.int(&r.cfg.MaxPerCategory, 0, maxKept),
		"$schema":                   func(string, gjson.Result) {},
	})
}

// object hands each member to its reader and warns of members that have none.
func (r *reader) object(key string, v gjson.Result, members map[string]func(string, gjson.Result)) {
	if !v.IsObject() {
		r.warn(key, "must be an object")
		return
	}
	v.ForEach(func(k, v gjson.Result) bool {
		name := k.Str
		if key != "" {
			name = key + "." + k.Str
		}
		if read := members[k.Str]; read != nil {
			read(name, v)
		} else {
			r.warn(name, "ignored: %s", unused(name))
		}
		return true
	})
}

func (r *reader) triage(key string, v gjson.Result) {
	t := &r.cfg.Triage
	r.object(key, v, map[string]func(string, gjson.Result){
		"enabled": r.bool(&t.Enabled),
		"thresholds": func(key string, v gjson.Result) {
			r.perCategory(key, v, func(key string, c memory.Category, v gjson.Result) {
				x := v.Num
				if v.Type != gjson.Number || math.IsNaN(x) || math.IsInf(x, 0) {
					r.warn(key, "must be a number from 0 to 1, got %s", short(v))
					return
				}
				if x < 0 || x > 1 {
					r.warn(key, "%v is outside 0 to 1 and is taken as the nearer end", x)
				}
				t.Thresholds[c] = min(max(x, 0), 1)
			})
		},
		"parallel": func(key string, v gjson.Result) {
			r.object(key, v, map[string]func(string, gjson.Result){
				"enabled":              r.bool(&t.Parallel.Enabled),
				"verification_enabled": r.bool(&t.Parallel.Verify),
				"verification_model":   r.model(func(m string) { t.Parallel.VerificationModel = m }),
				"default_model":        r.model(func(m string) { t.Parallel.DefaultModel = m }),
				"category_models": func(key string, v gjson.Result) {
					r.perCategory(key, v, func(key string, c memory.Category, v gjson.Result) {
						r.model(func(m string) { t.Parallel.Models[c] = m })(key, v)
					})
				},
			})
		},
	})
}

func (r *reader) capture(key string, v gjson.Result) {
	r.object(key, v, map[string]func(string, gjson.Result){
		"on_stop": func(key string, v gjson.Result) {
			switch s := OnStop(strings.ToLower(v.Str)); s {
			case Save, Stage, Off:
				r.cfg.Capture.OnStop = s
			default:
				r.warn(key, "must be save, stage or off, got %s", short(v))
			}
		},
		"max_saves_per_session": r.int(&r.cfg.Capture.MaxSaves, 0, maxSaves),
	})
}

func (r *reader) retrieval(key string, v gjson.Result) {
	r.object(key, v, map[string]func(string, gjson.Result){
		"enabled":    r.bool(&r.cfg.Retrieval.Enabled),
		"max_inject": r.int(&r.cfg.Retrieval.MaxInject, 0, maxInject),
	})
}

func (r *reader) categories(key string, v gjson.Result) {
	r.perCategory(key, v, func(key string, c memory.Category, v gjson.Result) {
		s := r.cfg.Categories[c]
		members := map[string]func(string, gjson.Result){
			"enabled":        r.bool(&s.Enabled),
			"auto_capture":   r.bool(&s.AutoCapture),
			"retention_days": r.int(&s.RetentionDays, 0, maxDays),
			"description": func(key string, v gjson.Result) {
				if v.Type != gjson.String {
					r.warn(key, "must be text, got %s", short(v))
					return
				}
				runes := []rune(strings.TrimSpace(v.Str))
				if len(runes) > MaxDescription {
					r.warn(key, "is longer than %d characters and is cut there", MaxDescription)
					runes = runes[:MaxDescription]
				}
				s.Description = string(runes)
			},
		}
		if c == memory.SessionSummary {
			members["max_retained"] = r.int(&s.MaxRetained, 1, maxKept)
		}
		r.object(key, v, members)
		r.cfg.Categories[c] = s
	})
}

func (r *reader) perCategory(key string, v gjson.Result, each func(string, memory.Category, gjson.Result)) {
	if !v.IsObject() {
		r.warn(key, "must be an object with a member per category")
		return
	}
	v.ForEach(func(k, v gjson.Result) bool {
		name := key + "." + k.Str
		c, err := memory.ParseCategory(k.Str)
		if err != nil {
			r.warn(name, "ignored: no such category")
			return true
		}
		each(name, c, v)
		return true
	})
}

func (r *reader) bool(p *bool) func(string, gjson.Result) {
	return func(key string, v gjson.Result) {
		if !v.IsBool() {
			r.warn(key, "must be true or false, got %s", short(v))
			return
		}
		*p = v.Bool()
	}
}

func (r *reader) int(p *int, lo, hi int) func(string, gjson.Result) {
	return func(key string, v gjson.Result) {
		if v.Type != gjson.Number || v.Num != math.Trunc(v.Num) || math.IsInf(v.Num, 0) {
			r.warn(key, "must be a whole number from %d to %d, got %s", lo, hi, short(v))
			return
		}
		if v.Num < float64(lo) || v.Num > float64(hi) {
			r.warn(key, "%s is outside %d to %d and is taken as the nearer end", short(v), lo, hi)
		}
		*p = int(min(max(v.Num, float64(lo)), float64(hi)))
	}
}

func (r *reader) model(set func(string)) func(string, gjson.Result) {
	return func(key string, v gjson.Result) {
		switch m := strings.ToLower(v.Str); m {
		case "haiku", "sonnet", "opus":
			set(m)
		default:
			r.warn(key, "must be haiku, sonnet or opus, got %s", short(v))
		}
	}
}

// short is a value as it stands in the file, for a warning.
func short(v gjson.Result) string {
	if r := []rune(v.Raw); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return v.Raw
}
