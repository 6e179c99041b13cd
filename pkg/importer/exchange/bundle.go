package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"

	"keepsake/pkg/memory"
)

// bundleVersion is the version of the export that this package writes.
const bundleVersion = 1

// A bundle is the JSON form of an export:
//
//	{"keepsake_export": 1, "records": [{…as in its file…}]}
type bundle struct {
	Version int               `json:"keepsake_export"`
	Records []json.RawMessage `json:"records"`
}

// Bundle is the export that Unbundle reads: every record byte for byte as its
// file has it, but for the indentation.
func Bundle(records []memory.Stored) []byte {
	out := bundle{Version: bundleVersion, Records: []json.RawMessage{}}
	for _, r := range records {
		out.Records = append(out.Records, r.Encode())
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		panic("exchange: records do not encode") // each is JSON that was made by Encode
	}
	return b.Bytes()
}

// Unbundle reads an export. A record in it that cannot be read costs itself.
func Unbundle(b []byte) (offers []Offer, passed []Passed, err error) {
	var in bundle
	if err := json.Unmarshal(b, &in); err != nil {
		return nil, nil, fmt.Errorf("is no export: %w", err)
	}
	switch {
	case in.Version == 0:
		return nil, nil,
			fmt.Errorf(`is no export: it has no "keepsake_export"; hint: keepsake records export --format json makes one`)
	case in.Version > bundleVersion:
		return nil, nil, fmt.Errorf("%w: export of version %d, this one reads up to %d", memory.ErrNewer,
			in.Version, bundleVersion)
	}
	for i, raw := range in.Records {
		from := fmt.Sprintf("record %d", i+1)
		r, err := memory.Decode(raw)
		if err != nil {
			passed = append(passed, Passed{from, err.Error()})
			continue
		}
		offers = append(offers, Offer{Record: r, From: from})
	}
	return offers, passed, nil
}
