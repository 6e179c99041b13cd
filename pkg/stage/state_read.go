package stage

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// parseState reads a state file field by field: every hook and most verbs begin with
// one, and encoding/json takes 0.1 ms to learn the form of a State. A field that is
// missing or null keeps its zero, one that is unknown is passed over, and one with a
// value of another kind is an error.
func parseState(b []byte, path string) (st State, err error) {
	if !gjson.ValidBytes(b) {
		return State{}, fmt.Errorf("%s: not a state file: no JSON", path)
	}
	var r stateReader
	r.object(gjson.ParseBytes(b), func(name string, v gjson.Result) { r.state(&st, name, v) })
	if st.Version > StateVersion { // whatever else has another form there
		return State{}, fmt.Errorf("%s: version %d: %w", path, st.Version, ErrNewer)
	}
	if r.err != nil {
		return State{}, fmt.Errorf("%s: not a state file: %w", path, r.err)
	}
	return st, nil
}

func (r *stateReader) state(st *State, name string, v gjson.Result) {
	switch name {
	case "version":
		st.Version = r.count(v)
	case "session":
		st.Session = r.text(v)
	case "root":
		st.Root = r.text(v)
	case "home":
		st.Home = r.text(v)
	case "transcript":
		st.Transcript = r.text(v)
	case "stage":
		st.Stage = r.text(v)
	case "client":
		r.object(v, func(name string, v gjson.Result) {
			switch name {
			case "pid":
				st.Client.PID = r.count(v)
			case "start":
				st.Client.Start = r.text(v)
			}
		})
	case "started":
		st.Started = r.time(v)
	case "seen":
		st.Seen = r.time(v)
	case "fresh":
		st.Fresh = r.yes(v)
	case "mark":
		st.Mark = r.mark(v)
	case "journal":
		st.Journal = r.place(v)
	case "first":
		st.First = r.place(v)
	case "noted":
		st.Noted = r.number(v)
	case "shown":
		st.Shown = r.texts(v)
	case "compaction":
		st.Compaction = r.time(v)
	case "saves":
		st.Saves = r.count(v)
	case "due":
		st.Due = r.yes(v)
	case "over":
		st.Over = r.yes(v)
	case "again":
		r.list(v, func(v gjson.Result) { st.Again = append(st.Again, r.count(v)) })
	case "form":
		st.Form = r.yes(v)
	case "pressure":
		r.object(v, func(name string, v gjson.Result) {
			switch name {
			case "model":
				st.Pressure.Model = r.text(v)
			case "window":
				st.Pressure.Window = r.number(v)
			case "used":
				st.Pressure.Used = r.number(v)
			case "said":
				st.Pressure.Said = r.count(v)
			}
		})
	case "saving":
		st.Saving = r.yes(v)
	case "awaits":
		st.Awaits = r.yes(v)
	case "applied":
		st.Applied = r.yes(v)
	case "saved":
		st.Saved = r.texts(v)
	case "claimed":
		st.Claimed = r.texts(v)
	case "digests":
		st.Digests = r.texts(v)
	case "drafters":
		r.list(v, func(v gjson.Result) {
			var d Drafter
			r.object(v, func(name string, v gjson.Result) {
				switch name {
				case "agent":
					d.Agent = r.text(v)
				case "category":
					d.Category = memory.Category(r.text(v))
				}
			})
			st.Drafters = append(st.Drafters, d)
		})
	case "activity":
		r.object(v, func(name string, v gjson.Result) {
			switch name {
			case "from":
				st.Activity.From = r.number(v)
			case "tools":
				st.Activity.Tools = r.count(v)
			case "names":
				st.Activity.Names = r.texts(v)
			case "exchanges":
				st.Activity.Exchanges = r.count(v)
			case "turns":
				st.Activity.Turns = r.count(v)
			}
		})
	case "result":
		if v.Type == gjson.Null {
			return
		}
		st.Result = new(Result)
		r.object(v, func(name string, v gjson.Result) {
			switch name {
			case "at":
				st.Result.At = r.time(v)
			case "line":
				st.Result.Line = r.text(v)
			case "told":
				st.Result.Told = r.yes(v)
			}
		})
	case "told":
		st.Told = r.time(v)
	case "spoke":
		st.Spoke = r.time(v)
	case "waits":
		st.Waits = r.count(v)
	case "keeper":
		r.object(v, func(name string, v gjson.Result) {
			switch name {
			case "named":
				st.Keeper.Named = r.count(v)
			case "unread":
				st.Keeper.Unread = r.count(v)
			case "taken":
				st.Keeper.Taken = r.count(v)
			case "refused":
				st.Keeper.Refused = r.count(v)
			}
		})
	case "notes":
		r.list(v, func(v gjson.Result) {
			var n Noted
			r.object(v, func(name string, v gjson.Result) {
				switch name {
				case "by":
					n.By = r.text(v)
				case "paths":
					n.Paths = r.texts(v)
				}
			})
			st.Notes = append(st.Notes, n)
		})
	case "looked":
		st.Looked = r.time(v)
	}
}

func (r *stateReader) mark(v gjson.Result) (m finding.Mark) {
	r.object(v, func(name string, v gjson.Result) {
		switch name {
		case "device":
			m.Device = r.id(v)
		case "inode":
			m.Inode = r.id(v)
		case "offset":
			m.Offset = r.number(v)
		case "tail":
			m.Tail = r.text(v)
		case "uuid":
			m.UUID = r.text(v)
		case "said":
			m.Said = r.text(v)
		}
	})
	return m
}

// A stateReader reads values and remembers the first that is of another kind than it
// should be. Null is nothing, as encoding/json has it.
type stateReader struct{ err error }

func (r *stateReader) is(ok bool, v gjson.Result, want string) bool {
	if v.Type == gjson.Null {
		return false
	}
	if !ok && r.err == nil {
		r.err = errors.New(want + " was wanted, not " + text.CutBytes(v.Raw, 30))
	}
	return ok
}

func (r *stateReader) object(v gjson.Result, field func(name string, v gjson.Result)) {
	if r.is(v.IsObject(), v, "an object") {
		v.ForEach(func(name, v gjson.Result) bool {
			field(name.Str, v)
			return true
		})
	}
}

func (r *stateReader) list(v gjson.Result, item func(gjson.Result)) {
	if r.is(v.IsArray(), v, "a list") {
		v.ForEach(func(_, v gjson.Result) bool {
			item(v)
			return true
		})
	}
}

func (r *stateReader) texts(v gjson.Result) (all []string) {
	r.list(v, func(v gjson.Result) { all = append(all, r.text(v)) })
	return all
}

func (r *stateReader) text(v gjson.Result) string {
	r.is(v.Type == gjson.String, v, "a text")
	return strings.ToValidUTF8(v.Str, "\uFFFD")
}

func (r *stateReader) yes(v gjson.Result) bool {
	r.is(v.IsBool(), v, "true or false")
	return v.Type == gjson.True
}

func (r *stateReader) time(v gjson.Result) (t time.Time) {
	if r.is(v.Type == gjson.String, v, "a time") {
		err := t.UnmarshalText([]byte(v.Str))
		r.is(err == nil, v, "a time")
	}
	return t
}

func (r *stateReader) count(v gjson.Result) int { return int(r.number(v)) }

func (r *stateReader) number(v gjson.Result) int64 {
	n, err := strconv.ParseInt(v.Raw, 10, 64)
	r.is(err == nil, v, "a whole number")
	return n
}

func (r *stateReader) id(v gjson.Result) uint64 {
	n, err := strconv.ParseUint(v.Raw, 10, 64)
	r.is(err == nil, v, "a whole number")
	return n
}

func (r *stateReader) place(v gjson.Result) (p Place) {
	r.object(v, func(name string, v gjson.Result) {
		switch name {
		case "writing":
			p.Writing = r.text(v)
		case "offset":
			p.Offset = r.number(v)
		}
	})
	return p
}
