package send

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

func TestDuplicateSendsTheSameBytes(t *testing.T) {
	addr, heads := rawHead(t)
	s := sender(t, "kudos", "http://"+addr+"/hooks")
	s.Header = []sign.Header{{Name: "Host", Value: "other.example"}}
	a, _ := first(t, s)
	s.SignAt = time.Unix(1, 0) // must not be signed again
	d := s.Duplicate(t.Context(), payment(), a)
	if d.Number != 1 || d.Due != a.Due+a.Took || d.Verdict.Then != profiles.Delivered || d.Next != nil || !d.Waited || d.At.IsZero() {
		t.Errorf("%+v", d)
	}
	if h := heads(); len(h) != 2 || h[0] != h[1] {
		t.Errorf("heads %q", h)
	}
	if !reflect.DeepEqual(d.Request, a.Request) {
		t.Errorf("request %+v, want %+v", d.Request, a.Request)
	}
}

func TestNoSecretIsJudgedWhereTheProfileSaysSo(t *testing.T) {
	s := sender(t, "clodo", "http://localhost:1/")
	s.Keys = nil
	attempts, ending := all(t.Context(), s)
	if len(attempts) != 1 || ending.State != StateFailed || ending.Cause != ByRule || ending.Elapsed != 0 {
		t.Fatalf("%+v, %+v", attempts, ending)
	}
	a := attempts[0]
	if !reflect.DeepEqual(a.Failure, &Failure{Kind: profiles.NoSecret, Message: "no active secret; no request was sent"}) || a.Request != nil || a.Took != 0 || !a.Waited {
		t.Errorf("%+v", a)
	}
}

func TestWhatCheckRefusesIsNotSent(t *testing.T) {
	s := sender(t, "kudos", "http://localhost:1/")
	s.Keys = nil
	attempts, ending := all(t.Context(), s)
	if len(attempts) != 0 || ending.State != StateInterrupted || !slices.Contains(ending.Notes, "no secret for kudos") {
		t.Errorf("%+v, %+v", attempts, ending)
	}
	if want := (&NoSecretError{Profile: "kudos", Where: "in the CRM console"}); !reflect.DeepEqual(ending.Err, error(want)) {
		t.Errorf("error %#v, want %#v", ending.Err, want)
	}
	if _, ending := all(t.Context(), sender(t, "kudos", "http://127.0.0.1:1/")); ending.Err != nil {
		t.Errorf("error %v of a delivery that could be sent", ending.Err)
	}
}

func TestProductionIsNoted(t *testing.T) {
	addr := serve(t, says("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
	for profile, want := range map[string]string{
		"clodo":    "in production Clodo refuses 127.0.0.1, a loopback address (--strict)",
		"kustomer": "in production Kustomer needs https (--strict)",
	} {
		_, ending := all(t.Context(), sender(t, profile, "http://"+addr+"/"))
		if !slices.Contains(ending.Notes, want) {
			t.Errorf("%s: %q", profile, ending.Notes)
		}
	}
	_, ending := all(t.Context(), sender(t, "kudos", "http://"+addr+"/"))
	if strings.Contains(strings.Join(ending.Notes, "\n"), "in production") {
		t.Errorf("kudos: %q", ending.Notes)
	}
}

func TestShortcutsSpareTheWaiting(t *testing.T) {
	tests := []struct {
		name  string
		play  func(s *Shortcuts, remote string) (gone bool)
		took  time.Duration
		kind  profiles.Failure
		known bool
	}{
		{"time-out", func(s *Shortcuts, r string) bool { return s.Timeout(r) }, 20 * time.Second, profiles.ReadTimeout, true},
		{"delay", func(s *Shortcuts, r string) bool { return s.Delay(r, 9*time.Second) }, 9 * time.Second, "", true},
		{"delay at the limit", func(s *Shortcuts, r string) bool { return s.Delay(r, 20*time.Second) }, 20 * time.Second, profiles.ReadTimeout, true},
		{"delays add up", func(s *Shortcuts, r string) bool { return s.Delay(r, 19*time.Second) || s.Delay(r, time.Second) }, 20 * time.Second, profiles.ReadTimeout, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			shortcuts := &Shortcuts{}
			s := sender(t, "clodo", "")
			s.Shortcuts = shortcuts
			s.URL = "http://" + serve(t, func(c net.Conn) {
				takeRequest(c)
				if tt.play(shortcuts, c.RemoteAddr().String()) {
					untilGone(c)
					return
				}
				io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			}) + "/"
			a, _ := first(t, s)
			if a.Outcome().Failure != tt.kind || a.Took != tt.took || a.Waited {
				t.Errorf("%+v, failure %+v", a, a.Failure)
			}
			if tt.kind != "" && a.Failure.Message != "connected and sent, but no answer within 20 s" {
				t.Errorf("message %q", a.Failure.Message)
			}
			if shortcuts.Timeout("127.0.0.1:1") || shortcuts.Delay("127.0.0.1:1", time.Hour) || len(shortcuts.by) != 0 {
				t.Errorf("still known: %v", shortcuts.by)
			}
		})
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.WriteHeader(503)
	}))
	defer server.Close()
	gone := serve(t, takeRequest)
	deliver := func() {
		for _, url := range []string{server.URL, "http://" + gone, "http://localhost:1"} {
			s := sender(t, "kudos", url)
			all(context.Background(), s)
			first(t, s)
		}
	}
	deliver()
	server.CloseClientConnections()
	nothingLeft(t, func() {
		for range 20 {
			deliver()
		}
		server.CloseClientConnections()
	})
}

// descriptors is the number of open files, where the system tells.
func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return len(entries)
}

func TestDeliveriesAtOnce(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }))
	defer server.Close()
	s := sender(t, "kudos", server.URL)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			m := payment()
			m.Number = i
			seq, end := s.Deliver(t.Context(), m)
			for a := range seq {
				if a.Response == nil || string(a.Response.Body) != string(m.Body) {
					t.Errorf("%+v", a.Failure)
				}
			}
			if end().State != StateDelivered {
				t.Errorf("%+v", end())
			}
		})
	}
	wg.Wait()
}

func TestIteratorIsForOneUse(t *testing.T) {
	s := sender(t, "clodo", "http://localhost:1/")
	seq, _ := s.Deliver(t.Context(), payment())
	n := 0
	for range seq {
		n++
	}
	for range seq {
		t.Error("an attempt in the second loop")
	}
	if n != 3 {
		t.Errorf("%d attempts", n)
	}
}
