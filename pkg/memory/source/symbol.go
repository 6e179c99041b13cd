package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"
)

// Defines reports whether the text of a source file defines a name: Name or Type.Name. A Go file is parsed:
// a function, a method, a type, a constant, a variable or a field counts, at the top level of the file. In
// any other language the definition is looked for by its form, line by line, with the name as a whole word:
//
//	keyword … Name     func, function, def, class, interface, type, struct, enum, trait, fn, const, let, var
//
// …
//
//	Name = …, Name: …  at the beginning of a line, behind modifiers such as export or static
//	type Name(…) {     as C, Java and C# write functions: no semicolon at the end of the line
//
// A mention in a comment, in a text or in a call is no definition. Of Type.Name both must be defined in the
// file.
func Defines(file string, text []byte, name string) bool {
	if path.Ext(file) == ".go" {
		if f, err := parser.ParseFile(token.NewFileSet(), file, text,
			parser.SkipObjectResolution); err == nil {
			return definesGo(f, name)
		}
	}
	for _, part := range strings.Split(name, ".") {
		if !definesByForm(string(text), part) {
			return false
		}
	}
	return true
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

// keywords are words behind which a name is defined.
const keywords = `func|function|def|class|interface|type|struct|union|enum|trait|impl|fn|const|let|var|val|static|` +
	`module|mod|namespace|package|object|protocol|record|macro|typedef|alias|extension|sub|proc|create table|table`

// definesByForm reports whether a line of a text defines a name by its form.
func definesByForm(text, name string) bool {
	n := regexp.QuoteMeta(name)
	const lead = `^\s*(?:[\w@<>\[\],.:&*?()]+\s+){0,6}?`
	forms := regexp.MustCompile(`(?i:` + lead + `(?:` + keywords +
		`)\*?)\s+(?:\([^)]*\)\s*)?(?:[\w:<>&*]+(?:\s+|::|\.))?` +
		n + `(?:[^\w$]|$)|` +
		`^\s*(?:(?:export|default|public|private|protected|static|readonly|pub|local|async|final)\s+)*` +
		`(?:self\.|this\.|exports\.|module\.exports\.)?["']?` + n + `["']?\s*(?::?=(?:[^=]|$)|:(?:[^:]|$))|` +
		`^\s*(?:[\w<>\[\],.:&*?]+\s+)+[&*]*` + n + `\s*\([^;]*$`)
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if !strings.Contains(line, name) {
			continue
		}
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "//") || strings.HasPrefix(trimmed, "#") && !strings.HasPrefix(trimmed,
			"#define") ||
			strings.HasPrefix(trimmed, "*") || strings.HasPrefix(trimmed, "/*") || strings.HasPrefix(trimmed,
			"--") {
			continue
		}
		if rest, is := strings.CutPrefix(trimmed, "#define "); is {
			if w, _, _ := strings.Cut(strings.TrimSpace(rest)+" ", " "); w == name || strings.HasPrefix(w,
				name+"(") {
				return true
			}
		}
		if first, _, _ := strings.Cut(trimmed, " "); isCall[first] {
			continue
		}
		if forms.MatchString(line) {
			return true
		}
	}
	return false
}

// isCall has words that begin a line in which a name before a parenthesis is called, not defined.
var isCall = map[string]bool{"return": true, "await": true, "yield": true, "new": true, "throw": true,
	"raise": true, "else": true, "elif": true, "if": true, "while": true, "for": true, "case": true,
	"import": true,
	"from":   true, "use": true, "using": true, "assert": true, "delete": true, "go": true, "defer": true}
