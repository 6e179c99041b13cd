package text

import "sync"

// A Memo keeps what a function makes of texts, for callers that ask for the same few texts again and again.
// It forgets all of them when they are too many. The results are shared, so nobody may change them.
type Memo[T any] struct {
	mu   sync.Mutex
	made map[string]T
	size int // of the texts, in bytes
}

// maxMemo is how many bytes of texts a Memo keeps, and memoEach what it adds to the length of each.
const (
	maxMemo  = 256 << 10
	memoEach = 64
)

// Of returns what make makes of s.
func (m *Memo[T]) Of(s string, make func(s string) T) T {
	m.mu.Lock()
	t, ok := m.made[s]
	m.mu.Unlock()
	if ok {
		return t
	}
	t = make(s)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.size += len(s) + memoEach; m.made == nil || m.size > maxMemo {
		m.made, m.size = map[string]T{}, len(s)+memoEach
	}
	m.made[s] = t
	return t
}
