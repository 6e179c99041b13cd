package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A dependency is a module that is linked into a program, or Go itself.
type dependency struct {
	path, version string
	sum           string // as in go.sum; "" of Go
	licence       string // its SPDX identifier
	text          string // of its licence, with what its NOTICE says
}

// writeDependencies writes sbom.cdx.json, the bill of materials in CycloneDX, and THIRD_PARTY_LICENSES.
func (s source) writeDependencies(payload string, wanted []platform) error {
	deps, err := s.dependencies(payload, wanted)
	if err != nil {
		return err
	}
	bill, err := s.bill(deps)
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(payload, "sbom.cdx.json"), bill, 0o644); err != nil {
		return err
	}
	var all strings.Builder
	fmt.Fprintf(&all, "The programs of Keepsake %s contain the following, under these licences.\n", s.version)
	for _, d := range deps {
		fmt.Fprintf(&all, "\n%s\n%s %s (%s)\n\n%s\n", strings.Repeat("=", 80), d.path, d.version, d.licence,
			strings.TrimSpace(d.text))
	}
	return writeFile(filepath.Join(payload, "THIRD_PARTY_LICENSES"), []byte(all.String()), 0o644)
}

// dependencies returns what is linked into the programs of all platforms: what the programs themselves say.
func (s source) dependencies(payload string, wanted []platform) ([]dependency, error) {
	found := map[string]dependency{}
	var goVersion string
	for _, p := range wanted {
		files, err := filesBelow(filepath.Join(payload, "bin", p.String()))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if filepath.Base(f) == sums {
				continue
			}
			info, err := buildinfo.ReadFile(f)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f, err)
			}
			if err := s.fromCommit(info); err != nil {
				return nil, fmt.Errorf("%s: %w", f, err)
			}
			goVersion = strings.TrimPrefix(info.GoVersion, "go")
			for _, m := range info.Deps {
				found[m.Path] = dependency{path: m.Path, version: m.Version, sum: m.Sum}
			}
		}
	}
	root, err := output(s.root, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	folders := map[string]string{"std": strings.TrimSpace(root)}
	found["std"] = dependency{path: "std", version: goVersion}
	listed, err := output(s.root, nil, "go", "list", "-m", "-f", "{{.Path}}\t{{.Dir}}", "all")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(listed) {
		path, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		folders[path] = dir
	}
	var all []dependency
	for path, d := range found {
		if d.licence, d.text, err = licenceIn(folders[path]); err != nil {
			return nil, fmt.Errorf("%s %s: %w", d.path, d.version, err)
		}
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b dependency) int { return strings.Compare(a.path, b.path) })
	return all, nil
}

// fromCommit returns an error unless a program says that it was built from this commit.
func (s source) fromCommit(info *buildinfo.BuildInfo) error {
	for _, set := range info.Settings {
		if set.Key == "vcs.revision" && set.Value == s.commit {
			return nil
		}
	}
	if s.dirty {
		return nil
	}
	return fmt.Errorf("does not say that it was built from commit %s; "+
		"hint: build in a clone, as Go records nothing in a worktree", s.commit)
}

// licences are told by a phrase of each; the first that is found counts.
var licences = []struct{ id, phrase string }{
	{"Apache-2.0", "Apache License Version 2.0"},
	{"MPL-2.0", "Mozilla Public License"},
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"MIT-0", "MIT No Attribution"},
	{"BSD-3-Clause", "Neither the name of"},
	{"BSD-2-Clause", "Redistributions in binary form must reproduce"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software for any purpose"},
	{"blessing", "May you do good and not evil"},
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|notice)([-.].*)?$`)

// licenceIn returns the identifier and the text of the licence of the module in a folder. One that it does
// not know is an error: somebody has to read it before it is shipped.
func licenceIn(dir string) (id, text string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", "", err
	}
	var all []string
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", "", err
		}
		all = append(all, strings.TrimSpace(string(b)))
	}
	text = strings.Join(all, "\n\n")
	if id = licenceOf(text); id == "" {
		return "", "", fmt.Errorf("no known licence in %s; hint: read it, and add it to licences", dir)
	}
	return id, text, nil
}

// licenceOf returns the SPDX identifier of a licence's text, or "".
func licenceOf(text string) string {
	plain := strings.Join(strings.Fields(text), " ")
	for _, l := range licences {
		if strings.Contains(plain, l.phrase) {
			return l.id
		}
	}
	return ""
}

// bill returns the bill of materials in the form of CycloneDX 1.6.
func (s source) bill(deps []dependency) ([]byte, error) {
	type hash struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	type licence struct {
		License struct {
			ID string `json:"id"`
		} `json:"license"`
	}
	type component struct {
		Type       string    `json:"type"`
		Ref        string    `json:"bom-ref"`
		Name       string    `json:"name"`
		Version    string    `json:"version"`
		Licenses   []licence `json:"licenses"`
		PURL       string    `json:"purl,omitempty"`
		Properties []hash    `json:"properties,omitempty"`
	}
	under := func(id string) []licence {
		l := licence{}
		l.License.ID = id
		return []licence{l}
	}
	own := component{Type: "application", Ref: "keepsake", Name: "keepsake", Version: s.version,
		Licenses: under("MIT"), Properties: []hash{{"keepsake:commit", s.commit}}}
	parts := []component{}
	refs := []string{}
	for _, d := range deps {
		url := "pkg:golang/" + d.path + "@" + d.version
		c := component{Type: "library", Ref: url, Name: d.path, Version: d.version,
			Licenses: under(d.licence), PURL: url}
		if d.sum != "" {
			c.Properties = []hash{{"go:sum", d.sum}}
		}
		parts, refs = append(parts, c), append(refs, url)
	}
	b, err := json.Marshal(parts)
	if err != nil {
		return nil, err
	}
	// A serial number that the content gives, in the place of a random one.
	n := sha256.Sum256(append(b, s.commit...))
	n[6], n[8] = n[6]&0x0f|0x80, n[8]&0x3f|0x80
	return indented(map[string]any{
		"$schema":      "http://cyclonedx.org/schema/bom-1.6.schema.json",
		"bomFormat":    "CycloneDX",
		"specVersion":  "1.6",
		"serialNumber": fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", n[:4], n[4:6], n[6:8], n[8:10], n[10:16]),
		"version":      1,
		"metadata":     map[string]any{"timestamp": s.at.Format(time.RFC3339), "component": own},
		"components":   parts,
		"dependencies": []any{map[string]any{"ref": "keepsake", "dependsOn": refs}},
	})
}

// indented returns a value as JSON for files that people look at.
func indented(v any) ([]byte, error) {
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	to.SetIndent("", "  ")
	err := to.Encode(v)
	return out.Bytes(), err
}
