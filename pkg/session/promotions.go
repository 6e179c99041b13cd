package session

import "path/filepath"

// Promotions is where promotions under way are kept. All worktrees share it.
func (s *Session) Promotions() string { return filepath.Join(s.state(), "promotions") }
