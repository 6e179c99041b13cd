package doctor

import (
	"strings"
	"testing"
)

func TestParseSums(t *testing.T) {
	digest := strings.Repeat("0f", 32)
	for list, want := range map[string]int{
		digest + "  keepsake\n" + digest + "  hooks/turn\n": 2,
		digest + "  a name with  spaces\n":                  1,
		"":                                                  -1,
		digest + " keepsake\n":                              -1,
		digest[2:] + "  keepsake\n":                         -1,
		digest + "  \n":                                     -1,
		digest + "  keepsake\nx":                            -1,
	} {
		got, err := parseSums([]byte(list))
		if (err != nil) != (want < 0) || err == nil && len(got) != want {
			t.Errorf("%q: %v, %v", list, got, err)
		}
	}
}

func FuzzParseSums(f *testing.F) {
	f.Add([]byte(strings.Repeat("0f", 32) + "  keepsake\n"))
	f.Fuzz(func(t *testing.T, list []byte) {
		if got, err := parseSums(list); err == nil && len(got) == 0 {
			t.Errorf("%q: no digest and no error", list)
		}
	})
}
