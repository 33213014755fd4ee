package send

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

func TestWholeScheduleIsThatOfThePlan(t *testing.T) {
	tests := []struct {
		profile string
		script  string
		retries []string // headers of a retry alone
		ending  Ending
	}{
		{"kudos", "503", []string{"X-Kudos-Delivery-Attempt", "X-Kudos-First-Sent-At", "X-Kudos-Original-Event-Id"},
			Ending{State: StateFailed, Cause: ByExhausted, Effects: []profiles.Effect{profiles.NotifyOwner}}},
		{"clodo", "503", nil, Ending{State: StateFailed, Cause: ByExhausted}},
		{"kustomer", "503", nil, Ending{State: StateFailed, Cause: ByExhausted, Effects: []profiles.Effect{profiles.DisableWebhook, profiles.NotifyAdmins}}},
		{"kudos", "503x3,200", []string{"X-Kudos-Delivery-Attempt", "X-Kudos-First-Sent-At", "X-Kudos-Original-Event-Id"},
			Ending{State: StateDelivered, Cause: ByRule}},
	}
	for _, tt := range tests {
		t.Run(tt.profile+" "+tt.script, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := sender(t, tt.profile, "http://localhost:3000/hooks")
				s.Wait, s.Real = RealWait, true
				script, err := ParseScript(tt.script, nil)
				if err != nil {
					t.Fatal(err)
				}
				n := 0
				requests, stop := listenOnPipes(s, func(w http.ResponseWriter, r *http.Request) {
					n++
					w.WriteHeader(script.At(n).Outcome.Status)
				})
				defer stop()
				start := time.Now()
				attempts, ending := all(t.Context(), s)
				planned, _ := Plan(s.Profile, script, Seeded(s.Profile, 7, 0))
				if len(attempts) != len(planned) {
					t.Fatalf("%d attempts, planned %d", len(attempts), len(planned))
				}
				for i, a := range attempts {
					p := planned[i]
					if a.Due != p.Due || a.Took != 0 || a.At.Sub(start) != p.Due || a.Verdict != p.Verdict {
						t.Errorf("attempt %d: %+v, planned %+v", i+1, a, p)
					}
					if (a.Next == nil) != (p.Next == nil) || a.Next != nil && *a.Next != *p.Next {
						t.Errorf("attempt %d: next %+v, planned %+v", i+1, a.Next, p.Next)
					}
				}
				if ending.State != tt.ending.State || ending.Cause != tt.ending.Cause || !slices.Equal(ending.Effects, tt.ending.Effects) {
					t.Errorf("ending %+v, want %+v", ending, tt.ending)
				}
				if want := attempts[len(attempts)-1].Due; ending.Elapsed != want {
					t.Errorf("elapsed %v, want %v", ending.Elapsed, want)
				}
				checkRequests(t, s, *requests, tt.retries)
			})
		})
	}
}

// checkRequests checks what must be the same in all attempts, and what new.
func checkRequests(t *testing.T, s *Sender, requests []heard, retries []string) {
	t.Helper()
	for i, r := range requests {
		if r.body != string(payment().Body) {
			t.Errorf("attempt %d: body %q", i+1, r.body)
		}
		for _, name := range retries {
			if _, ok := r.header[http.CanonicalHeaderKey(name)]; ok != (i > 0) {
				t.Errorf("attempt %d: %s is there: %v", i+1, name, ok)
			}
		}
		var lines []sign.Header
		for name, values := range r.header {
			lines = append(lines, sign.Header{Name: name, Value: values[0]})
		}
		result := sign.Verify(s.Profile, sign.Received{Header: lines, Body: []byte(r.body)}, r.at, s.Keys...)
		if !result.Verified || result.Age != 0 && !result.Time.IsZero() && result.Age >= time.Second {
			t.Errorf("attempt %d: %+v", i+1, result)
		}
		if v := r.header.Get("X-Kudos-First-Sent-At"); v != "" && v != requests[0].at.UTC().Format(time.RFC3339) {
			t.Errorf("attempt %d: first sent at %s", i+1, v)
		}
	}
}

func TestSigningTimeIsThatOfSignAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sender(t, "kudos", "http://localhost:3000/")
		s.SignAt = time.Unix(1700000000, 0)
		s.Wait = RealWait
		requests, stop := listenOnPipes(s, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
		defer stop()
		all(t.Context(), s)
		if len(*requests) != 6 {
			t.Fatalf("%d requests", len(*requests))
		}
		for i, r := range *requests {
			if got, want := r.header.Get("X-Kudos-Signature"), (*requests)[0].header.Get("X-Kudos-Signature"); got != want || got[:13] != "t=1700000000," {
				t.Errorf("attempt %d: %s", i+1, got)
			}
		}
	})
}

func TestTimeLimits(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	slow := func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	tests := []struct {
		name    string
		profile string
		timeout time.Duration
		connect time.Duration // how long connecting takes
		handle  http.HandlerFunc
		took    time.Duration
		failure Failure // zero: 200
	}{
		{"one limit", "kudos", 0, 0, hang, 8 * time.Second, Failure{Kind: profiles.ReadTimeout, Message: "connected and sent, but no answer within 8 s"}},
		{"one limit holds for both", "kudos", 0, 3 * time.Second, hang, 8 * time.Second, Failure{Kind: profiles.ReadTimeout, Message: "connected and sent, but no answer within 8 s"}},
		{"one limit, no connection", "kudos", 0, time.Hour, hang, 8 * time.Second, Failure{Kind: profiles.ConnectTimeout, Message: "no connection within 8 s"}},
		{"pair", "clodo", 0, 0, hang, 20 * time.Second, Failure{Kind: profiles.ReadTimeout, Message: "connected and sent, but no answer within 20 s"}},
		{"pair counts from the connection", "clodo", 0, 4 * time.Second, hang, 24 * time.Second, Failure{Kind: profiles.ReadTimeout, Message: "connected and sent, but no answer within 20 s"}},
		{"pair, no connection", "clodo", 0, time.Hour, hang, 5 * time.Second, Failure{Kind: profiles.ConnectTimeout, Message: "no connection within 5 s"}},
		{"given, pair", "clodo", 10 * time.Second, 0, hang, 10 * time.Second, Failure{Kind: profiles.ReadTimeout, Message: "connected and sent, but no answer within 10 s"}},
		{"given, pair keeps the smaller connect", "clodo", 10 * time.Second, time.Hour, hang, 5 * time.Second, Failure{Kind: profiles.ConnectTimeout, Message: "no connection within 5 s"}},
		{"given, pair makes connect smaller", "clodo", 2 * time.Second, time.Hour, hang, 2 * time.Second, Failure{Kind: profiles.ConnectTimeout, Message: "no connection within 2 s"}},
		{"given, one limit", "kustomer", time.Minute, 0, hang, time.Minute, Failure{Kind: profiles.ReadTimeout, Message: "connected and sent, but no answer within 1 m"}},
		{"a slow body is judged by its header", "kudos", 0, 2 * time.Second, slow, 2 * time.Second, Failure{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := sender(t, tt.profile, "http://localhost:3000/")
				s.Timeout = tt.timeout
				_, stop := listenOnPipes(s, tt.handle)
				defer stop()
				dial := s.Dial
				s.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
					if err := RealWait(ctx, tt.connect); err != nil {
						return nil, err
					}
					return dial(ctx, network, address)
				}
				a, _ := first(t, s)
				if a.Took != tt.took {
					t.Errorf("took %v, want %v", a.Took, tt.took)
				}
				if tt.failure.Kind == "" {
					if a.Response == nil || a.Response.Status != 200 || a.Response.Complete || a.Verdict.Then != profiles.Delivered {
						t.Errorf("%+v", a)
					}
					return
				}
				if a.Failure == nil || a.Failure.Kind != tt.failure.Kind || a.Failure.Message != tt.failure.Message {
					t.Errorf("failure %+v, want %+v", a.Failure, tt.failure)
				}
			})
		})
	}
}

func TestBodyIsReadForOneSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sender(t, "kudos", "http://localhost:3000/")
		_, stop := listenOnPipes(s, func(w http.ResponseWriter, r *http.Request) {
			w.Write([]byte("begun"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		defer stop()
		start := time.Now()
		a, _ := first(t, s)
		if passed := time.Since(start); passed != time.Second || a.Took != 0 {
			t.Errorf("passed %v, took %v", passed, a.Took)
		}
		if string(a.Response.Body) != "begun" || a.Response.Complete {
			t.Errorf("body %q, complete %v", a.Response.Body, a.Response.Complete)
		}
	})
}

func TestCeiling(t *testing.T) {
	tests := []struct {
		name     string
		waits    []time.Duration
		oversled time.Duration
		attempts int
		cause    Cause
		elapsed  time.Duration
	}{
		{"due at the ceiling is sent", []time.Duration{time.Hour}, 0, 2, ByExhausted, time.Hour},
		{"due after it is not", []time.Duration{30 * time.Minute, 30*time.Minute + 1}, 0, 2, ByCeiling, time.Hour},
		{"a machine that slept is past it", []time.Duration{time.Minute}, 2 * time.Hour, 1, ByCeiling, time.Hour},
		{"a machine that slept a little is late", []time.Duration{time.Minute}, time.Minute, 2, ByExhausted, 2 * time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := sender(t, "clodo", "http://localhost:3000/")
				s.Profile.Retry.Waits = tt.waits
				s.Real = true
				s.Wait = func(ctx context.Context, d time.Duration) error { return RealWait(ctx, d+tt.oversled) }
				_, stop := listenOnPipes(s, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
				defer stop()
				attempts, ending := all(t.Context(), s)
				if len(attempts) != tt.attempts || ending.Cause != tt.cause || ending.Elapsed != tt.elapsed || ending.State != StateFailed {
					t.Errorf("%d attempts, %+v", len(attempts), ending)
				}
			})
		})
	}
}

func TestInterrupted(t *testing.T) {
	t.Run("while waiting", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := sender(t, "kudos", "http://localhost:3000/")
			s.Wait = RealWait
			_, stop := listenOnPipes(s, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
			defer stop()
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			start := time.Now()
			attempts, ending := all(ctx, s)
			if len(attempts) != 1 || attempts[0].Next == nil || attempts[0].Verdict.Then != profiles.Retried {
				t.Errorf("attempts %+v", attempts)
			}
			if ending.State != StateInterrupted || ending.Cause != ByInterrupted || time.Since(start) != 10*time.Second {
				t.Errorf("%+v after %v", ending, time.Since(start))
			}
		})
	})
	t.Run("during an attempt", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := sender(t, "kudos", "http://localhost:3000/")
			_, stop := listenOnPipes(s, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
			defer stop()
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			attempts, ending := all(ctx, s)
			if len(attempts) != 1 {
				t.Fatalf("%d attempts", len(attempts))
			}
			a := attempts[0]
			if a.Failure == nil || a.Failure.Kind != profiles.Interrupted || a.Failure.Message != "ended before an answer" {
				t.Errorf("failure %+v", a.Failure)
			}
			if a.Verdict != (Verdict{}) || a.Next != nil || a.Took != 3*time.Second || ending.State != StateInterrupted || ending.Elapsed != 3*time.Second {
				t.Errorf("%+v, ending %+v", a, ending)
			}
		})
	})
	t.Run("by a break", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := sender(t, "kudos", "http://localhost:3000/")
			_, stop := listenOnPipes(s, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
			defer stop()
			if _, ending := first(t, s); ending.State != StateInterrupted || ending.Cause != ByInterrupted {
				t.Errorf("%+v", ending)
			}
		})
	})
	t.Run("not by a break after the last attempt", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := sender(t, "kudos", "http://localhost:3000/")
			_, stop := listenOnPipes(s, func(w http.ResponseWriter, _ *http.Request) {})
			defer stop()
			if _, ending := first(t, s); ending.State != StateDelivered || ending.Cause != ByRule {
				t.Errorf("%+v", ending)
			}
		})
	})
	t.Run("before it began", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if attempts, ending := all(ctx, sender(t, "kudos", "http://localhost:3000/")); len(attempts) != 0 || ending.State != StateInterrupted {
			t.Errorf("%+v, %+v", attempts, ending)
		}
	})
}

func TestWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if err := RealWait(t.Context(), 90*time.Minute); err != nil || time.Since(start) != 90*time.Minute {
			t.Errorf("real: %v after %v", err, time.Since(start))
		}
		start = time.Now()
		if err := ScaledWait(60)(t.Context(), 90*time.Minute); err != nil || time.Since(start) != 90*time.Second {
			t.Errorf("scaled: %v after %v", err, time.Since(start))
		}
		start = time.Now()
		if err := ScaledWait(0)(t.Context(), 90*time.Minute); err != nil || time.Since(start) != 0 {
			t.Errorf("not scaled: %v after %v", err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		start = time.Now()
		if err := RealWait(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second/2 {
			t.Errorf("ended: %v after %v", err, time.Since(start))
		}
	})
}

// A connection that is refused is none; one that stands is told before the answer.
func TestConnectedIsCalledBetweenTheConnectionAndTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sender(t, "kudos", "http://localhost:3000/")
		var steps []string
		s.Connected = func() { steps = append(steps, "connected") }
		_, stop := listenOnPipes(s, func(w http.ResponseWriter, _ *http.Request) { steps = append(steps, "answered") })
		defer stop()
		dial := s.Dial
		s.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			if !slices.Contains(steps, "refused") {
				steps = append(steps, "refused")
				return nil, syscall.ECONNREFUSED
			}
			return dial(ctx, network, address)
		}
		all(t.Context(), s)
		if want := []string{"refused", "connected", "answered"}; !slices.Equal(steps, want) {
			t.Errorf("%q, want %q", steps, want)
		}
	})
}

func TestLimitsAreTheProfilesOrTheTimeout(t *testing.T) {
	for _, test := range []struct {
		profile                  string
		timeout, connect, answer time.Duration
	}{
		{"kudos", 0, 8 * time.Second, 8 * time.Second},
		{"kudos", time.Minute, time.Minute, time.Minute},
		{"clodo", 0, 5 * time.Second, 20 * time.Second},
		{"clodo", time.Second, time.Second, time.Second},
		{"clodo", time.Minute, 5 * time.Second, time.Minute},
	} {
		s := sender(t, test.profile, "http://localhost:3000/")
		s.Timeout = test.timeout
		if connect, answer := s.Limits(); connect != test.connect || answer != test.answer {
			t.Errorf("%s, %v: %v and %v, want %v and %v", test.profile, test.timeout, connect, answer, test.connect, test.answer)
		}
	}
}

func TestStartedAndWaitSeeTheSchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sender(t, "clodo", "http://localhost:3000/")
		var started []int
		var waits []time.Duration
		s.Started = func(n int) { started = append(started, n) }
		s.Wait = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
		_, stop := listenOnPipes(s, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
		defer stop()
		all(t.Context(), s)
		if !slices.Equal(started, []int{1, 2, 3}) || !slices.Equal(waits, []time.Duration{5 * time.Second, 5 * time.Minute}) {
			t.Errorf("started %v, waits %v", started, waits)
		}
	})
}
