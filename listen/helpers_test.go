package listen

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

const eventBody = `{"event_id":"evt_1","event_type":"payment.succeeded","data":{"amount":1200}}`

// signedAt is the time of signatures in tests.
var signedAt = time.Unix(1767348180, 0).UTC()

func profile(t testing.TB, name string) *profiles.Profile {
	t.Helper()
	file := "../profiles/builtin/" + name + ".yaml"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Parse(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func key(t testing.TB, p *profiles.Profile, secret string) *sign.Key {
	t.Helper()
	k, err := sign.NewKey(p, secret)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// keys is a Receiver.Keys that makes the keys of the secrets.
func keys(secrets ...string) func(*profiles.Profile) ([]*sign.Key, error) {
	return func(p *profiles.Profile) ([]*sign.Key, error) {
		var list []*sign.Key
		for _, s := range secrets {
			k, err := sign.NewKey(p, s)
			if err != nil {
				return nil, err
			}
			list = append(list, k)
		}
		return list, nil
	}
}

// signed are the headers of an attempt with the body.
func signed(t testing.TB, p *profiles.Profile, v sign.Values, body string, secrets ...string) []sign.Header {
	t.Helper()
	if v.Time.IsZero() {
		v.Time = signedAt
	}
	if v.FirstSent.IsZero() {
		v.FirstSent = signedAt
	}
	if v.Attempt == 0 {
		v.Attempt = 1
	}
	var list []*sign.Key
	for _, s := range secrets {
		list = append(list, key(t, p, s))
	}
	signatures, err := sign.Signatures(p, v, strings.NewReader(body), list...)
	if err != nil {
		t.Fatal(err)
	}
	header, err := sign.Headers(p, v, signatures)
	if err != nil {
		t.Fatal(err)
	}
	return header
}

// raw is a request as it stands on the wire.
func raw(method, target string, header []sign.Header, body string) string {
	var b strings.Builder
	b.WriteString(method + " " + target + " HTTP/1.1\r\nHost: hooks.test\r\n")
	for _, h := range header {
		b.WriteString(h.Name + ": " + h.Value + "\r\n")
	}
	b.WriteString("Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body)
	return b.String()
}

// A served Receiver runs on a loopback port.
type served struct {
	t       *testing.T
	address string
	seen    chan Request
	garbage chan string
	stop    func() // and waits until it has stopped
}

// serve runs the receiver until the test ends. Without a clock it stands at
// signedAt.
func serve(t *testing.T, r *Receiver) *served {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &served{t: t, address: l.Addr().String(), seen: make(chan Request, 200), garbage: make(chan string, 100)}
	if r.Now == nil {
		r.Now = func() time.Time { return signedAt }
	}
	r.Seen = func(q Request) { s.seen <- q }
	server := &Server{Receiver: r, Garbage: func(remote string) { s.garbage <- remote }}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, l) }()
	stopped := false
	s.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("Serve: %v", err)
			}
		case <-time.After(patience):
			t.Error("Serve did not end")
		}
	}
	t.Cleanup(s.stop)
	return s
}

// next is the next request that was seen.
func (s *served) next() Request {
	s.t.Helper()
	select {
	case q := <-s.seen:
		return q
	case <-time.After(patience):
		s.t.Fatal("no request was seen")
		return Request{}
	}
}

// quiet fails if a request was seen, once the server has stopped.
func (s *served) quiet() {
	s.t.Helper()
	s.stop()
	select {
	case q := <-s.seen:
		s.t.Errorf("request %d was seen", q.Number)
	default:
	}
}

// dial opens a connection.
func (s *served) dial() *net.TCPConn {
	s.t.Helper()
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	return c.(*net.TCPConn)
}

// talk writes to a new connection and returns all that comes back.
func (s *served) talk(text string) (string, error) {
	s.t.Helper()
	c := s.dial()
	if _, err := io.WriteString(c, text); err != nil {
		s.t.Fatal(err)
	}
	_ = c.CloseWrite()
	all, err := io.ReadAll(c)
	return string(all), err
}

// hear writes a request to a new connection, waits until it was answered, stops
// the server and returns all that came back.
func (s *served) hear(text string) (string, Request, error) {
	s.t.Helper()
	c := s.dial()
	if _, err := io.WriteString(c, text); err != nil {
		s.t.Fatal(err)
	}
	q := s.next()
	s.stop()
	all, err := io.ReadAll(c)
	return string(all), q, err
}

// send sends one request on a connection of its own and reads the answer.
func (s *served) send(text string) *http.Response {
	s.t.Helper()
	return s.sendOn(s.dial(), text)
}

func (s *served) sendOn(c net.Conn, text string) *http.Response {
	s.t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		s.t.Fatal(err)
	}
	return s.answer(bufio.NewReader(c))
}

// answer reads an answer whole.
func (s *served) answer(from *bufio.Reader) *http.Response {
	s.t.Helper()
	a, err := http.ReadResponse(from, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	body, err := io.ReadAll(a.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	a.Body = io.NopCloser(bytes.NewReader(body))
	return a
}

func text(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func script(t testing.TB, text string) *send.Script {
	t.Helper()
	s, err := send.ParseScript(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
