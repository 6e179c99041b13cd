package memory

import "slices"

// A pair is the positions of one entry in two sequences.
type pair struct{ a, b int }

// maxTable is the largest table, in cells, that commonSubsequence fills. For longer sequences it finds only a
// common beginning and end.
const maxTable = 4 << 20

// commonSubsequence returns a longest common subsequence of a and b, in order.
func commonSubsequence(a, b []string) (pairs []pair) {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		pairs = append(pairs, pair{n, n})
		n++
	}
	endA, endB := len(a), len(b)
	for endA > n && endB > n && a[endA-1] == b[endB-1] {
		endA--
		endB--
	}
	pairs = append(pairs, subsequenceByTable(a[n:endA], b[n:endB], n)...)
	for i := range a[endA:] {
		pairs = append(pairs, pair{endA + i, endB + i})
	}
	return pairs
}

func subsequenceByTable(a, b []string, offset int) (pairs []pair) {
	if len(a) == 0 || len(b) == 0 || len(a) > maxTable/len(b) {
		return nil
	}
	width := len(b) + 1
	longest := make([]int32, (len(a)+1)*width) // the length for a[i:] and b[j:]
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i*width+j] = longest[(i+1)*width+j+1] + 1
			} else {
				longest[i*width+j] = max(longest[(i+1)*width+j], longest[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pairs = append(pairs, pair{offset + i, offset + j})
			i++
			j++
		case longest[(i+1)*width+j] >= longest[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// mergeList merges two versions of a list that come from base. Entries that one side added are in it, those
// that one side removed are not, and entries keep their places. clash reports whether both sides changed the
// same entries differently; then the entries of both are in it, ours first.
func mergeList(base, ours, theirs []string) (merged []string, clash bool) {
	switch {
	case slices.Equal(ours, theirs), slices.Equal(base, theirs):
		return slices.Clone(ours), false
	case slices.Equal(base, ours):
		return slices.Clone(theirs), false
	}
	toOurs, toTheirs := map[int]int{}, map[int]int{}
	for _, p := range commonSubsequence(base, ours) {
		toOurs[p.a] = p.b
	}
	for _, p := range commonSubsequence(base, theirs) {
		toTheirs[p.a] = p.b
	}
	b, o, t := 0, 0, 0
	for i := 0; i <= len(base); i++ {
		nextO, inO := toOurs[i]
		nextT, inT := toTheirs[i]
		if i == len(base) {
			nextO, nextT, inO, inT = len(ours), len(theirs), true, true
		}
		if !inO || !inT {
			continue
		}
		part, bad := mergePart(base[b:i], ours[o:nextO], theirs[t:nextT])
		merged, clash = append(merged, part...), clash || bad
		if i < len(base) {
			merged = append(merged, base[i])
		}
		b, o, t = i+1, nextO+1, nextT+1
	}
	return settleMoved(merged, ours, theirs), clash
}

// mergePart merges what lies between two entries that all three lists have.
func mergePart(base, ours, theirs []string) (merged []string, clash bool) {
	switch {
	case slices.Equal(ours, theirs), slices.Equal(base, theirs):
		return ours, false
	case slices.Equal(base, ours):
		return theirs, false
	}
	if len(base) == len(ours) && len(base) == len(theirs) {
		// Entry by entry, for changes of neighbouring entries.
		for i := range base {
			switch {
			case ours[i] == theirs[i], base[i] == theirs[i]:
				merged = append(merged, ours[i])
			case base[i] == ours[i]:
				merged = append(merged, theirs[i])
			default:
				merged, clash = append(merged, ours[i], theirs[i]), true
			}
		}
		return merged, clash
	}
	for _, s := range ours {
		if !slices.Contains(base, s) || slices.Contains(theirs, s) {
			merged = append(merged, s)
		}
	}
	for _, s := range theirs {
		if !slices.Contains(base, s) && !slices.Contains(ours, s) {
			merged = append(merged, s)
		}
	}
	return merged, len(base) > 0
}

// settleMoved drops the surplus copies of entries that were moved, and adds entries that both sides have but
// no part kept.
func settleMoved(merged, ours, theirs []string) []string {
	allowed, both := map[string]int{}, map[string]int{}
	for _, s := range ours {
		allowed[s]++
	}
	other := map[string]int{}
	for _, s := range theirs {
		other[s]++
	}
	for s, n := range other {
		both[s] = min(n, allowed[s])
		allowed[s] = max(n, allowed[s])
	}
	out := []string{}
	for _, s := range merged {
		if allowed[s] > 0 {
			allowed[s]--
			both[s]--
			out = append(out, s)
		}
	}
	for _, s := range ours {
		if both[s] > 0 {
			both[s]--
			out = append(out, s)
		}
	}
	return out
}
