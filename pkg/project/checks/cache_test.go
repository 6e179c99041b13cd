package checks

import (
	"reflect"
	"testing"

	"keepsake/pkg/project/verify"
)

func TestCache(t *testing.T) {
	c := checkCache{Records: map[string]*checkedRecord{
		"decisions/a.json": {Time: 1, Size: 2, Digest: "d"},
		"decisions/b.json": {Time: -1, Size: 3, Digest: "e", Checks: []checkedLine{
			{Line: `file_contains a "b c"`, State: "1 2", Was: verify.Result{Verdict: verify.Holds}},
			{Line: "path_exists x", Was: verify.Result{Verdict: verify.Fails, Why: "x is gone"}}},
			Expires: &checkedLine{Line: "react 19"}},
	}}
	text := string(c.encode())
	got, ok := parseChecks(text)
	if !ok || !reflect.DeepEqual(got, c) {
		t.Errorf("%v, %+v of\n%s", ok, got, text)
	}
	c.Records["decisions/c.json"] = &checkedRecord{Checks: []checkedLine{
		{Line: "x", Was: verify.Result{Why: "git said\nthis"}}}}
	got, ok = parseChecks(string(c.encode()))
	if _, has := got.Records["decisions/c.json"]; !ok || has || len(got.Records) != 2 {
		t.Errorf("%v, %+v", ok, got)
	}
	for _, bad := range []string{"", `{"Version":1}`, cacheHead + "r\ta\t1\t2", cacheHead + "c\tl\ts\tholds\t\n",
		cacheHead + "r\ta\tx\t2\td\n", cacheHead + "r\ta\t1\t2\td\te\n", cacheHead + "r\ta\n",
		cacheHead + "\n"} {
		if _, ok := parseChecks(bad); ok {
			t.Errorf("%q is a cache", bad)
		}
	}
}
