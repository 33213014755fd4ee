package listen

import (
	"errors"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// A moved connection counts how often its deadlines are set.
type moved struct {
	net.Conn
	n, writes int
}

func (c *moved) SetWriteDeadline(t time.Time) error {
	c.writes++
	return c.Conn.SetWriteDeadline(t)
}

func (c *moved) SetReadDeadline(t time.Time) error {
	c.n++
	return c.Conn.SetReadDeadline(t)
}

func TestAReadEndsAtTheLastDeadlineThatWasSet(t *testing.T) {
	const minute = time.Minute
	for _, test := range []struct {
		name         string
		before, then time.Duration // deadlines: before the Read, and 30 s into it; 0: none
		want         time.Duration // 0: it waits for data, which comes after an hour
	}{
		{"one", minute, minute, minute},
		{"moved to later", minute, 2 * minute, 2 * minute},
		{"moved to earlier", 2 * minute, minute, minute},
		{"moved into the past", 2 * minute, -minute, minute / 2},
		{"set", 0, minute, minute},
		{"taken back", minute, 0, 0},
		{"past already", -minute, minute, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			here, there := net.Pipe()
			defer here.Close()
			defer there.Close()
			c := &deadlineConn{Conn: here}
			start := time.Now()
			set := func(d time.Duration) {
				at := time.Time{}
				if d != 0 {
					at = start.Add(d)
				}
				if err := c.SetReadDeadline(at); err != nil {
					t.Error(err)
				}
			}
			if set(test.before); test.before < 0 {
				if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) != 0 {
					t.Errorf("%s: read after %v: %v, want an end at once", test.name, time.Since(start), err)
				}
				return
			}
			time.AfterFunc(minute/2, func() { set(test.then) })
			time.AfterFunc(time.Hour, func() { _, _ = there.Write([]byte("x")) })
			n, err := c.Read(make([]byte, 1))
			want, wantErr := test.want, os.ErrDeadlineExceeded
			if want == 0 {
				want, wantErr = time.Hour, nil
			}
			if took := time.Since(start); took != want || !errors.Is(err, wantErr) || (n == 1) != (wantErr == nil) {
				t.Errorf("%s: read %d bytes after %v: %v; want %v after %v", test.name, n, took, err, wantErr, want)
			}
			time.Sleep(2 * time.Hour) // for what is left to write
		})
	}
}

func TestAConnectionCanBeReadAgainAfterADeadlineThatHasPassed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		defer here.Close()
		defer there.Close()
		c := &deadlineConn{Conn: here}
		b := make([]byte, 1)
		for range 3 {
			if err := c.SetDeadline(time.Now().Add(time.Second)); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Read(b); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatalf("read with a deadline: %v", err)
			}
			if err := c.SetDeadline(time.Time{}); err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(time.Minute, func() { _, _ = there.Write([]byte("x")) })
			if n, err := c.Read(b); n != 1 || err != nil {
				t.Fatalf("read without one: %d, %v", n, err)
			}
		}
	})
}

func TestADeadlineThatMovesOnIsSetRarely(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		defer here.Close()
		defer there.Close()
		below := &moved{Conn: here}
		c := &deadlineConn{Conn: below}
		go func() {
			for range 1000 {
				time.Sleep(time.Second)
				_, _ = there.Write([]byte("x"))
			}
		}()
		b := make([]byte, 1)
		for range 1000 { // as net/http does for each request
			for _, d := range []time.Duration{idleTime, headTime, 0, headTime} {
				at := time.Time{}
				if d != 0 {
					at = time.Now().Add(d)
				}
				if err := c.SetReadDeadline(at); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := c.Read(b); err != nil {
				t.Fatal(err)
			}
		}
		if below.n > 40 { // once for each time that headTime passes
			t.Errorf("set %d times for 1000 reads", below.n)
		}
	})
}

func TestNoWriteDeadlineIsTakenBackWhereThereIsNone(t *testing.T) {
	here, there := net.Pipe()
	defer here.Close()
	defer there.Close()
	below := &moved{Conn: here}
	c := &deadlineConn{Conn: below}
	for i, test := range []struct {
		at   time.Time
		want int // calls so far
	}{
		{time.Time{}, 0}, {time.Unix(1, 0), 1}, {time.Time{}, 2}, {time.Time{}, 2}, {time.Unix(1, 0), 3},
	} {
		if err := c.SetWriteDeadline(test.at); err != nil || below.writes != test.want {
			t.Errorf("step %d: %v, set %d times, want %d", i, err, below.writes, test.want)
		}
	}
	if _, err := c.Write([]byte("x")); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("write: %v, want its time over", err)
	}
}
