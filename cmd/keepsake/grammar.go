package main

import (
	"cmp"
	"reflect"
	"strings"
)

// A grammar is what kong reads a command line by: a pointer to a struct that is
// cli, or as much of it as a call needs. Kong takes a millisecond and a half to
// make sense of all verbs, more than most of them take to do their work.
type grammar struct{ v any }

// grammarOf is the grammar for these arguments: that of one verb where they begin
// with its name, else that of all.
func grammarOf(args []string) grammar {
	all := reflect.TypeFor[cli]()
	var fields []reflect.StructField
	found := false
	for i := range all.NumField() {
		f := all.Field(i)
		if _, verb := f.Tag.Lookup("cmd"); verb {
			if len(args) == 0 || cmp.Or(f.Tag.Get("name"), strings.ToLower(f.Name)) != args[0] {
				continue
			}
			found = true
		}
		fields = append(fields, f)
	}
	if !found {
		return grammar{new(cli)}
	}
	return grammar{reflect.New(reflect.StructOf(fields)).Interface()}
}

// flag is the value of one of the flags that all verbs have.
func (g grammar) flag(name string) string {
	return reflect.ValueOf(g.v).Elem().FieldByName(name).String()
}
