package send

import (
	"io"
	"testing"
)

func TestBetweenIsWhereAMessageEnds(t *testing.T) {
	const post = "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n"
	const chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
	for _, test := range []struct {
		read string
		want bool
	}{
		{"", true},
		{"P", false},
		{"GET / HTTP/1.1\r\nHost: x\r\n", false},
		{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", true},
		{post, false},
		{post + "{", false},
		{post + "{}", true},
		{post + "{}P", false},
		{post + "{}" + post + "{}", true},
		{chunked + "2\r\n{}\r\n", false},
		{chunked + "2\r\n{}\r\n0\r\n", false},
		{chunked + "2\r\n{}\r\n0\r\n\r\n", true},
		{chunked + "zz\r\n", false},
		{"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n", false}, // nobody knows where that ends
	} {
		for _, parts := range [][]string{{test.read}, bytewise(test.read)} {
			c := RequestHeads(&scripted{parts: parts})
			if _, err := io.Copy(io.Discard, c); err != nil {
				t.Fatal(err)
			}
			if got := c.Between(); got != test.want {
				t.Errorf("after %q in %d parts: %v, want %v", test.read, len(parts), got, test.want)
			}
		}
	}
}

func TestUnfinishedIsTheBeginningOfAHead(t *testing.T) {
	const get = "GET / HTTP/1.1\r\n\r\n"
	for _, test := range []struct {
		read string
		most int
		want string
	}{
		{"", 10, ""},
		{"POST / H", 10, "POST / H"},
		{"POST / HTTP", 10, "POST / HTT"},
		{"POST", 0, ""},
		{get, 10, ""},
		{get + "\x16\x03\x01", 10, "\x16\x03\x01"},
		{"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nGET", 10, ""}, // of a body
	} {
		c := RequestHeads(&scripted{parts: bytewise(test.read)})
		if _, err := io.Copy(io.Discard, c); err != nil {
			t.Fatal(err)
		}
		got := c.Unfinished(test.most)
		if string(got) != test.want {
			t.Errorf("after %q, at most %d bytes: %q, want %q", test.read, test.most, got, test.want)
		}
		for i := range got {
			got[i] = 'x' // it is a copy
		}
		if again := c.Unfinished(test.most); string(again) != test.want {
			t.Errorf("after %q: %q when asked again, want %q", test.read, again, test.want)
		}
	}
}
