package store

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// The derived file is a head and what Options.Derive gave:
//
//	8 bytes   derivedMagic
//	72 bytes  the state that it was made from, see state
//	4 bytes   CRC-32 (IEEE) of the state and the payload, little endian
//	…         the payload
const (
	derivedMagic = "KSDERIV1"
	derivedHead  = len(derivedMagic) + 8*stateLen + 4
	derivedLimit = 256 << 20 // bytes; 1,000 records take about one MB

	// stateLen is six folders, and time, inode and size of index.md.
	stateLen = 9
)

// state says what the store looked like: when each folder last got or lost a
// file, which says that somebody else wrote, and which index.md is there, which
// every plan of ours replaces. A record that is edited in place by hand changes
// neither; it is searched by its old words until the next save, and shown with
// its new ones.
type state [stateLen]int64

const absent = -1

func (s *Store) state() state {
	var st state
	for i, c := range memory.Categories() {
		st[i] = absent
		if info, err := os.Lstat(s.file(c.Folder())); err == nil && info.IsDir() {
			st[i] = info.ModTime().UnixNano()
		}
	}
	st[6] = absent
	if info, err := os.Lstat(s.file(indexName)); err == nil {
		st[6], st[8] = info.ModTime().UnixNano(), info.Size()
		if sys, ok := info.Sys().(*syscall.Stat_t); ok {
			st[7] = int64(sys.Ino)
		}
	}
	return st
}

// Index returns the search file that Options.Derive makes of the records. It
// costs one read and eight looks at the file system while nothing has changed;
// a file that is missing, corrupt or older than the records is made anew, and
// one that cannot be written is made each time.
func (s *Store) Index() ([]byte, error) {
	if s.opt.Derive == nil {
		return nil, errors.New("store: has no search file: Options.Derive is not set")
	}
	_, free := s.settle()
	st := s.state()
	if b, err := disk.Read(s.opt.Cache, derivedLimit); err == nil {
		if payload, ok := openDerived(b, st); ok {
			return payload, nil
		}
	}
	if ok, err := s.exists(); err != nil {
		return nil, err
	} else if !ok {
		return s.opt.Derive(nil), nil
	}
	var loaded Loaded
	s.readShared(&loaded, free)
	payload := s.opt.Derive(loaded.Records)
	if !loaded.failing() {
		s.keep(st, payload) // best effort: without it we are slow, not wrong
	}
	return payload, nil
}

// refresh makes the search file anew while the lock is held, out of what the
// store holds now that plan p is in place; was is its state before that was
// read. It is best effort: one that is not refreshed shows by its state that it
// is old.
func (s *Store) refresh(p plan.Plan, was state, now Loaded) {
	if s.opt.Derive == nil {
		return
	}
	st := s.state()
	if !s.only(p, was, st, now) {
		now = Loaded{}
		s.read(&now)
	}
	if !now.failing() {
		s.keep(st, s.opt.Derive(now.Records))
	}
}

// only says whether nobody but the plan gave a folder a file or took one away
// since the state was was.
func (s *Store) only(p plan.Plan, was, is state, now Loaded) bool {
	for i, c := range memory.Categories() {
		folder := c.Folder() + "/"
		in := func(path string) bool { return strings.HasPrefix(path, folder) }
		if !slices.ContainsFunc(p.Edits, func(e plan.Edit) bool { return in(e.Path) }) {
			if was[i] != is[i] {
				return false
			}
			continue
		}
		want := make(map[string]bool)
		for _, r := range now.Records {
			if in(r.Path) {
				want[r.Path] = true
			}
		}
		for _, b := range now.Bad {
			if in(b.Path) {
				want[b.Path] = true
			}
		}
		entries, err := os.ReadDir(s.file(c.Folder()))
		if err != nil {
			return false
		}
		for _, e := range entries {
			path := folder + e.Name()
			if plan.CheckPath(path) != nil {
				continue
			}
			if !want[path] {
				return false
			}
			delete(want, path)
		}
		if len(want) > 0 {
			return false
		}
	}
	return true
}

// failing says that the system could not read a file, for a reason that may
// pass: no descriptors left, a disk that fails. What is derived then lacks a
// record and must not be kept as if it were whole.
func (l Loaded) failing() bool {
	return slices.ContainsFunc(l.Bad, func(b Bad) bool {
		var no syscall.Errno
		return errors.As(b.Err, &no)
	})
}

// keep writes the search file. The state was taken before the records were
// read, so that a change in between makes the file old rather than wrong.
func (s *Store) keep(st state, payload []byte) error {
	if err := disk.MakeDir(filepath.Dir(s.opt.Cache), 0o700); err != nil {
		return err
	}
	return disk.Write(s.opt.Cache, sealDerived(st, payload), privateMode)
}

func sealDerived(st state, payload []byte) []byte {
	b := make([]byte, 0, derivedHead+len(payload))
	b = append(b, derivedMagic...)
	for _, n := range st {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	b = binary.LittleEndian.AppendUint32(b, derivedSum(b[len(derivedMagic):], payload))
	return append(b, payload...)
}

// openDerived returns the payload of a derived file that is whole and was made
// from this state.
func openDerived(b []byte, want state) ([]byte, bool) {
	if len(b) < derivedHead || string(b[:len(derivedMagic)]) != derivedMagic {
		return nil, false
	}
	head, payload := b[len(derivedMagic):derivedHead], b[derivedHead:]
	for i, n := range want {
		if binary.LittleEndian.Uint64(head[8*i:]) != uint64(n) {
			return nil, false
		}
	}
	sum := binary.LittleEndian.Uint32(head[8*stateLen:])
	return payload, sum == derivedSum(head[:8*stateLen], payload)
}

func derivedSum(state, payload []byte) uint32 {
	// IEEE, because Castagnoli's tables take a hook 0.15 ms to build.
	return crc32.Update(crc32.ChecksumIEEE(state), crc32.IEEETable, payload)
}
