package layout

import (
	"os"
	"path/filepath"
)

// Bin returns the folder of this installation's programs, from the path of this one: bin/keepsake,
// bin/hooks/<name> or bin/libexec/<name>. No variable moves it. It is "" when that can't be told.
func Bin() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	dir := filepath.Dir(Resolved(exe))
	if name := filepath.Base(dir); name == "hooks" || name == "libexec" {
		return filepath.Dir(dir)
	}
	return dir
}

// Plugin returns the folder of this installation: the nearest above its programs that has a manifest. They
// may be in bin, in bin/<platform>, or in a package of npm below it. Without a manifest it is the folder of
// bin.
func Plugin() string {
	bin := Bin()
	if bin == "" {
		return ""
	}
	for dir := filepath.Dir(bin); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(Manifest(dir)); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return filepath.Dir(bin)
		}
	}
}

// Manifest returns the path of the manifest of a plugin.
func Manifest(plugin string) string { return filepath.Join(plugin, ".claude-plugin", "plugin.json") }

// Unversioned is the version of a program that was not built by make.
const Unversioned = "dev"

// version is set by the build.
var version = Unversioned

// Version returns the version of this program: that of plugin.json, or Unversioned.
func Version() string { return version }

// HasSources reports whether a plugin lies in a checkout, from which its programs are built.
func HasSources(plugin string) bool {
	_, err := os.Stat(filepath.Join(plugin, "Makefile"))
	return err == nil
}

// Program returns the path of this installation's command line, which its other programs start.
func Program() string { return at(Bin(), "keepsake") }

// CommandPath returns the path by which agents and people start it. In a release this is a script that starts
// the program for this machine. The gate clears the way for no other path.
func CommandPath() string {
	path := at(Plugin(), "bin", "keepsake")
	if _, err := os.Stat(path); err != nil {
		return Program()
	}
	return path
}

// Hook returns the path of a program that answers events of the client.
func Hook(name string) string { return at(Bin(), "hooks", name) }

// HooksFile returns the path of the file in which a plugin lists its hooks.
func HooksFile(plugin string) string { return filepath.Join(plugin, "hooks", "hooks.json") }

// Sums returns the path of the digests of this installation's programs. Only a release has them.
func Sums() string { return at(Bin(), "SHA256SUMS") }

// Libexec returns the path of a program of this installation that another one starts.
func Libexec(name string) string { return at(Bin(), "libexec", name) }
