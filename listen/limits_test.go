package listen

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// limited is what a test compares of a request that a limit refused.
type limited struct {
	Method, Target string
	Answer         Answer
	Body           string
	BodyRead       bool
	Kind           profiles.Failure
	Message        string
}

func limitedOf(q Request) limited {
	l := limited{Method: q.Method, Target: q.Target, Answer: q.Answer, Body: string(q.Body), BodyRead: q.BodyRead}
	if q.Failure != nil {
		l.Kind, l.Message = q.Failure.Kind, q.Failure.Message
	}
	return l
}

func TestLimitsAreKept(t *testing.T) {
	head := func(extra string) string { return "POST /h HTTP/1.1\r\nHost: h\r\n" + extra + "\r\n" }
	tests := []struct {
		name, request string
		status        int
		want          limited
	}{
		{"a body of the whole size", head("Content-Length: 10\r\n") + "0123456789", 200,
			limited{"POST", "/h", Answer{200, ByDefault}, "0123456789", true, "", ""}},
		{"chunks of the whole size", head("Transfer-Encoding: chunked\r\n") + "4\r\n0123\r\n6\r\n456789\r\n0\r\n\r\n", 200,
			limited{"POST", "/h", Answer{200, ByDefault}, "0123456789", true, "", ""}},
		{"a longer body", head("Content-Length: 11\r\n") + "01234567890", 413,
			limited{"POST", "/h", Answer{413, ByLimit}, "", false, "", ""}},
		{"a longer body that was only announced", head("Content-Length: 9223372036854775807\r\n"), 413,
			limited{"POST", "/h", Answer{413, ByLimit}, "", false, "", ""}},
		{"longer chunks", head("Transfer-Encoding: chunked\r\n") + "b\r\n01234567890\r\n0\r\n\r\n", 413,
			limited{"POST", "/h", Answer{413, ByLimit}, "", false, "", ""}},
		{"a body that ends early", head("Content-Length: 10\r\n") + "01234", 408,
			limited{"POST", "/h", Answer{408, ByLimit}, "", false,
				profiles.Closed, "the body ended early: 5 of 10 bytes arrived"}},
		{"chunks that end early", head("Transfer-Encoding: chunked\r\n") + "4\r\n0123\r\n", 408,
			limited{"POST", "/h", Answer{408, ByLimit}, "", false,
				profiles.Closed, "the body ended early: 4 bytes arrived"}},
		{"a head just over 64 KiB", head("X-Long: " + strings.Repeat("a", 64<<10) + "\r\n"), 431,
			limited{"POST", "/h", Answer{431, ByLimit}, "", false, "", ""}},
		{"a head far over 64 KiB", head("X-Long: " + strings.Repeat("a", 300<<10) + "\r\n"), 431,
			limited{"POST", "/h", Answer{431, ByLimit}, "", false, "", ""}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, &Receiver{MaxBody: 10})
			c := s.dial()
			go func() {
				_, _ = io.WriteString(c, test.request) // the server may be gone before the end
				_ = c.CloseWrite()
			}()
			got, _ := io.ReadAll(c) // what follows the answer may be a reset
			line := fmt.Sprintf("HTTP/1.1 %d %s\r\n", test.status, http.StatusText(test.status))
			if !strings.HasPrefix(string(got), line) || !strings.Contains(string(got), "Content-Length: 0\r\n") ||
				!strings.HasSuffix(string(got), "\r\n\r\n") {
				t.Errorf("answered %q, want %q and no body", got, line)
			}
			if seen := limitedOf(s.next()); seen != test.want {
				t.Errorf("seen\n%+v, want\n%+v", seen, test.want)
			}
		})
	}
}

// A limit that nobody reaches is none, and no sum with it is too large.
func TestBodyMayBeAllowedAnySize(t *testing.T) {
	for _, most := range []int64{math.MaxInt64, math.MaxInt64 - 1, math.MaxInt64 / 2, math.MaxInt32, 1 << 40} {
		for _, brief := range []bool{false, true} {
			s := serve(t, &Receiver{MaxBody: most, Brief: brief})
			large := strings.Repeat("x", 100<<10)
			for _, request := range []string{
				raw("POST", "/", nil, large),
				"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n19000\r\n" + large + "\r\n0\r\n\r\n",
			} {
				if a := s.send(request); a.StatusCode != 200 {
					t.Errorf("%d bytes allowed, brief %v: %.40q was answered %d", most, brief, request, a.StatusCode)
				}
				if q := s.next(); !brief && string(q.Body) != large {
					t.Errorf("%d bytes allowed: %.40q had a body of %d bytes", most, request, len(q.Body))
				}
			}
			s.stop()
		}
	}
}

func TestHeadOf64KiBIsTaken(t *testing.T) {
	s := serve(t, &Receiver{})
	head := "GET / HTTP/1.1\r\nHost: h\r\nX-Long: "
	request := head + strings.Repeat("a", 64<<10-len(head)-4) + "\r\n\r\n"
	if a := s.send(request); a.StatusCode != 200 {
		t.Errorf("a head of %d bytes was answered %d", len(request), a.StatusCode)
	}
}

func TestLimitedRequestIsNotVerified(t *testing.T) {
	p := profile(t, "kudos")
	s := serve(t, &Receiver{Profiles: []*profiles.Profile{p}, Verify: true, Keys: keys("s"), MaxBody: 10, Script: script(t, "201,202")})
	header := signed(t, p, sign.Values{ID: "evt_1", Type: "t"}, eventBody, "s")
	if a := s.send(raw("POST", "/", header, eventBody)); a.StatusCode != 413 {
		t.Fatalf("answered %d, want 413", a.StatusCode)
	}
	q := s.next()
	if q.Result == nil || q.Result.Verified || q.Result.Reason != "" || q.Event.ID != "evt_1" || q.Seen != New {
		t.Errorf("result %+v, event %+v, seen %s; want not verified, no reason, the header's id, new", q.Result, q.Event, q.Seen)
	}
	small := `{}`
	header = signed(t, p, sign.Values{ID: "evt_1", Type: "t"}, small, "s")
	if a := s.send(raw("POST", "/", header, small)); a.StatusCode != 201 {
		t.Errorf("the next was answered %d, want 201: a refused request takes no step", a.StatusCode)
	}
	if q := s.next(); q.Number != 2 || q.Seen != New {
		t.Errorf("number %d, seen %s; want 2, new", q.Number, q.Seen)
	}
}

func TestBodyIsReadNoFurtherThanNeeded(t *testing.T) {
	for _, length := range []int64{-1, 100} {
		body := &counting{r: strings.NewReader(strings.Repeat("a", 100))}
		_, err := newRoom(false).readAll(body, length, 10)
		if err != errTooLong || body.n > 11 {
			t.Errorf("length %d: read %d bytes, error %v; want at most 11 and %v", length, body.n, err, errTooLong)
		}
	}
}

type counting struct {
	r io.Reader
	n int
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

func TestMemoryOfABodyIsWhatArrivesNotWhatIsAnnounced(t *testing.T) {
	for _, test := range []struct {
		name         string
		length, most int64
		arrives      int
		bound        int // bytes of memory
	}{
		{"announced in vain", 10 << 20, 10 << 20, 100, 4 << 10},
		{"not announced", -1, 10 << 20, 100, 4 << 10},
		{"as announced", 100_000, 10 << 20, 100_000, 100_001},
		{"up to the limit", -1, 100_000, 100_000, 100_001},
		{"over the limit", -1, 100_000, 1 << 20, 100_001},
		{"more than announced and allowed", 100_000, 100_000, 1 << 20, 100_001},
		{"a small limit", -1, 10, 10, 11},
	} {
		got, _ := newRoom(false).readAll(strings.NewReader(strings.Repeat("x", test.arrives)), test.length, test.most)
		if cap(got) > test.bound {
			t.Errorf("%s: %d bytes of memory for %d, want at most %d", test.name, cap(got), len(got), test.bound)
		}
	}
}

func TestBodyOfAnySizeIsReadWhole(t *testing.T) {
	for _, size := range []int{0, 1, 511, 512, 513, 64<<10 - 1, 64 << 10, 64<<10 + 1, 200_000} {
		want := strings.Repeat("x", size)
		for _, length := range []int64{-1, int64(size)} {
			for _, pooled := range []bool{false, true} {
				got, err := newRoom(pooled).readAll(strings.NewReader(want), length, 200_000)
				if err != nil || string(got) != want {
					t.Errorf("size %d, length %d, pooled %v: got %d bytes, error %v", size, length, pooled, len(got), err)
				}
			}
		}
	}
}

// newRoom is the room for a body where there are no others.
func newRoom(pooled bool) *room {
	return &room{bodies: new(bodies), most: mostBodies, pooled: pooled}
}
