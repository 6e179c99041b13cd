package secret

import (
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// names returns the words and names of letters only, 8 to 23 long, that come more than once in the standard
// library of Go, without its tests and commands: one half to fit the measure, the other to judge it.
func names(t *testing.T) (fit, held []string) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{"cmd", "testdata", "vendor"}, d.Name()) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		b, err := os.ReadFile(path)
		for _, word := range strings.FieldsFunc(string(b), func(r rune) bool {
			return r >= 0x80 || r != '_' && !isAlnum(byte(r))
		}) {
			if len(word) >= 8 && len(word) < 24 && !hasSign(word) && !strings.Contains(word, "_") {
				count[word]++
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for word, n := range count {
		if n < 2 {
			continue
		}
		sum := 0
		for i := range len(word) {
			sum = sum*31 + int(word[i])
		}
		if sum>>4&1 == 0 {
			fit = append(fit, word)
		} else {
			held = append(held, word)
		}
	}
	return fit, held
}

// TestRandomLetters measures how often randomLetters errs, on drawn letters and on names that were not used
// for fitting. With KEEPSAKE_FIT=1 it fits the measure anew and writes letterpairs.go.
func TestRandomLetters(t *testing.T) {
	fit, held := names(t)
	if os.Getenv("KEEPSAKE_FIT") != "" {
		writePairs(t, fit)
		t.Skip("fitted; run it again")
	}
	mixed := func(v string) bool { return strings.ToLower(v[1:]) != v[1:] && strings.ToUpper(v) != v }
	wrong, all := map[bool]int{}, map[bool]int{}
	for _, name := range held {
		all[mixed(name)]++
		if randomLetters(name) {
			wrong[mixed(name)]++
		}
	}
	rate := func(n, of int) float64 { return 100 * float64(n) / float64(of) }
	t.Logf("taken for drawn: %.2f %% of %d names in mixed case, %.2f %% of %d in one case",
		rate(wrong[true], all[true]), all[true], rate(wrong[false], all[false]), all[false])
	if len(held) < 10000 || rate(wrong[true], all[true]) > 1 || rate(wrong[false], all[false]) > 0.3 {
		t.Error("too many names are taken for drawn letters")
	}
	const lower = "abcdefghijklmnopqrstuvwxyz"
	random := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		alphabet string
		most     float64
	}{{lower + strings.ToUpper(lower), 1.5}, {lower, 45}, {strings.ToUpper(lower), 45}} {
		missed, n := 0, 0
		for size := 8; size <= 16; size++ {
			for range 2000 {
				v := make([]byte, size)
				for i := range v {
					v[i] = c.alphabet[random.IntN(len(c.alphabet))]
				}
				n++
				if !randomLetters(string(v)) {
					missed++
				}
			}
		}
		t.Logf("missed: %.2f %% of %d drawn from %.3s…%s", rate(missed, n), n, c.alphabet,
			c.alphabet[len(c.alphabet)-1:])
		if rate(missed, n) > c.most {
			t.Error("too many drawn letters are missed")
		}
	}
}

// writePairs fits the likelihood of the pairs of letters in the parts of names, and writes them to
// letterpairs.go.
func writePairs(t *testing.T, words []string) {
	var count [27 * 27]float64
	parts := map[string]int{}
	for _, word := range words {
		for i := 0; i < len(word); {
			end := partEnd(word, i)
			if end-i > 1 && end-i < 6 {
				parts[strings.ToLower(word[i:end])]++
			}
			before := 0
			for _, c := range strings.ToLower(word[i:end]) {
				count[before*27+int(c-'a')]++
				before = int(c-'a') + 1
			}
			count[before*27+26]++
			i = end
		}
	}
	var out strings.Builder
	out.WriteString("package secret\n\n// letterPairs has a row for the beginning of a part of a name and " +
		"for each letter, and in it a\n// character for each letter after that, and for the end: how much " +
		"likelier the pair is in a name than by\n// chance, in quarters of a nat above letterZero. " +
		"Written by TestRandomLetters.\nconst letterPairs = \"\"")
	for row := range 27 {
		sum := 0.0
		for _, n := range count[row*27:][:27] {
			sum += n
		}
		var line []byte
		for i, n := range count[row*27:][:27] {
			odds := math.Log((n + .5) / (sum + .5*27))
			if i < 26 {
				odds += math.Log(26)
			}
			line = append(line, byte(letterZero+max(min(int(math.Round(odds*4)), 22), -44)))
		}
		fmt.Fprintf(&out, " +\n\t%q", line)
	}
	out.WriteString("\n\n// shortParts are the parts of two to five letters that many names have. Written " +
		"by " +
		"TestRandomLetters.\nconst shortParts = \"\"")
	line := ""
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		if parts[part] < 12 {
			continue
		}
		if line += " " + part; len(line) > 95 {
			fmt.Fprintf(&out, " +\n\t%q", line)
			line = ""
		}
	}
	fmt.Fprintf(&out, " +\n\t%q", line+" ")
	if err := os.WriteFile("letterpairs.go", []byte(out.String()+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
