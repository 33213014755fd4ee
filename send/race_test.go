package send

import (
	"context"
	"errors"
	"net"
	"slices"
	"syscall"
	"testing"

	"github.com/hookctl/hookctl/profiles"
)

func TestLocalIsTheNameLocalhost(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost": true, "localhost.": true, "LOCALHOST.": true,
		"": false, ".": false, "localhost..": false, "localhost.example": false, "my-localhost": false, "127.0.0.1": false, "::1": false,
	} {
		if got := Local(host); got != want {
			t.Errorf("%q: %v, want %v", host, got, want)
		}
	}
}

func TestDialTellsWhatItTried(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	open := l.Addr().String()
	_, port, _ := net.SplitHostPort(open)
	dial := func(address string) ([]string, profiles.Failure) {
		var tried []string
		conn, err := Dial(t.Context(), address, func(a string) { tried = append(tried, a) })
		if err != nil {
			return tried, Classify(err)
		}
		conn.Close()
		return tried, ""
	}
	check := func(address string, want []string, kind profiles.Failure) {
		t.Helper()
		if tried, got := dial(address); got != kind || !slices.Equal(tried, want) {
			t.Errorf("%s: %q, tried %q; want %q, %q", address, got, tried, kind, want)
		}
	}
	check(open, []string{open}, "")
	check("LocalHost.:"+port, []string{open}, "")
	l.Close()
	check(open, []string{open}, profiles.Refused)
	check("localhost:"+port, []string{open, "[::1]:" + port}, profiles.Refused)
	check("x.invalid:80", nil, profiles.DNS)
	if _, err := Dial(t.Context(), "no port", nil); err == nil {
		t.Error("an address without a port was dialled")
	}
	if _, err := Dial(t.Context(), "localhost:"+port, nil); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("nobody asked what was tried: %v", err)
	}
}

func TestErrorOfARaceIsTheOneThatSaysMost(t *testing.T) {
	refused, route := dialFailure(syscall.ECONNREFUSED), dialFailure(syscall.EHOSTUNREACH)
	blocked, files := &blockedError{"10.0.0.1", "private"}, dialFailure(syscall.EMFILE)
	for _, tt := range []struct {
		errs []error
		want error
	}{
		{[]error{route, refused}, refused},
		{[]error{refused, route}, refused},
		{[]error{route, route}, route},
		{[]error{refused, blocked}, blocked},
		{[]error{refused, files}, files},
	} {
		addrs := []string{"0", "1"}
		_, err := race(t.Context(), addrs, func(_ context.Context, addr string) (net.Conn, error) {
			return nil, tt.errs[slices.Index(addrs, addr)]
		}, func(string) {})
		if !errors.Is(err, tt.want) {
			t.Errorf("of %v: %v, want %v", tt.errs, err, tt.want)
		}
	}
}

func dialFailure(errno syscall.Errno) error {
	return &net.OpError{Op: "dial", Net: "tcp", Err: errno}
}
