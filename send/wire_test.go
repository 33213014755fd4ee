package send

import (
	"slices"
	"testing"

	"github.com/hookctl/hookctl/sign"
)

func TestTheZoneOfAnAddressIsNotSent(t *testing.T) {
	for url, want := range map[string]string{
		"http://[fe80::1%25eth0]:8080/": "[fe80::1]:8080",
		"http://[fe80::1%25eth0]":       "[fe80::1]",
		"http://[::1]:80/":              "[::1]:80",
		"http://localhost:/x":           "localhost",
	} {
		target, err := parseTarget(url)
		if err != nil {
			t.Fatal(err)
		}
		if got := NewRequest("POST", target.path, target.name, nil, nil).Header[0]; got != (sign.Header{Name: "Host", Value: want}) {
			t.Errorf("%s: %v, want %s", url, got, want)
		}
	}
}

// What was recorded may hold lines that are set anew, and some twice.
func TestEachLineIsSentOnce(t *testing.T) {
	target, err := parseTarget("http://h.example/a?b")
	if err != nil {
		t.Fatal(err)
	}
	r := NewRequest("POST", target.path, target.name, []sign.Header{{Name: "B", Value: " 2 "}, {Name: "content-length", Value: "9"}, {Name: "a", Value: "1"}, {Name: "User-Agent", Value: ""},
		{Name: "host", Value: "other.example"}, {Name: "B", Value: "1"}, {Name: "User-Agent", Value: "x/1"}}, []byte("body"))
	want := []sign.Header{{Name: "Host", Value: "other.example"}, {Name: "User-Agent", Value: "x/1"}, {Name: "Content-Length", Value: "4"},
		{Name: "B", Value: "2"}, {Name: "B", Value: "1"}, {Name: "a", Value: "1"}}
	if !slices.Equal(r.Header, want) {
		t.Errorf("%v, want %v", r.Header, want)
	}
	const head = "POST /a?b HTTP/1.1\r\nHost: other.example\r\nUser-Agent: x/1\r\nContent-Length: 4\r\nB: 2\r\nB: 1\r\na: 1\r\n\r\n"
	if got := string(r.appendTo(nil)); got != head {
		t.Errorf("%q, want %q", got, head)
	}
}
