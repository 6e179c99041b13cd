package files

import (
	"bytes"
	"slices"
	"strings"
	"sync"
)

// Query is a question in words, taken apart.
type Query struct {
	groups []group
	tests  bool     // it asks for tests
	names  []string // its words in lower case, signs and all, that may be a file's name
}

// A group is one word of the question and what counts as this word.
type group struct {
	forms  []form
	weight float64 // 1, or less for words that say little; times the rarity, once searched
	known  bool    // some file has it
	whole  bool    // neighbouring words as one identifier: a bonus, nothing that may be missing
}

type form struct {
	term   string
	prefix bool    // also what begins with it
	factor float64 // 0..1
}

// The tables of words are made when a question is asked: they would take every
// program that links this package 0.3 ms to start.

// silent are words of a question that don't describe what is looked for.
var silent = sync.OnceValue(func() map[string]bool {
	return stems("a an the is are was were be been do does did done has have had i we you it its they this " +
		"that these those there here where which what who how when why find locate show tell me us our my " +
		"your please in of on at to from for with by into and or not if as can could should would will get " +
		"got so than then them their about any all some each")
})

// faint are words that describe the kind of place rather than the thing.
var faint = sync.OnceValue(func() map[string]bool {
	return stems("file files folder directory code source function method class module package defined " +
		"definition define declared implemented implementation implement lives live kept used use called " +
		"made done happens live come comes place part line written thing things stuff logic")
})

// stems returns words and their terms, as eachTerm makes them.
func stems(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
		eachTerm([]byte(w), func(t []byte) { m[string(t)] = true })
	}
	return m
}

// short are the abbreviations that programs use for the words that people say. Each row is one word in all
// its forms.
var short = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for _, row := range strings.Split("auth authentication authenticate authorization authorize;"+
		"config configuration configure settings;db database;dir directory folder;"+
		"env environment;repo repository;"+
		"doc documentation docs;param parameter;arg argument;msg message;ctx context;util utility "+
		"helper;init initialize initialization;impl implementation;admin administrator;"+
		"app application;cmd command cli;sh shell bash;lib library;tmp temporary temp;err error;req "+
		"request;res response;async asynchronous;sync synchronize;id identifier;img image;"+
		"ui interface;sql query;log logging;info information;num number;pkg package;src source;str "+
		"string;val value;var variable;perm permission;sess session;tok token;conn connection;"+
		"delete remove;login signin;logout signout;signup register;cfg config;spec test;ci workflow;deploy "+
		"deployment", ";") {
		var terms []string
		for _, w := range strings.Fields(row) {
			eachTerm([]byte(w), func(t []byte) { terms = append(terms, string(t)) })
		}
		for _, t := range terms {
			for _, other := range terms {
				if other != t {
					m[t] = append(m[t], other)
				}
			}
		}
	}
	return m
})

// maxGroups is how many words of a question count.
const maxGroups = 24

// Ask takes a question apart. It may be plain words, an identifier or a path.
func Ask(question string) Query {
	q := Query{names: names(question)}
	have := map[string]bool{}
	var quiet, words []string // in the order of the question
	eachWord([]byte(question), func(word []byte) {
		var terms []string
		eachTerm(word, func(t []byte) { terms = append(terms, string(t)) })
		for i, t := range terms {
			if t == "test" || t == "spec" {
				q.tests = true
			}
			switch {
			case have[t]:
			case silent()[t] || silent()[strings.ToLower(string(word))]:
				quiet = append(quiet, t)
			case i > 0 && i == len(terms)-1 && len(terms) > 2: // the identifier whole
				have[t] = true
				q.add(group{forms: []form{{t, false, 1}}, weight: 1, whole: true})
			default:
				have[t] = true
				if q.add(single(t)); !faint()[t] && len(terms) == 1 {
					words = append(words, strings.ToLower(string(word)))
				}
			}
		}
	})
	if !slices.ContainsFunc(q.groups, func(g group) bool { return g.weight == 1 }) {
		for _, t := range quiet { // "where is find"
			q.add(single(t))
		}
	}
	for i := 1; i < len(words); i++ {
		pair := words[i-1] + words[i]
		if words[i-1] != words[i] && !have[pair] && len(pair) <= maxTerm {
			have[pair] = true
			q.add(group{forms: []form{{pair, false, 1}}, weight: 0.6, whole: true})
		}
	}
	return q
}

// names returns the words of a question that matter, with the signs in them: "go.mod" of "where is
// go.mod?".
func names(question string) (all []string) {
	for word := range strings.FieldsSeq(strings.ToLower(question)) {
		word = strings.TrimPrefix(strings.Trim(word, "`'\"“”‘’()[]<>,;:!?"), "./")
		if word = strings.TrimRight(word, "./"); word != "" && !silent()[word] && !faint()[word] {
			all = append(all, word)
		}
	}
	return all
}

// eachWord gives the identifiers of a question.
func eachWord(text []byte, emit func([]byte)) {
	for _, w := range bytes.FieldsFunc(text, func(r rune) bool {
		return r < 0x80 && class[r] == other && r != '_' && r != '-'
	}) {
		emit(w)
	}
}

func single(t string) group {
	g := group{forms: []form{{t, len(t) >= 4, 1}}, weight: 1}
	if faint()[t] {
		g.weight = 0.3
	}
	for _, other := range short()[t] {
		g.forms = append(g.forms, form{other, false, 0.6})
	}
	return g
}

func (q *Query) add(g group) {
	if len(q.groups) < maxGroups {
		q.groups = append(q.groups, g)
	}
}

// Empty reports whether the question has no word to look for.
func (q Query) Empty() bool { return len(q.groups) == 0 }
