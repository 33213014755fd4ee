package listen

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

func TestScriptedStatusIsAnswered(t *testing.T) {
	s := serve(t, &Receiver{Script: script(t, "200,204,304,400,503,600,999,101")})
	c := s.dial()
	from := bufio.NewReader(c)
	for _, want := range []string{
		"HTTP/1.1 200 OK", "HTTP/1.1 204 No Content", "HTTP/1.1 304 Not Modified", "HTTP/1.1 400 Bad Request",
		"HTTP/1.1 503 Service Unavailable", "HTTP/1.1 600 status code 600", "HTTP/1.1 999 status code 999",
		"HTTP/1.1 101 Switching Protocols", "HTTP/1.1 101 Switching Protocols", // the last step repeats
	} {
		if _, err := io.WriteString(c, raw("POST", "/", nil, "x")); err != nil {
			t.Fatal(err)
		}
		head, err := readHead(from)
		if err != nil {
			t.Fatal(err)
		}
		line, _ := send.ParseHead([]byte(head))
		if line != want {
			t.Errorf("answered %q, want %q", line, want)
		}
		q := s.next()
		if q.Answer.By != ByScript || !strings.Contains(want, " "+http.StatusText(q.Answer.Status)) && q.Answer.Status < 600 {
			t.Errorf("seen %+v, want the script's %s", q.Answer, want)
		}
	}
}

// readHead reads up to a blank line.
func readHead(from *bufio.Reader) (string, error) {
	var b strings.Builder
	for {
		line, err := from.ReadString('\n')
		b.WriteString(line)
		if err != nil || line == "\r\n" {
			return b.String(), err
		}
	}
}

func TestScriptedHeadersAreSpelledAsGiven(t *testing.T) {
	s := serve(t, &Receiver{Script: script(t, `429:retry-after=+120:location=/next:header=x-lower-CASE=a:header=x-lower-CASE=b:header=date=never:body=no "more"`)})
	got, err := s.talk(raw("POST", "/", nil, ""))
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(got, "\r\n\r\n")
	lines := strings.Split(head, "\r\n")
	slices.Sort(lines[1:])
	want := []string{"HTTP/1.1 429 Too Many Requests", "Content-Length: 9", "Date: never", "Location: /next",
		"Retry-After: Fri, 02 Jan 2026 10:05:00 GMT", "x-lower-CASE: a", "x-lower-CASE: b"}
	if !slices.Equal(lines, want) || body != `no "more"` {
		t.Errorf("answered\n%q %q, want\n%q", lines, body, want)
	}
	q := s.next()
	if string(q.SentBody) != body || len(q.Sent) != len(want)-1 {
		t.Errorf("seen %q %q", q.Sent, q.SentBody)
	}
}

func TestRetryAfterOfAScriptIsThatOfAPlan(t *testing.T) {
	for value, want := range map[string]string{
		"120": "120", "-5": "-5", "soon": "soon", "+": "+", "+1.5": "+1.5", "+x": "+x", "+-5": "+-5", "": "",
		"+0":                    "Fri, 02 Jan 2026 10:03:00 GMT",
		"+120":                  "Fri, 02 Jan 2026 10:05:00 GMT",
		"+9999999999":           "Mon, 23 Nov 2342 03:49:39 GMT",
		"+99999999999999999999": "Fri, 31 Dec 9999 23:59:59 GMT",
	} {
		step := script(t, `429:retry-after="`+value+`"`)
		s := serve(t, &Receiver{Script: step})
		if got := s.send(raw("POST", "/", nil, "")).Header.Get("Retry-After"); got != want {
			t.Errorf("%q became %q, want %q", value, got, want)
		}
		if planned := step.Steps[0].Headers(signedAt); len(planned) != 1 || planned[0].Value != want {
			t.Errorf("%q is planned as %q, want %q", value, planned, want)
		}
		s.stop()
	}
}

func TestScriptedFailuresGiveNoAnswer(t *testing.T) {
	tests := []struct {
		script string
		got    string
		err    error
	}{
		{"close", "", nil},
		{"reset", "", syscall.ECONNRESET},
		{"protocol", notHTTP, nil},
	}
	for _, test := range tests {
		t.Run(test.script, func(t *testing.T) {
			s := serve(t, &Receiver{Script: script(t, test.script)})
			c := s.dial()
			if _, err := io.WriteString(c, raw("POST", "/", nil, "x")); err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(c)
			if !errors.Is(err, test.err) || string(got) != test.got {
				t.Errorf("got %q, %v; want %q, %v", got, err, test.got, test.err)
			}
			q := s.next()
			if q.Answer != (Answer{Status: 0, By: ByScript}) || len(q.Sent) != 0 {
				t.Errorf("seen %+v %v, want none by script", q.Answer, q.Sent)
			}
		})
	}
}

func TestTimeoutEndsWhenTheSenderLeaves(t *testing.T) {
	s := serve(t, &Receiver{Script: script(t, "timeout,200")})
	c := s.dial()
	if _, err := io.WriteString(c, raw("POST", "/1", nil, "x")); err != nil {
		t.Fatal(err)
	}
	_ = c.CloseWrite()
	if got, err := io.ReadAll(c); len(got) != 0 || err != nil {
		t.Errorf("got %q, %v; want nothing", got, err)
	}
	if q := s.next(); q.Target != "/1" || q.Answer != (Answer{By: ByScript}) {
		t.Errorf("seen %s %+v, want /1, none", q.Target, q.Answer)
	}
	if a := s.send(raw("POST", "/2", nil, "x")); a.StatusCode != 200 {
		t.Errorf("the second was answered %d", a.StatusCode)
	}
}

func TestStepsAreCountedPerEventID(t *testing.T) {
	p := profile(t, "kustomer")
	s := serve(t, &Receiver{Profiles: []*profiles.Profile{p}, Verify: true, Keys: keys("s"), Script: script(t, "503,200")})
	request := func(id, secret string) string {
		body := `{"id":"` + id + `","name":"customer.create"}`
		return raw("POST", "/", signed(t, p, sign.Values{ID: id, Type: "customer.create"}, body, secret), body)
	}
	for i, test := range []struct {
		id, secret string
		want       int
	}{
		{"a", "s", 503}, {"b", "s", 503}, {"a", "other", 401}, {"a", "s", 200}, {"a", "s", 200}, {"b", "s", 200},
	} {
		if a := s.send(request(test.id, test.secret)); a.StatusCode != test.want {
			t.Errorf("request %d, id %s: answered %d, want %d", i+1, test.id, a.StatusCode, test.want)
		}
	}
}

func TestStepsWithoutAnIDAreCountedTogether(t *testing.T) {
	s := serve(t, &Receiver{Script: script(t, "503x2,200")})
	for i, want := range []int{503, 503, 200, 200} {
		if a := s.send(raw("POST", "/", nil, "x")); a.StatusCode != want {
			t.Errorf("request %d: answered %d, want %d", i+1, a.StatusCode, want)
		}
	}
}
