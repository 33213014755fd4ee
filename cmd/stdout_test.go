package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// leaving is a reader of stdout that takes one line and leaves.
type leaving struct {
	first chan string
	err   error
	took  bool
}

func (l *leaving) Write(p []byte) (int, error) {
	if l.took {
		return 0, l.err
	}
	l.took = true
	l.first <- string(p)
	return len(p), nil
}

func TestListenAnswersBeforeItEndsForWantOfAReader(t *testing.T) {
	folder(t, nil)
	for _, test := range []struct {
		err  error
		says string
	}{
		{syscall.EPIPE, ""},
		{syscall.ENOSPC, "hookctl: error: writing the output: no space left on device\n"},
	} {
		a, _, errs := world{}.app()
		out := &leaving{first: make(chan string, 1), err: test.err}
		a.Stdout = out
		code := make(chan int, 1)
		go func() {
			code <- Main(context.Background(), a.Env, strings.Fields("listen --json --addr 127.0.0.1:0 --respond 202 --for 1m --exit-after 5"))
		}()
		var ready readyDocument
		if err := json.Unmarshal([]byte(<-out.first), &ready); err != nil || ready.Schema != "hookctl.ready/1" {
			t.Fatalf("%+v, %v", ready, err)
		}
		res, err := http.Post(ready.URL, "text/plain", strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusAccepted {
			t.Errorf("answered %d", res.StatusCode)
		}
		if got := <-code; got != ExitCannot {
			t.Errorf("%v: exit code %d", test.err, got)
		}
		if got := errs.String(); !strings.HasSuffix(got, test.says) || strings.Contains(got, "answered") || strings.Contains(got, "error") != (test.says != "") {
			t.Errorf("%v: stderr %q, want %q at its end", test.err, got, test.says)
		}
	}
}

func TestNothingIsWrittenAfterAnError(t *testing.T) {
	var all bytes.Buffer
	broken := errors.New("broken")
	inner := &leaving{first: make(chan string, 1), err: broken}
	w := &watched{w: inner}
	for i, want := range []error{nil, broken, broken} {
		if _, err := w.Write([]byte("x")); !errors.Is(err, want) {
			t.Errorf("write %d: %v, want %v", i+1, err, want)
		}
	}
	inner.took = false // it would take more
	if n, err := w.Write([]byte("x")); n != 0 || !errors.Is(err, broken) || len(inner.first) != 1 {
		t.Errorf("%d, %v", n, err)
	}
	w = &watched{w: &all}
	if n, err := w.Write([]byte("text")); n != 4 || err != nil || all.String() != "text" || w.err != nil {
		t.Errorf("%d, %v, %q", n, err, all.String())
	}
}
