package stage

import (
	"reflect"
	"testing"
)

func BenchmarkParseState(b *testing.B) {
	file := printState(benchState(b))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseState(file, "s1.json"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPrintState(b *testing.B) {
	st := benchState(b)
	b.ReportAllocs()
	for b.Loop() {
		printState(st)
	}
}

// benchState is a state with every field.
func benchState(b *testing.B) (st State) {
	var n int64
	fill(b, reflect.ValueOf(&st).Elem(), &n)
	st.Version = StateVersion
	for range 40 {
		st.Shown = append(st.Shown, "decisions/2026-11-22-use-postgres.json")
	}
	return st
}
