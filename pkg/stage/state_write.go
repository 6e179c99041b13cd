package stage

import (
	"strconv"
	"time"

	"github.com/tidwall/gjson"
)

// printState is the state file of a State, as parseState reads it: one JSON object, a
// line for each field. What is zero is left out.
func printState(st State) []byte {
	var w stateWriter
	w.b = append(w.b, '{')
	w.depth = 1
	w.number("version", int64(st.Version))
	w.text("session", st.Session)
	w.text("root", st.Root)
	w.text("home", st.Home)
	w.text("transcript", st.Transcript)
	w.text("stage", st.Stage)
	w.object("client", func() {
		w.number("pid", int64(st.Client.PID))
		w.text("start", st.Client.Start)
	})
	w.time("started", st.Started)
	w.time("seen", st.Seen)
	w.yes("fresh", st.Fresh)
	w.object("mark", func() {
		w.id("device", st.Mark.Device)
		w.id("inode", st.Mark.Inode)
		w.number("offset", st.Mark.Offset)
		w.text("tail", st.Mark.Tail)
		w.text("uuid", st.Mark.UUID)
		w.text("said", st.Mark.Said)
	})
	place := func(name string, p Place) {
		w.object(name, func() {
			w.text("writing", p.Writing)
			w.number("offset", p.Offset)
		})
	}
	place("journal", st.Journal)
	place("first", st.First)
	w.number("noted", st.Noted)
	w.texts("shown", st.Shown)
	w.time("compaction", st.Compaction)
	w.number("saves", int64(st.Saves))
	w.yes("due", st.Due)
	w.yes("over", st.Over)
	w.numbers("again", st.Again)
	w.yes("form", st.Form)
	w.object("pressure", func() {
		w.text("model", st.Pressure.Model)
		w.number("window", st.Pressure.Window)
		w.number("used", st.Pressure.Used)
		w.number("said", int64(st.Pressure.Said))
	})
	w.yes("saving", st.Saving)
	w.yes("awaits", st.Awaits)
	w.yes("applied", st.Applied)
	w.texts("saved", st.Saved)
	w.texts("claimed", st.Claimed)
	w.texts("digests", st.Digests)
	w.objects("drafters", len(st.Drafters), func(i int) {
		w.text("agent", st.Drafters[i].Agent)
		w.text("category", string(st.Drafters[i].Category))
	})
	w.object("activity", func() {
		w.number("from", st.Activity.From)
		w.number("tools", int64(st.Activity.Tools))
		w.texts("names", st.Activity.Names)
		w.number("exchanges", int64(st.Activity.Exchanges))
		w.number("turns", int64(st.Activity.Turns))
	})
	if r := st.Result; r != nil {
		w.object("result", func() {
			w.time("at", r.At)
			w.text("line", r.Line)
			w.yes("told", r.Told)
		})
	}
	w.time("told", st.Told)
	w.time("spoke", st.Spoke)
	w.number("waits", int64(st.Waits))
	w.object("keeper", func() {
		w.number("named", int64(st.Keeper.Named))
		w.number("unread", int64(st.Keeper.Unread))
		w.number("taken", int64(st.Keeper.Taken))
		w.number("refused", int64(st.Keeper.Refused))
	})
	w.objects("notes", len(st.Notes), func(i int) {
		w.text("by", st.Notes[i].By)
		w.texts("paths", st.Notes[i].Paths)
	})
	w.time("looked", st.Looked)
	return append(w.b, "\n}\n"...)
}

// A stateWriter appends fields to an object.
type stateWriter struct {
	b     []byte
	depth int // of the object, from 1
}

// name begins a field.
func (w *stateWriter) name(name string) {
	first := w.b[len(w.b)-1] == '{'
	switch {
	case w.depth == 1 && first:
		w.b = append(w.b, "\n\t"...)
	case w.depth == 1:
		w.b = append(w.b, ",\n\t"...)
	case !first:
		w.b = append(w.b, ", "...)
	}
	w.b = append(append(append(w.b, '"'), name...), `": `...)
}

// object is left out when nothing was appended to it.
func (w *stateWriter) object(name string, fields func()) {
	before := len(w.b)
	w.name(name)
	w.b = append(w.b, '{')
	begun := len(w.b)
	w.depth++
	fields()
	w.depth--
	if len(w.b) == begun {
		w.b = w.b[:before]
		return
	}
	w.b = append(w.b, '}')
}

// list is left out when it is empty. item appends one of n.
func (w *stateWriter) list(name string, n int, item func(i int)) {
	if n == 0 {
		return
	}
	w.name(name)
	w.b = append(w.b, '[')
	for i := range n {
		if i > 0 {
			w.b = append(w.b, ", "...)
		}
		item(i)
	}
	w.b = append(w.b, ']')
}

// objects is a list of objects.
func (w *stateWriter) objects(name string, n int, fields func(i int)) {
	w.list(name, n, func(i int) {
		w.b = append(w.b, '{')
		w.depth++
		fields(i)
		w.depth--
		w.b = append(w.b, '}')
	})
}

func (w *stateWriter) texts(name string, all []string) {
	w.list(name, len(all), func(i int) { w.b = gjson.AppendJSONString(w.b, all[i]) })
}

func (w *stateWriter) numbers(name string, all []int) {
	w.list(name, len(all), func(i int) { w.b = strconv.AppendInt(w.b, int64(all[i]), 10) })
}

func (w *stateWriter) text(name, v string) {
	if v != "" {
		w.name(name)
		w.b = gjson.AppendJSONString(w.b, v)
	}
}

func (w *stateWriter) yes(name string, v bool) {
	if v {
		w.name(name)
		w.b = append(w.b, "true"...)
	}
}

func (w *stateWriter) time(name string, v time.Time) {
	if !v.IsZero() {
		w.name(name)
		w.b = append(v.AppendFormat(append(w.b, '"'), time.RFC3339Nano), '"')
	}
}

func (w *stateWriter) number(name string, v int64) {
	if v != 0 {
		w.name(name)
		w.b = strconv.AppendInt(w.b, v, 10)
	}
}

func (w *stateWriter) id(name string, v uint64) {
	if v != 0 {
		w.name(name)
		w.b = strconv.AppendUint(w.b, v, 10)
	}
}
