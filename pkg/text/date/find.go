package date

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A Period is the time that a question names: some days, or a month of any year.
type Period struct {
	First, Last int        // days as Day counts them
	Month       time.Month // of any year; 0 for the days
}

// Has reports whether a day, as Day counts it, is in the period. Day 0 is none.
func (p Period) Has(day int) bool {
	if day == 0 {
		return false
	}
	if p.Month != 0 {
		return time.Unix(int64(day)*secondsOfDay, 0).UTC().Month() == p.Month
	}
	return p.First <= day && day <= p.Last
}

const secondsOfDay = 24 * 60 * 60

// Day returns the day of a time, counted from 1970.
func Day(t time.Time) int {
	n := t.Unix()
	if n < 0 {
		n -= secondsOfDay - 1
	}
	return int(n / secondsOfDay)
}

func periodOf(s Span) Period { return Period{First: Day(s.First), Last: Day(s.Last)} }

func monthOfYear(y int, m time.Month) Period {
	first := time.Date(y, m, 1, 0, 0, 0, 0, time.UTC)
	return Period{First: Day(first), Last: Day(first.AddDate(0, 1, -1))}
}

// maxDated is the longest question, in bytes, whose time is read.
const maxDated = 400

// Find returns the time that a question names, if it names one, and the question without it: "in May 2026",
// "2026-05-12", "last week", "letzte Woche", "2026年5月". A month without a year needs a word before it that
// makes it one, as may and march are words too. What is told from today is read only if now is known.
func Find(question string, now time.Time) (p Period, rest string, ok bool) {
	if len(question) > maxDated {
		return p, question, false
	}
	words := wordsOf(question)
	without := func(from, end int) string {
		return question[:words[from].at] + " " + question[words[end-1].end:]
	}
	if p, from, end, ok := unspaced(question, now); ok {
		return p, question[:from] + " " + question[end:], true
	}
	for i, w := range words {
		if at, err := time.Parse(time.DateOnly, w.low); err == nil {
			return Period{First: Day(at), Last: Day(at)}, without(i, i+1), true
		}
		if at, err := time.Parse("2006-01", w.low); err == nil {
			return monthOfYear(at.Year(), at.Month()), without(i, i+1), true
		}
		if m := monthOf(w.low); m != 0 {
			first := i
			if i > 0 && isNumber(words[i-1].low) { // "8 May": of the month is enough
				first--
			}
			for n, next := range words[i+1 : min(len(words), i+4)] {
				if y, err := strconv.Atoi(next.low); err == nil && y >= 1970 && y < 3000 {
					return monthOfYear(y, m), without(first, i+n+2), true
				}
			}
			if i > 0 && beforeMonth(words[i-1].low) {
				return Period{Month: m}, without(first, i+1), true
			}
		}
		if now.IsZero() {
			continue
		}
		for n := 1; n <= 3 && i+n <= len(words); n++ {
			named := english(joined(words[i : i+n]))
			if !isPast(named) {
				continue
			}
			if span, ok := Read(named, now); ok {
				return periodOf(span), without(i, i+n), true
			}
		}
	}
	return p, question, false
}

// A word of a question, in lower case, and where it stands.
type word struct {
	low     string
	at, end int
}

func wordsOf(s string) (all []word) {
	at := -1
	for i, r := range s + " " {
		inside := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '-'
		switch {
		case inside && at < 0:
			at = i
		case !inside && at >= 0:
			all = append(all, word{strings.ToLower(s[at:i]), at, i})
			at = -1
		}
	}
	return all
}

func joined(words []word) string {
	var all [3]string
	for i, w := range words {
		all[i] = w.low
	}
	return strings.Join(all[:len(words)], " ")
}

// isPast reports whether words may be what Read reads of the past or the present. A day of the week by itself
// is the next one to come.
func isPast(words string) bool {
	switch first, last, _ := strings.Cut(words, " "); first {
	case "yesterday", "today":
		return true
	case "last", "this":
		return last != ""
	}
	return strings.HasSuffix(words, " ago")
}

func isNumber(w string) bool {
	_, err := strconv.Atoi(w)
	return err == nil
}

// monthNames are the names of the months in English, German, French, Spanish, Portuguese and Russian, in the
// cases in which Russian names a date.
var monthNames = [...]string{
	"january januar janvier enero janeiro январь января январе",
	"february februar février fevrier febrero fevereiro февраль февраля феврале",
	"march märz mars marzo março marco март марта марте",
	"april avril abril апрель апреля апреле",
	"may mai mayo maio май мая мае",
	"june juni juin junio junho июнь июня июне",
	"july juli juillet julio julho июль июля июле",
	"august août aout agosto август августа августе",
	"september septembre septiembre setembro сентябрь сентября сентябре",
	"october oktober octobre octubre outubro октябрь октября октябре",
	"november novembre noviembre novembro ноябрь ноября ноябре",
	"december dezember décembre decembre diciembre dezembro декабрь декабря декабре",
}

// monthOf returns the month of a name in lower case, 0 for another word.
func monthOf(w string) time.Month {
	for m, names := range monthNames {
		for name := range strings.FieldsSeq(names) {
			if w == name {
				return time.Month(m + 1)
			}
		}
	}
	return 0
}

// beforeMonth reports whether a word makes the one behind it a month, and not a verb.
func beforeMonth(w string) bool {
	switch w {
	case "in", "of", "since", "during", "until", "from", "last", "early", "late", "mid",
		"im", "seit", "vom", "anfang", "mitte", "ende",
		"en", "de", "d", "depuis", "du", "desde", "em", "del", "do",
		"в", "с", "за", "прошлом", "прошлого":
		return true
	}
	return false
}

// relative are names of days by their distance from today, and what Read calls them. Those of scripts without
// spaces come from the longest to the shortest.
var relative = [...]struct{ words, english string }{
	{"gestern", "yesterday"}, {"heute", "today"}, {"vorgestern", "2 days ago"},
	{"letzte woche", "last week"}, {"letzter woche", "last week"}, {"diese woche", "this week"},
	{"dieser woche", "this week"}, {"letzten monat", "last month"}, {"diesen monat", "this month"},
	{"letztes jahr", "last year"}, {"dieses jahr", "this year"},
	{"d hier", "yesterday"}, {"aujourd hui", "today"}, {"semaine dernière", "last week"},
	{"cette semaine", "this week"}, {"mois dernier", "last month"}, {"ce mois", "this month"},
	{"année dernière", "last year"}, {"an dernier", "last year"},
	{"ayer", "yesterday"}, {"hoy", "today"}, {"semana pasada", "last week"}, {"esta semana", "this week"},
	{"mes pasado", "last month"}, {"este mes", "this month"}, {"año pasado", "last year"},
	{"ontem", "yesterday"}, {"hoje", "today"}, {"semana passada", "last week"},
	{"mês passado", "last month"}, {"este mês", "this month"}, {"ano passado", "last year"},
	{"вчера", "yesterday"}, {"сегодня", "today"}, {"прошлой неделе", "last week"},
	{"прошлую неделю", "last week"}, {"этой неделе", "this week"}, {"прошлом месяце", "last month"},
	{"этом месяце", "this month"}, {"прошлом году", "last year"},
	{"昨天", "yesterday"}, {"今天", "today"}, {"上周", "last week"}, {"上星期", "last week"},
	{"这周", "this week"}, {"本周", "this week"}, {"上个月", "last month"}, {"这个月", "this month"},
	{"去年", "last year"},
	{"昨日", "yesterday"}, {"今日", "today"}, {"先週", "last week"}, {"今週", "this week"},
	{"先月", "last month"}, {"今月", "this month"}, {"昨年", "last year"},
	{"어제", "yesterday"}, {"오늘", "today"}, {"지난주", "last week"}, {"이번 주", "this week"},
	{"이번주", "this week"}, {"지난달", "last month"}, {"이번 달", "this month"}, {"작년", "last year"},
}

// english returns what Read calls a day that words of a script with spaces name, or the words.
func english(words string) string {
	for _, r := range relative {
		if words == r.words {
			return r.english
		}
	}
	return words
}

// unspaced returns the time that a question in a script without spaces names, and where: 2026年5月12日, 5月,
// 2026년 5월, 先週.
func unspaced(s string, now time.Time) (p Period, from, end int, ok bool) {
	if at := strings.IndexAny(s, "月월"); at > 0 {
		y, m, d := 0, 0, 0
		m, from = numberBefore(s, at)
		_, size := utf8.DecodeRuneInString(s[at:])
		end = at + size
		head := strings.TrimRight(s[:from], " ")
		if strings.HasSuffix(head, "年") || strings.HasSuffix(head, "년") {
			if n, at := numberBefore(head, len(head)-len("年")); n >= 1970 && n < 3000 {
				y, from = n, at
			}
		}
		if day := strings.IndexAny(s[end:], "日일号"); day >= 0 && day <= len("31 ") {
			if n, err := strconv.Atoi(strings.TrimSpace(s[end : end+day])); err == nil {
				_, size := utf8.DecodeRuneInString(s[end+day:])
				d, end = n, end+day+size
			}
		}
		switch {
		case m < 1 || m > 12:
		case y != 0 && 1 <= d && d <= 31:
			at := Day(time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC))
			return Period{First: at, Last: at}, from, end, true
		case y != 0:
			return monthOfYear(y, time.Month(m)), from, end, true
		default:
			return Period{Month: time.Month(m)}, from, end, true
		}
	}
	if now.IsZero() {
		return p, 0, 0, false
	}
	for _, r := range relative {
		if first, _ := utf8.DecodeRuneInString(r.words); first < 0x3000 {
			continue
		}
		if at := strings.Index(s, r.words); at >= 0 {
			if span, ok := Read(r.english, now); ok {
				return periodOf(span), at, at + len(r.words), true
			}
		}
	}
	return p, 0, 0, false
}

// numberBefore returns the number whose last digit stands before a place, and where it begins; 0 for none.
func numberBefore(s string, end int) (n, from int) {
	for end > 0 && s[end-1] == ' ' {
		end--
	}
	for from = end; from > 0 && '0' <= s[from-1] && s[from-1] <= '9'; from-- {
	}
	n, _ = strconv.Atoi(s[from:end])
	return n, from
}
