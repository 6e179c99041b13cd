package answer

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOf(t *testing.T) {
	for question, want := range map[string]struct {
		tier Tier
		rest string
	}{
		"where is the parser":                 {Where, "parser"},
		"Where's the config loaded?":          {Where, "config loaded"},
		"WHERE do we keep migrations":         {Where, "keep migrations"},
		"which file defines the schema":       {Where, "defines the schema"},
		"which files define it":               {Where, "define it"},
		"Which directory has the hooks?":      {Where, "hooks"},
		"in which folder are tests":           {Where, "tests"},
		"find Parse":                          {Where, "Parse"},
		"locate: the worker":                  {Where, "worker"},
		"why postgres":                        {Why, "postgres"},
		"Why did we use Postgres?":            {Why, "use Postgres"},
		"why: postgres":                       {Why, "postgres"},
		"decision on the job queue":           {Why, "job queue"},
		"decisions about databases":           {Why, "databases"},
		"history of the importer":             {Why, "importer"},
		"what did we decide about the queue?": {Why, "queue"},
		"What have we decided on?":            {Why, "What have we decided on?"},
		`"why" postgres`:                      {Why, "postgres"},
		"  why postgres ":                     {Why, "postgres"},
		"why":                                 {Why, "why"},
		"where is the":                        {Where, "where is the"},
		"":                                    {Any, ""},
		"?":                                   {Any, "?"},
		"postgres":                            {Any, "postgres"},
		"how do we deploy":                    {Any, "how do we deploy"},
		"findings of today":                   {Any, "findings of today"},
		"whyever":                             {Any, "whyever"},
		"historical data":                     {Any, "historical data"},
		"wherever it is":                      {Any, "wherever it is"},
		"which filesystem":                    {Any, "which filesystem"},
		"what did we do":                      {Any, "what did we do"},
		"tell me why":                         {Any, "tell me why"},
		"why_postgres":                        {Any, "why_postgres"},
		"where.go":                            {Any, "where.go"},
		"history-view.tsx":                    {Any, "history-view.tsx"},
		"find()":                              {Any, "find()"},
		"find(user) fails":                    {Any, "find(user) fails"},
		"decision-log":                        {Any, "decision-log"},
		"why... postgres":                     {Why, "postgres"},
		"why - postgres":                      {Why, "postgres"},
		"(why) postgres":                      {Why, "postgres"},
		"why.":                                {Why, "why."},
		"where is .gitignore":                 {Where, ".gitignore"},
		"why’s Redis out":                     {Why, "s Redis out"},
		"warum Postgres":                      {Any, "warum Postgres"},
	} {
		if tier, rest := TierOf(question); tier != want.tier || rest != want.rest {
			t.Errorf("TierOf(%q) = %q, %q; want %q, %q", question, tier, rest, want.tier, want.rest)
		}
	}
}

// FuzzOf: what is left to look for stands in the question, and is something
// where the question is.
func FuzzOf(f *testing.F) {
	f.Add("where is the parser?")
	f.Add("«Why» – ſ")
	f.Fuzz(func(t *testing.T, question string) {
		_, rest := TierOf(question)
		if !strings.Contains(question, rest) || rest == "" && strings.TrimSpace(question) != "" ||
			utf8.ValidString(question) && !utf8.ValidString(rest) {
			t.Errorf("TierOf(%q) leaves %q", question, rest)
		}
	})
}
