package main

import (
	"cmp"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// flags are those that all verbs have.
type flags struct {
	Session string `help:"Session to work for (default: the one this runs in, else the project's latest with staged work)." placeholder:"ID"`
	Project string `help:"A folder of the project (default: the session's project, else the one around the working directory)." placeholder:"DIR" type:"existingdir"`
}

// grammarOf is what kong is told for these arguments: the flags and the one verb that
// they begin with, else the flags and all verbs. Kong takes a millisecond and a half
// to make sense of all verbs, more than most of them take to do their work.
func grammarOf(args []string) (root any, f *flags, verb kong.Option) {
	if len(args) > 0 {
		verbs := reflect.TypeFor[verbs]()
		for i := range verbs.NumField() {
			v := verbs.Field(i)
			if name := cmp.Or(v.Tag.Get("name"), strings.ToLower(v.Name)); name == args[0] {
				f = new(flags)
				return f, f, kong.DynamicCommand(name, v.Tag.Get("help"), v.Tag.Get("group"), reflect.New(v.Type).Interface())
			}
		}
	}
	all := new(cli)
	return all, &all.flags, kong.OptionFunc(func(*kong.Kong) error { return nil })
}
