package disk

import "errors"

// SyncFolders makes all files durable that were written until now to the file systems of some folders. The
// error is errors.ErrUnsupported on a system that can't.
func SyncFolders([]*Folder) error { return errors.ErrUnsupported }
