package cmd

import (
	"bytes"
	"context"
	"io"
	"math"
	"net"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// An announcement is a stream that tells the URL of listen as soon as it was
// written to it.
type announcement struct {
	mu  sync.Mutex
	all bytes.Buffer
	url chan<- string
}

func (a *announcement) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all.Write(p)
	first, _, whole := strings.Cut(a.all.String(), "\n")
	if _, at, ok := strings.Cut(first, "://"); ok && whole {
		at, _, _ = strings.Cut(at, "/")
		select {
		case a.url <- at:
		default:
		}
	}
	return len(p), nil
}

// requestsOf are whole requests with an attack somewhere.
func requestsOf() map[string]func(evil string) string {
	post := func(format, body string) func(string) string {
		return func(e string) string {
			b := strings.ReplaceAll(body, "EVIL", e)
			return strings.ReplaceAll(format, "EVIL", e) + "\r\nHost: h\r\nConnection: close\r\nContent-Length: " + strconv.Itoa(len(b)) + "\r\n\r\n" + b
		}
	}
	const signed = "\r\nX-Kudos-Event-Id: evt_1\r\nX-Kudos-Signature: t=1767348183,v1="
	digest := strings.Repeat("0f", 32)
	return map[string]func(string) string{
		"path":           post("POST /EVIL HTTP/1.1", ""),
		"query":          post("POST /?EVIL=EVIL HTTP/1.1", ""),
		"method":         post("EVIL / HTTP/1.1", ""),
		"version":        post("POST / EVIL", ""),
		"header":         post("POST / HTTP/1.1\r\nX-A: EVIL", "{}"),
		"header name":    post("POST / HTTP/1.1\r\nX-EVIL: 1", "{}"),
		"host":           post("POST / HTTP/1.1\r\nX-Forwarded-Host: EVIL", "{}"),
		"content type":   post("POST / HTTP/1.1\r\nContent-Type: EVIL", "{}"),
		"credentials":    post("POST / HTTP/1.1\r\nAuthorization: EVIL\r\nCookie: EVIL", "{}"),
		"signature":      post("POST / HTTP/1.1\r\nX-Kudos-Event-Id: evt_1\r\nX-Kudos-Signature: EVIL", "{}"),
		"time":           post("POST / HTTP/1.1\r\nX-Kudos-Event-Id: evt_1\r\nX-Kudos-Signature: t=EVIL,v1="+digest, "{}"),
		"digest":         post("POST / HTTP/1.1\r\nX-Kudos-Event-Id: evt_1\r\nX-Kudos-Signature: t=1767348183,v1=EVIL", "{}"),
		"id":             post("POST / HTTP/1.1\r\nX-Kudos-Signature: t=1767348183,v1="+digest+"\r\nX-Kudos-Event-Id: EVIL", "{}"),
		"attempt":        post("POST / HTTP/1.1\r\nX-Kudos-Delivery-Attempt: EVIL"+signed+digest, "{}"),
		"other provider": post("POST / HTTP/1.1\r\nX-Kustomer-Webhook-Event: EVIL\r\nX-Kustomer-Webhook-Signature: EVIL", `{"name":"EVIL"}`),
		"body":           post("POST / HTTP/1.1"+signed+digest, "EVIL"),
		"body of JSON":   post("POST / HTTP/1.1\r\nContent-Type: application/json"+signed+digest, `{"event_id":"EVIL","event_type":"EVIL","EVIL":["EVIL"]}`),
		"body of a form": post("POST / HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded"+signed+digest, "payload=EVIL&EVIL"),
		"length":         func(e string) string { return "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + e + "\r\n\r\n" },
		"chunk": func(e string) string {
			return "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + e + "\r\n"
		},
		"trailer": func(e string) string {
			return "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: " + e + "\r\n\r\n"
		},
		"garbage":        func(e string) string { return e + "\r\n\r\n" },
		"half a request": func(e string) string { return "POST /" + e },
	}
}

// listens runs listen, posts the requests and ends it.
func (w world) listens(t *testing.T, requests []string, args ...string) ran {
	t.Helper()
	a, _, _ := w.app()
	at := make(chan string, 1)
	out, errs := &announcement{url: at}, &announcement{url: at}
	a.Stdout, a.Stderr = out, errs
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, a.Env, append([]string{"listen", "--addr", "127.0.0.1:0"}, args...))
	}()
	select {
	case host := <-at:
		for _, r := range requests {
			c, err := net.Dial("tcp", host)
			if err != nil {
				t.Fatal(err)
			}
			go func() { // an answer may come before all is sent
				_, _ = io.WriteString(c, r)
				_ = c.(*net.TCPConn).CloseWrite()
			}()
			_, _ = io.Copy(io.Discard, c)
			c.Close()
		}
	case c := <-code:
		code <- c
	}
	cancel()
	return ran{<-code, out.all.String(), errs.all.String()}
}

// What a sender sends is shown escaped, in each of its parts.
func TestNoRequestDrivesTheTerminalOfListen(t *testing.T) {
	folder(t, nil)
	application := peer(t, "HTTP/1.1 200 \x1b[2J\r\nX: \x1b[2J\x9b\r\nContent-Length: 4\r\n\r\n\x1b[2J")
	silent := peer(t, "\x1b[2J garbage \x9b\r\n\r\n")
	for name, evil := range attacks() {
		var requests []string
		for _, make := range requestsOf() {
			requests = append(requests, make(evil), make(evil)) // the second one is a duplicate
		}
		for _, form := range []string{
			"", "-v --color always --forward-to " + application, "--verify -v --forward-all --forward-to " + silent, "--verify --json",
		} {
			t.Run(name+"/"+form, func(t *testing.T) {
				r := secretWorld.listens(t, requests, strings.Fields(form)...)
				r.isSafe(t, form)
				if lines := strings.Count(r.stdout, "\n"); form == "" && lines < 10 {
					t.Errorf("%d lines for %d requests: %.2000s", lines, len(requests), r.stdout)
				}
			})
		}
	}
}

// The largest values that the flags of listen take are as good as any.
func TestFlagsOfListenAreTakenAtTheirLimits(t *testing.T) {
	const chunked = "POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
	folder(t, nil)
	for _, form := range []string{
		"--max-body 9223372036854775807", "--max-body 9007199254740991KiB", "--exit-after 1000000000", "--for 106751d", "--for 2562047h47m16.854775807s",
		"--dedupe --dedupe-for 2562047h47m16.854775807s",
	} {
		for _, more := range []string{"--json", "-q"} {
			r := secretWorld.listens(t, []string{chunked, chunked}, strings.Fields(form+" "+more)...)
			if want := map[string]int{"--json": 2, "-q": 0}[more]; strings.Count(r.stdout, `"status":200`) != want || !strings.Contains(r.stderr, "2 requests") {
				t.Errorf("listen %s %s: %s%s", form, more, r.stdout, r.stderr)
			}
		}
	}
}

func TestMemoryIsBoundedWhateverABodyMayHave(t *testing.T) {
	for _, most := range []int64{0, 1 << 40, math.MaxInt64/2 + 1, math.MaxInt64} {
		o := &listenOptions{maxBody: newSize()}
		o.maxBody.value = most
		undo := (&listening{o: o}).boundMemory()
		got := debug.SetMemoryLimit(-1)
		undo()
		if got < 96<<20 || got < min(most, 1<<40) || got == math.MaxInt64 {
			t.Errorf("bodies of %d bytes: memory is bounded to %d", most, got)
		}
	}
}
