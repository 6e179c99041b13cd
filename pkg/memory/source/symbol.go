package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
)

// Answer is what is known of whether a file defines a name.
type Answer uint8

// The answers. Of a file in a language that is not known nothing is.
const (
	NotKnown Answer = iota
	No
	Yes
)

// Defines returns whether the text of a source file defines a name: Name or Type.Name. A Go file is parsed: a
// function, a method, a type, a constant, a variable or a field counts, at the top level of the file. In
// other languages each mention of the name is looked at (see defines). Of Type.Name both must be defined in
// the file.
func Defines(file string, text []byte, name string) Answer {
	if path.Ext(file) == ".go" {
		f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
		if err != nil {
			return NotKnown // somebody is at it
		}
		return answer(definesGo(f, name))
	}
	lang, known := languageOf(file)
	if !known {
		return NotKnown
	}
	code := lang.code(string(text))
	for _, part := range strings.Split(name, ".") {
		if !lang.defines(code, part) {
			return No
		}
	}
	return Yes
}

// prose are the ends of names of files that define nothing, whatever they mention.
var prose = set(`.md .txt .rst .adoc .json .yaml .yml .toml .lock .sum .mod .csv .html .css .scss .svg .xml
	.log .po`)

// IsCode reports whether a file may define something.
func IsCode(file string) bool { return path.Ext(file) != "" && !prose(strings.ToLower(path.Ext(file))) }

func answer(is bool) Answer {
	if is {
		return Yes
	}
	return No
}

// definesGo is Defines for a parsed Go file.
func definesGo(f *ast.File, name string) bool {
	of, member, isMember := strings.Cut(name, ".")
	if !isMember {
		of, member = "", name
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			recv := ""
			if d.Recv != nil && len(d.Recv.List) > 0 {
				recv = typeName(d.Recv.List[0].Type)
			}
			if d.Name.Name == member && (recv == of || of == "") {
				return true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if of == "" && s.Name.Name == member || s.Name.Name == of && hasMember(s.Type, member) {
						return true
					}
				case *ast.ValueSpec:
					for _, n := range s.Names {
						if of == "" && n.Name == member {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

// typeName returns the name of a receiver's type.
func typeName(e ast.Expr) string {
	for {
		switch t := e.(type) {
		case *ast.StarExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// hasMember reports whether a type is a struct with that field, or an interface with that method.
func hasMember(e ast.Expr, name string) bool {
	var list *ast.FieldList
	switch t := e.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	}
	if list == nil {
		return false
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			if n.Name == name {
				return true
			}
		}
	}
	return false
}
