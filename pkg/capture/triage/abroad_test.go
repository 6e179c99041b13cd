package triage

import "testing"

// TestRequestsAbroad: what asks back does so in every language that has a table, and what only speaks of
// remembering asks in none.
func TestRequestsAbroad(t *testing.T) {
	for said, want := range map[string][2]bool{ // it asks, and for what was said before
		"retiens ça":                 {true, true},
		"Retiens ça, s'il te plaît.": {true, true},
		"souviens-toi de ça":         {true, true},
		"recuérdalo":                 {true, true},
		"recuerda esto":              {true, true},
		"apúntalo por favor":         {true, true},
		"guarda isso":                {true, true},
		"lembra disso":               {true, true},
		"anota isso por favor":       {true, true},
		"запомни это":                {true, true},
		"Запомни это, пожалуйста.": {true, true},
		"имей это в виду":          {true, true},
		"记住这个":                     {true, true},
		"请记住这一点。":                  {true, true},
		"把这个记下来":                   {true, true},
		"覚えておいて":                   {true, true},
		"これ覚えといて。":                 {true, true},
		"それを覚えておいてください":            {true, true},
		"기억해줘":                     {true, true},
		"이거 기억해둬요":                 {true, true},
		"그거 기억해 주세요":               {true, true},
		"запомни: файлы хранить год и не чистить":        {true, false},
		"recuerda: los tests van junto al código":        {true, false},
		"anota aí: evento é em português":                {true, false},
		"记住：以后都用 pnpm":                                   {true, false},
		"retiens : les tests sont à côté du code":        {true, false},
		"Souviens-toi que la base est en lecture seule.": {true, false},
		"N'oublie pas que la base est en lecture seule.": {true, false},
		"Recuerda que staging se llama heron.":           {true, false},
		"No olvides que staging se llama heron.":         {true, false},
		"Lembre que staging se chama heron.":             {true, false},
		"Запомни, что staging называется heron.":         {true, false},
		"Merke: Staging heißt heron.":                    {true, false},
		"DBは読み取り専用だと覚えておいて。":                             {true, false},
		"DB는 읽기 전용이라는 것을 기억해 줘.":                         {true, false},

		"je me souviens de ça":   {},
		"no recuerdo eso":        {},
		"guarda isso no arquivo": {},
		"я не помню это":         {},
		"ты помнишь это?":        {},
		"我记得这个":                  {},
		"你记得吗？":                  {},
		"覚えていますか？":               {},
		"기억나요?":                  {},
		"기억이 안 나요":               {},
		"forget that":            {},
		"oublie ça":              {},
		"olvida eso":             {},
		"忘了这个吧":                  {},
	} {
		l := listener{m: &theMatcher, block: -1}
		var r reader
		r.eachStatement(said, func(st statement) {
			_, _, asked := l.scoreStatement(st, Person)
			if got := [2]bool{asked, l.back}; got != want {
				t.Errorf("%q asks, back: %v, want %v", said, got, want)
			}
		})
	}
}
