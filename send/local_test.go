package send

import (
	"context"
	"errors"
	"net"
	"reflect"
	"syscall"
	"testing"

	"github.com/hookctl/hookctl/profiles"
)

// lacking is a Dial that has so many connections left, and then no file.
func lacking(left int) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if left--; left < 0 {
			return nil, dialFailure(syscall.EMFILE)
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}
}

func TestWhatThisMachineLacksIsNoVerdict(t *testing.T) {
	s := sender(t, "kudos", "http://"+serve(t, says("HTTP/1.1 503 \r\nContent-Length: 0\r\n\r\n")))
	s.Dial = lacking(1)
	attempts, e := all(t.Context(), s)
	if len(attempts) != 2 || attempts[0].Response == nil {
		t.Fatalf("attempts %+v; want one that was answered and one that was not made", attempts)
	}
	local := &LocalError{Err: dialFailure(syscall.EMFILE)}
	want := Failure{Kind: profiles.Interrupted, Message: "not connected: too many open files", Tried: attempts[1].Failure.Tried, Local: local}
	if f := attempts[1].Failure; !reflect.DeepEqual(*f, want) || !reflect.DeepEqual(attempts[1].Verdict, Verdict{}) || attempts[1].Next != nil {
		t.Errorf("%+v, %+v; want %+v and no verdict", f, attempts[1], want)
	}
	var got *LocalError
	if e.State != StateInterrupted || e.Cause != ByInterrupted || !errors.As(e.Err, &got) {
		t.Errorf("ended %+v", e)
	}
}

func TestABurstTellsWhatThisMachineLacks(t *testing.T) {
	s := sender(t, "kudos", "http://"+serve(t, says("HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n")))
	s.Dial = lacking(2)
	b := &Burst{Sender: s, Messages: events(9), Events: 9, Concurrency: 1, Done: func(d Delivery) error { return d.Ending.Err }}
	sum, err := b.Run(t.Context())
	var local *LocalError
	if !errors.As(err, &local) || sum.Delivered != 2 || sum.Failed != 0 || sum.Interrupted != 0 || sum.NotSent != 7 || sum.Attempts != 2 {
		t.Errorf("%v, %+v", err, sum)
	}
}

func TestADuplicateThatCannotBeSentIsNoVerdict(t *testing.T) {
	s := sender(t, "kudos", "http://"+serve(t, says("HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n")))
	s.Dial = lacking(1)
	b := &Burst{Sender: s, Messages: events(1), Events: 1, Duplicate: true, Done: func(d Delivery) error { return d.Ending.Err }}
	sum, err := b.Run(t.Context())
	var local *LocalError
	if !errors.As(err, &local) || sum.Interrupted != 1 || sum.Failed != 0 {
		t.Errorf("%v, %+v", err, sum)
	}
}

// Of what has no way to the address a UDP socket tells the same.
func TestNoPortLeftIsToldFromNoAddress(t *testing.T) {
	unavailable := dialFailure(syscall.EADDRNOTAVAIL)
	for _, test := range []struct {
		err  error
		addr string
		want string
	}{
		{unavailable, "127.0.0.1:80", "no local port is left"},
		{dialFailure(syscall.EADDRINUSE), "127.0.0.1:80", "no local port is left"},
		{unavailable, "[fe80::1]:80", unavailable.Error()},
		{dialFailure(syscall.ECONNREFUSED), "127.0.0.1:80", dialFailure(syscall.ECONNREFUSED).Error()},
	} {
		if got := withoutPort(test.err, test.addr); got.Error() != test.want || !errors.Is(got, test.err) {
			t.Errorf("%v at %s: %v, want %s", test.err, test.addr, got, test.want)
		}
	}
}
