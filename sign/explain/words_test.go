package explain

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestEveryKindHasWords(t *testing.T) {
	w := newWords()
	known := []string{
		"it", "stands", "maker", "forged", "title", "secret", "header", "form", "content", "encoding", "algorithm", "received", "arrivedbytes", "frameworks",
		"which", "age", "limit", "digits", "whole", "signed", "sizes", "writer", "detail", "named", "arrived", "value", "shape", "length", "helps", "fixes",
		"urlfix", "cutfix", "foreign", "late", "part", "write", "shapefix",
	}
	placeholder := regexp.MustCompile(`\{([a-z]+)\}`)
	for _, r := range rows() {
		clause, summary, guess, fix := w.text(r.kind, "clause"), w.text(r.kind, "summary"), w.text(r.kind, "guess"), w.text(r.kind, "fix")
		if fix == "" {
			t.Errorf("%s: no fix", r.kind)
		}
		if clause == "" && summary == "" && guess == "" && r.kind != twoFaults {
			t.Errorf("%s: nothing is said", r.kind)
		}
		if r.certainty == Heuristic && !strings.Contains(guess, "look") {
			t.Errorf("%s: a sign is not worded as one: %q", r.kind, guess)
		}
		// Whatever can be one of two faults needs a clause.
		if r.certainty == Proven && clause == "" && !slices.Contains([]Kind{timestampMilliseconds, timestampTooOld, timestampInFuture, twoFaults, verified}, r.kind) {
			t.Errorf("%s: no clause", r.kind)
		}
		for _, text := range []string{clause, summary, guess, fix, w.text(r.kind, "more")} {
			for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
				if !slices.Contains(known, m[1]) {
					t.Errorf("%s: {%s} has no value", r.kind, m[1])
				}
			}
		}
	}
	if n := strings.Count(w.texts, "\n["); n != len(rows()) {
		t.Errorf("words for %d kinds, want %d", n, len(rows()))
	}
}

func TestListsHaveWords(t *testing.T) {
	w := newWords()
	for _, name := range []string{"placeholder secrets", "placeholder bodies", "families of placeholders", "foreign headers", "beginnings of API keys", "frameworks", "helps"} {
		list := w.list(name)
		if len(list) == 0 {
			t.Errorf("no %s", name)
		}
		slices.Sort(list)
		if len(slices.Compact(slices.Clone(list))) != len(list) {
			t.Errorf("%s: a line is there twice", name)
		}
	}
	for _, s := range serialisers() {
		if s.family != "rust" && s.family != "sql" && w.frameworks(s.family) == w.frameworks("") {
			t.Errorf("no frameworks for %s", s.family)
		}
	}
	if w.frameworks("none of these") != w.frameworks("") || w.frameworks("") == "" {
		t.Error("no general frameworks")
	}
}

func TestDurationsAreCutLikeAClock(t *testing.T) {
	for text, seconds := range map[string]int{"0 s": 0, "59 s": 59, "1 m": 60, "14 m 3 s": 843, "1 h": 3601, "1 h 42 m": 6150, "2 d 7 h": 198000, "1 d": 86400 + 59} {
		if got := duration(time.Duration(seconds) * time.Second); got != text {
			t.Errorf("%d s is %q, want %q", seconds, got, text)
		}
	}
}
