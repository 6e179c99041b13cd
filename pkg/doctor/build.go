package doctor

import (
	"bytes"
	"errors"
	"runtime/debug"
)

// sameBuild returns an error unless the bytes of a program are from the same build as own: of this
// module, from the same commit, by the same Go. It searches for the lines that the linker wrote, in the
// form of debug.BuildInfo.String. Package debug/buildinfo would parse them, but it links readers of
// object files, which slow every start of this program.
func sameBuild(program []byte, own *debug.BuildInfo) error {
	if !bytes.Contains(program, []byte("\nmod\t"+own.Main.Path+"\t")) {
		return errors.New("is not a program of keepsake")
	}
	of := map[string]string{}
	for _, s := range own.Settings {
		of[s.Key] = s.Value
	}
	same := bytes.Contains(program, []byte(own.GoVersion))
	for _, key := range []string{"vcs.revision", "vcs.modified"} {
		line := "\nbuild\t" + key + "="
		value, known := of[key]
		if known {
			line += value + "\n"
		}
		same = same && bytes.Contains(program, []byte(line)) == known
	}
	if !same {
		return errors.New("was built from another source than this program")
	}
	return nil
}
