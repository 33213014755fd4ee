package send

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

func TestCheck(t *testing.T) {
	header := func(name, value string) func(*Sender) {
		return func(s *Sender) { s.Header = []sign.Header{{Name: name, Value: value}} }
	}
	url := func(u string) func(*Sender) { return func(s *Sender) { s.URL = u } }
	refused := func(name, message string) error { return &HeaderError{name, message} }
	tests := []struct {
		name    string
		profile string
		change  func(*Sender)
		want    error
	}{
		{"right", "kudos", func(*Sender) {}, nil},
		{"https and an address", "kudos", url("https://[::1]:4433/x?y#z"), nil},
		{"own header", "kudos", header("X-Mine", "a\tb"), nil},
		{"host", "kudos", header("Host", "other.example:80"), nil},
		{"no scheme", "kudos", url("//localhost"), &URLError{"has no http:// or https://"}},
		{"other scheme", "kudos", url("ftp://localhost"), &URLError{"is neither http nor https"}},
		{"no host", "kudos", url("http:///x"), &URLError{"has no host"}},
		{"opaque", "kudos", url("http:localhost"), &URLError{"has no host"}},
		{"not a URL", "kudos", url("http://me:secret@host:port/"), &URLError{"cannot be read"}},
		{"port", "kudos", url("http://host:99999/"), &URLError{"has a port that is not from 1 to 65535"}},
		{"host not ASCII", "kudos", url("http://bücher.example/"), &URLError{"has a host that is not ASCII; write it as xn--"}},
		{"owned by the profile", "kudos", header("x-kudos-signature", "a"), refused("x-kudos-signature", "is set by the profile")},
		{"owned, of retries", "kudos", header("X-KUDOS-Delivery-Attempt", "a"), refused("X-KUDOS-Delivery-Attempt", "is set by the profile")},
		{"content type", "kudos", header("content-type", "a"), refused("content-type", "is set by the profile")},
		{"length", "kudos", header("content-length", "1"), refused("content-length", "cannot be set")},
		{"encoding", "kudos", header("Transfer-Encoding", "chunked"), refused("Transfer-Encoding", "cannot be set")},
		{"connection", "kudos", header("Connection", "close"), refused("Connection", "cannot be set")},
		{"trailer", "kudos", header("Trailer", "X"), refused("Trailer", "cannot be set")},
		{"expect", "kudos", header("Expect", "100-continue"), refused("Expect", "cannot be set")},
		{"upgrade", "kudos", header("Upgrade", "x"), refused("Upgrade", "cannot be set")},
		{"bad name", "kudos", header("X Y", "a"), refused("X Y", "has a character that no header name may have")},
		{"no name", "kudos", header("", "a"), refused("", "has a character that no header name may have")},
		{"bad value", "kudos", header("X", "a\nb"), refused("X", "has a control character in its value")},
		{"bad host", "kudos", header("Host", "a/b"), refused("Host", "is not a host")},
		{"no secret", "kudos", func(s *Sender) { s.Keys = nil }, &NoSecretError{Profile: "kudos", Where: "in the CRM console"}},
		{"no secret where it fails", "clodo", func(s *Sender) { s.Keys = nil }, nil},
		{"https needed", "kustomer", func(s *Sender) { s.Strict = true }, &HTTPSOnlyError{"Kustomer"}},
		{"https needed and there", "kustomer", func(s *Sender) { s.Strict, s.URL = true, "https://localhost/" }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sender(t, tt.profile, "http://localhost:3000/")
			tt.change(s)
			if err := s.Check(payment()); !reflect.DeepEqual(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

func TestCheckNamesAMissingValue(t *testing.T) {
	s := sender(t, "kustomer", "http://localhost/")
	m := payment()
	m.Type = ""
	var missing *sign.HeaderError
	if err := s.Check(m); !errors.As(err, &missing) || missing.Missing.Name != "type" {
		t.Errorf("%v", err)
	}
	m.Type = "a\r\nb"
	if err := s.Check(m); !reflect.DeepEqual(err, &sign.ValueError{Header: "X-Kustomer-Webhook-Event", Offset: 1}) {
		t.Errorf("%v", err)
	}
}

func TestStrictRefusesPrivateAddresses(t *testing.T) {
	for _, tt := range []struct{ host, message string }{
		{"localhost:1", "127.0.0.1 is loopback; no request was sent"},
		{"127.0.0.1:1", "127.0.0.1 is loopback; no request was sent"},
		{"[::ffff:169.254.169.254]", "::ffff:169.254.169.254 is link-local; no request was sent"},
		{"10.1.2.3", "10.1.2.3 is private; no request was sent"},
	} {
		s := sender(t, "clodo", "http://"+tt.host+"/")
		s.Strict = true
		s.Timeout = time.Second
		attempts, ending := all(t.Context(), s)
		if len(attempts) != 1 || ending.State != StateFailed || ending.Cause != ByRule {
			t.Fatalf("%s: %+v, %+v", tt.host, attempts, ending)
		}
		if a := attempts[0]; a.Failure.Kind != profiles.BlockedAddress || a.Failure.Message != tt.message || a.Request != nil {
			t.Errorf("%s: %+v", tt.host, a.Failure)
		}
	}
}
