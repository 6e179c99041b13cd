package main

import (
	"crypto/sha512"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// npmName is the name of the plugin on npm; the programs of a platform are in npmName-OS-ARCH.
const npmName = "keepsake-memory"

//go:embed platform.sh
var platformScript string

//go:embed keepsake.sh
var keepsakeScript string

// launchers returns the scripts in bin that choose between the programs of several platforms.
func launchers() map[string][]byte {
	return map[string][]byte{
		"platform": []byte(strings.ReplaceAll(platformScript, "@NPM@", npmName)),
		"keepsake": []byte(keepsakeScript),
	}
}

// writePackages writes the archives of a payload: a tarball for each platform, the packages of npm, and the
// marketplace that offers them.
func (s source) writePackages(payload, out string, wanted []platform) error {
	plugin, err := membersBelow(payload, "package/", func(name string) bool {
		return !strings.HasPrefix(name, "bin/") || !strings.Contains(name[len("bin/"):], "/")
	})
	if err != nil {
		return err
	}
	optional, locked := map[string]any{}, map[string]any{}
	for _, p := range wanted {
		ours := "bin/" + p.String() + "/"
		files, err := membersBelow(payload, "keepsake/", func(name string) bool {
			return !strings.HasPrefix(name, "bin/") || strings.HasPrefix(name, ours) ||
				!strings.Contains(name[len("bin/"):], "/")
		})
		if err != nil {
			return err
		}
		packed, err := archive(files, s.at, s.compression())
		if err != nil {
			return err
		}
		name := fmt.Sprintf("keepsake-%s-%s.tar.gz", s.version, p)
		if err := writeFile(filepath.Join(out, name), packed, 0o644); err != nil {
			return err
		}

		programs, err := membersBelow(filepath.Join(payload, ours), "package/bin/",
			func(string) bool { return true })
		if err != nil {
			return err
		}
		manifest := s.manifest(npmName+"-"+p.String(), "The programs of Keepsake for "+p.String())
		manifest["os"], manifest["cpu"] = []string{p.os}, []string{npmCPU(p.arch)}
		_, integrity, err := s.writePackage(out, manifest, programs, payload)
		if err != nil {
			return err
		}
		pkg := manifest["name"].(string)
		optional[pkg] = s.version
		locked["node_modules/"+pkg] = map[string]any{
			"version": s.version, "optional": true, "integrity": integrity, "license": "MIT",
			"resolved": fmt.Sprintf("https://registry.npmjs.org/%s/-/%s-%s.tgz", pkg, pkg, s.version),
			"os":       manifest["os"], "cpu": manifest["cpu"],
		}
	}
	manifest := s.manifest(npmName, "Keepsake, a memory for Claude Code that its user can trust")
	manifest["optionalDependencies"] = optional
	root := map[string]any{"name": npmName, "version": s.version, "license": "MIT",
		"optionalDependencies": optional}
	locked[""] = root
	// Without this file the client fetches no dependency, and says that it has installed the plugin.
	shrinkwrap, err := indented(map[string]any{"name": npmName, "version": s.version, "lockfileVersion": 3,
		"requires": true, "packages": locked})
	if err != nil {
		return err
	}
	plugin = append(plugin, member{name: "package/npm-shrinkwrap.json", text: shrinkwrap, mode: 0o644})
	if _, _, err := s.writePackage(out, manifest, plugin, ""); err != nil {
		return err
	}
	return s.writeMarketplace(out)
}

// npmCPU returns what npm calls an architecture.
func npmCPU(arch string) string {
	if arch == "amd64" {
		return "x64"
	}
	return arch
}

func (s source) manifest(name, description string) map[string]any {
	return map[string]any{"name": name, "version": s.version, "description": description, "license": "MIT"}
}

// writePackage writes a package of npm and returns its path and what a lock file has of it. licences is the
// folder whose licences it takes along, "" if they are among the files.
func (s source) writePackage(out string, manifest map[string]any, files []member,
	licences string) (path, integrity string, err error) {
	b, err := indented(manifest)
	if err != nil {
		return "", "", err
	}
	files = append(files, member{name: "package/package.json", text: b, mode: 0o644})
	if licences != "" {
		for _, name := range []string{"LICENSE", "THIRD_PARTY_LICENSES"} {
			files = append(files, member{name: "package/" + name, from: filepath.Join(licences, name),
				mode: 0o644})
		}
	}
	packed, err := archive(files, s.at, s.compression())
	if err != nil {
		return "", "", err
	}
	path = filepath.Join(out, "npm", fmt.Sprintf("%s-%s.tgz", manifest["name"], s.version))
	digest := sha512.Sum512(packed)
	return path, "sha512-" + base64.StdEncoding.EncodeToString(digest[:]), writeFile(path, packed, 0o644)
}

// marketplaceName is the path of a marketplace's list of plugins.
const marketplaceName = ".claude-plugin/marketplace.json"

// marketplace returns the marketplace of the checkout, with the version of what it offers: so a session can
// tell from the list alone that there is a newer one. source is where the plugin comes from, nil for the same
// folder.
func (s source) marketplace(source map[string]any) ([]byte, error) {
	b, err := os.ReadFile(filepath.Join(s.root, marketplaceName))
	if err != nil {
		return nil, err
	}
	var market map[string]any
	if err := json.Unmarshal(b, &market); err != nil {
		return nil, err
	}
	plugins, _ := market["plugins"].([]any)
	if len(plugins) != 1 {
		return nil, fmt.Errorf("%s has %d plugins, want 1", marketplaceName, len(plugins))
	}
	plugin := plugins[0].(map[string]any)
	plugin["version"] = s.version
	if source != nil {
		plugin["source"] = source
	}
	return indented(market)
}

// writeMarketplace writes the marketplace that offers the plugin by npm.
func (s source) writeMarketplace(out string) error {
	b, err := s.marketplace(map[string]any{"source": "npm", "package": npmName, "version": s.version})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(out, "marketplace", marketplaceName), b, 0o644)
}

// readme returns what a release says of itself.
func (s source) readme() []byte {
	return []byte(fmt.Sprintf(`# Keepsake %s

A memory for Claude Code that you can trust, as a plugin with its programs. Built from commit
%s.

    claude plugin marketplace add <this folder, or the git repository that holds it>
    claude plugin install keepsake@keepsake

Then start a new session. sbom.cdx.json lists what the programs contain, THIRD_PARTY_LICENSES the licences.
In bin, each folder of programs has the digests of its programs: sha256sum -c SHA256SUMS.
`, s.version, s.commit))
}
