package cmd

import (
	"context"
	"strings"
	"testing"
)

func TestRelease(t *testing.T) {
	for in, want := range map[string]string{
		"v0.1.0":                               "0.1.0",
		"v1.2.3-rc.1":                          "1.2.3-rc.1",
		"(devel)":                              "dev",
		"":                                     "dev",
		"v0.0.0-20260102030405-abcdef012345":   "dev",
		"v0.1.1-0.20260102030405-abcdef012345": "dev",
		"v0.1.0+dirty":                         "dev",
	} {
		if got := release(in); got != want {
			t.Errorf("release(%q) = %q, want %q", in, got, want)
		}
	}
}

// check waits for its body on stdin before it waits for the receiver.
func TestSignalsAreWatchedOnce(t *testing.T) {
	a, _, errs := world{stdin: strings.NewReader(`{"event_id":"evt_1","event_type":"paid"}`)}.app()
	watched := 0
	a.Signals = func(ctx context.Context) context.Context {
		watched++
		return ctx
	}
	code := Main(t.Context(), a.Env, []string{"check", "-p", "kudos", "--secret", "s3cret-of-tests", "-d", "@-", "http://127.0.0.1:1/"})
	if code != ExitCannot || watched != 1 {
		t.Errorf("exit code %d, signals watched %d times: %s", code, watched, errs)
	}
}
