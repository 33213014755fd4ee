package profiles

import (
	"encoding/json"
	"errors"
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, text := range brokenFiles(f) {
		f.Add([]byte(text))
	}
	entries, err := Builtin().All()
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entries {
		f.Add(e.Source())
	}
	f.Add(newFile)
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse("fuzz.yaml", data)
		if (p == nil) == (err == nil) {
			t.Fatalf("profile %v, error %v", p, err)
		}
		var faults Errors
		if err != nil && (!errors.As(err, &faults) || len(faults) == 0 || len(faults) > maxFaults) {
			t.Fatalf("error %v", err)
		}
		for _, e := range faults {
			if e.Line < 1 || e.Column < 0 || e.Message == "" {
				t.Fatalf("fault %+v", e)
			}
		}
		text, err := JSON(data)
		if err == nil && !json.Valid(text) {
			t.Fatalf("JSON %s", text)
		}
		if p == nil {
			return
		}
		if err != nil {
			t.Fatalf("a profile without JSON: %v", err)
		}
		if last := p.Delivery.Rules[len(p.Delivery.Rules)-1]; judge(p, Outcome{Status: 987}) == "no rule" {
			t.Fatalf("no rule for all, the last is %+v", last)
		}
		if renamed, err := rename(data, "other"); err == nil {
			if again, err := Parse("other.yaml", renamed); err != nil || again.Name != "other" {
				t.Fatalf("renamed: %v\n%s", err, renamed)
			}
		}
	})
}
