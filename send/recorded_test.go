package send

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/hookctl/hookctl/sign"
)

// A recorded message goes out with its own header lines and nothing else, with
// every attempt, and needs no key.
func TestRecordedHeadersAreSentAsTheyWere(t *testing.T) {
	s := sender(t, "kudos", "http://"+serve(t, says("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"))+"/")
	s.Keys, s.Recorded, s.Header = nil, true, []sign.Header{{Name: "X-Own", Value: "of the sender"}}
	m := payment()
	m.Header = []sign.Header{{Name: "Host", Value: "api.example.com"}, {Name: "X-Kudos-Signature", Value: "t=1,v1=ab"}, {Name: "x-lower", Value: "é"}}
	want := []sign.Header{m.Header[0], {Name: "Content-Length", Value: "53"}, m.Header[1], m.Header[2]}
	seq, end := s.Deliver(context.Background(), m)
	n := 0
	for a := range seq {
		n++
		if a.Request == nil || !reflect.DeepEqual(a.Request.Header, want) {
			t.Errorf("attempt %d: %+v, want %q", n, a.Request, want)
		}
	}
	if n != 6 || end().State != StateFailed {
		t.Errorf("%d attempts, %+v", n, end())
	}
}

func TestARecordedHeaderThatHTTPForbidsIsNotSent(t *testing.T) {
	for _, h := range []sign.Header{{Name: "a b", Value: "c"}, {Name: "X-A", Value: "b\r\nc: d"}, {Name: "Host", Value: "a/b"}} {
		s := sender(t, "kudos", "http://localhost:1/")
		s.Keys, s.Recorded = nil, true
		m := payment()
		m.Header = []sign.Header{h}
		var fault *HeaderError
		if err := s.Check(m); !errors.As(err, &fault) || fault.Name != h.Name {
			t.Errorf("%q: %v", h, err)
		}
	}
}
