package main

import (
	"fmt"
	"os"
	"time"

	"keepsake/pkg/journal"
)

// checkLog says whether events are logged, where, how many of them are there and
// since when. A log that cannot be written loses events and says nothing of it.
func checkLog(p patient) []diagnosis {
	dir := p.Dirs.Of(p.Place.Home).Events()
	see := "see what is at " + dir
	info, err := os.Lstat(dir)
	switch {
	case isAbsent(err):
	case err != nil:
		return []diagnosis{{State: wrong, What: err.Error(), Remedy: see}}
	case !info.IsDir():
		return []diagnosis{{State: wrong, What: dir + " is no folder, so no event is logged", Remedy: see}}
	}
	of, err := journal.Events{Dir: dir}.Extent()
	if err != nil {
		return []diagnosis{{State: wrong, What: err.Error(), Remedy: see}}
	}
	held := "nothing yet"
	if of.Files > 0 {
		held = fmt.Sprintf("%s in %s since %s", sized(of.Bytes), count(of.Files, "file"), of.First.Format(time.DateOnly))
	}
	l := p.Config.Logging
	if !l.Enabled {
		return []diagnosis{{State: noted, What: fmt.Sprintf("off by the settings; %s holds %s", dir, held),
			Remedy: "keepsake config set logging.enabled on"}}
	}
	if d := existing(dir); !writable(d) {
		return []diagnosis{{State: wrong, What: d + " cannot be written, so no event is logged",
			Remedy: "give yourself write permission to " + d}}
	}
	kept := "until it is full"
	if l.RetentionDays > 0 {
		kept = "for " + count(l.RetentionDays, "day")
	}
	return []diagnosis{{What: fmt.Sprintf("on, from level %s, kept %s: %s holds %s", l.Level, kept,
		dir, held)}}
}

// sized is a number of bytes for people.
func sized(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KB", (n+1023)>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
