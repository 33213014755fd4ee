package listen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// verifying is a Receiver of one profile that explains.
func verifying(p *profiles.Profile, why func(explain.Input) *explain.Explanation, secrets ...string) *Receiver {
	return &Receiver{Profiles: []*profiles.Profile{p}, Verify: true, Keys: keys(secrets...), Explain: why}
}

func TestRefusedSignatureIsExplained(t *testing.T) {
	p := profile(t, "kudos")
	v := sign.Values{ID: "evt_1", Type: "payment.succeeded"}
	late := v
	late.Time = signedAt.Add(-6 * 60e9)
	for _, test := range []struct {
		name    string
		secrets []string
		header  []sign.Header
		body    string
		kind    explain.Kind // "": none
	}{
		{"verified", []string{"secret-of-the-test"}, signed(t, p, v, eventBody, "secret-of-the-test"), eventBody, ""},
		{"a newline less", []string{"secret-of-the-test"}, signed(t, p, v, eventBody+"\n", "secret-of-the-test"), eventBody, "trailing_newline_removed"},
		{"a newline in the second secret", []string{"old-secret-of-it", "secret-of-the-test\n"}, signed(t, p, v, eventBody, "secret-of-the-test"), eventBody, "secret_whitespace_verifier"},
		{"too old", []string{"secret-of-the-test"}, signed(t, p, late, eventBody, "secret-of-the-test"), eventBody, "timestamp_too_old"},
		{"no header", []string{"secret-of-the-test"}, nil, eventBody, "header_missing"},
		{"nothing to find", []string{"secret-of-the-test"}, signed(t, p, v, eventBody, "unknown-secret-00"), eventBody, "no_candidate_matched"},
		{"no secret", nil, signed(t, p, v, eventBody, "secret-of-the-test"), eventBody, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, verifying(p, explain.Explain, test.secrets...))
			s.send(raw("POST", "/", test.header, test.body))
			q := s.next()
			var got explain.Kind
			if q.Explanation != nil {
				got = q.Explanation.Kind
			}
			if got != test.kind || q.Unexplained {
				t.Errorf("explained as %q (dropped: %v), want %q", got, q.Unexplained, test.kind)
			}
			var b bytes.Buffer
			if err := json.NewEncoder(&b).Encode(q); err != nil {
				t.Fatal(err)
			}
			want := `"explanation":null`
			if test.kind != "" {
				want = `"explanation":{"kind":"` + string(test.kind) + `","certainty":"`
			}
			if !strings.Contains(b.String(), want) {
				t.Errorf("no %s in the document %s", want, b.String())
			}
			for _, secret := range append(test.secrets, "secret-of-the-test") {
				if strings.Contains(b.String(), strings.TrimSpace(secret)) {
					t.Errorf("the document shows a secret: %s", b.String())
				}
			}
		})
	}
}

func TestOnlyRefusedSignaturesAreExplained(t *testing.T) {
	kudos, clodo := profile(t, "kudos"), profile(t, "clodo")
	v := sign.Values{ID: "evt_1", Type: "payment.succeeded"}
	wrong := signed(t, kudos, v, eventBody, "other")
	never := func(explain.Input) *explain.Explanation { t.Error("explained"); return nil }
	both := []*profiles.Profile{kudos, clodo}
	for name, r := range map[string]*Receiver{
		"without --verify": {Profiles: both, Keys: keys("s"), Explain: never},
		"no keys":          {Profiles: both, Verify: true, Explain: never},
		"too large":        {Profiles: both, Verify: true, Keys: keys("s"), MaxBody: 10, Explain: never},
	} {
		s := serve(t, r)
		s.send(raw("POST", "/", wrong, eventBody))
		if q := s.next(); q.Explanation != nil || q.Unexplained {
			t.Errorf("%s: explained", name)
		}
		s.stop()
	}
	s := serve(t, &Receiver{Profiles: both, Verify: true, Keys: keys("s"), Explain: never})
	s.send(raw("POST", "/", nil, eventBody)) // fits no profile
	s.next()
}

func TestFourExplanationsAreMadeAtOnce(t *testing.T) {
	const flood = mostWaiting + 40 // more than wait for an explanation
	p := profile(t, "kudos")
	v := sign.Values{ID: "evt_1", Type: "payment.succeeded"}
	begun, hold := make(chan struct{}, flood), make(chan struct{})
	var now, most atomic.Int32
	s := serve(t, verifying(p, func(explain.Input) *explain.Explanation {
		n := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		begun <- struct{}{}
		<-hold
		return &explain.Explanation{Kind: "no_candidate_matched"}
	}, "secret-of-the-test"))
	wrong := raw("POST", "/", signed(t, p, v, eventBody, "other"), eventBody)
	// The first four are explained, and that takes as long as it takes.
	for range mostExplanations {
		if a := s.send(wrong); a.StatusCode != 401 {
			t.Fatalf("answered %d, want 401", a.StatusCode)
		}
		<-begun
	}
	// All others are answered, and reported without an explanation.
	for range flood {
		if a := s.send(wrong); a.StatusCode != 401 {
			t.Fatalf("answered %d, want 401", a.StatusCode)
		}
	}
	for range flood {
		if q := s.next(); !q.Unexplained || q.Explanation != nil {
			t.Fatalf("request %d: dropped %v, explanation %v; want it dropped", q.Number, q.Unexplained, q.Explanation)
		}
	}
	// So is an honest request.
	honest := raw("POST", "/", signed(t, p, v, eventBody, "secret-of-the-test"), eventBody)
	if a := s.send(honest); a.StatusCode != 200 {
		t.Errorf("an honest request is answered %d", a.StatusCode)
	}
	if q := s.next(); !q.Result.Verified || q.Unexplained {
		t.Errorf("an honest request: %+v, dropped %v", q.Result, q.Unexplained)
	}
	close(hold)
	for range mostExplanations {
		if q := s.next(); q.Explanation == nil || q.Unexplained {
			t.Errorf("request %d is not explained", q.Number)
		}
	}
	// Once one is over, the next is explained again.
	s.send(wrong)
	if q := s.next(); q.Explanation == nil || q.Unexplained {
		t.Error("nothing is explained after the flood")
	}
	s.stop()
	if most.Load() != mostExplanations || now.Load() != 0 {
		t.Errorf("%d explanations at once, %d left; want %d and none", most.Load(), now.Load(), mostExplanations)
	}
}

func TestServeEndsAfterItsExplanations(t *testing.T) {
	p := profile(t, "kudos")
	begun, hold := make(chan struct{}), make(chan struct{})
	s := serve(t, verifying(p, func(explain.Input) *explain.Explanation {
		close(begun)
		<-hold
		return &explain.Explanation{Kind: "no_candidate_matched"}
	}, "secret-of-the-test"))
	s.send(raw("POST", "/", signed(t, p, sign.Values{ID: "e", Type: "t"}, eventBody, "other"), eventBody))
	<-begun
	close(hold)
	s.stop()
	select {
	case q := <-s.seen:
		if q.Explanation == nil {
			t.Error("not explained")
		}
	default:
		t.Error("not seen when Serve had ended")
	}
}

func TestSignatureOfAnotherRequestIsFound(t *testing.T) {
	p := profile(t, "kudos")
	s := serve(t, verifying(p, explain.Explain, "secret-of-the-test"))
	body := func(n int) string { return fmt.Sprintf(`{"event_id":"evt_%d","event_type":"t"}`, n) }
	header := func(n int) []sign.Header {
		return signed(t, p, sign.Values{ID: fmt.Sprint("evt_", n), Type: "t"}, body(n), "secret-of-the-test")
	}
	for n := 1; n <= 3; n++ {
		s.send(raw("POST", "/", header(n), body(n)))
		s.next()
	}
	s.send(raw("POST", "/", header(2), body(4)))
	q := s.next()
	const want = "The signature was made from the body of #2."
	if q.Explanation == nil || q.Explanation.Kind != "signature_from_other_delivery" || q.Explanation.Summary != want {
		t.Errorf("explained as %+v, want %q", q.Explanation, want)
	}
}

func TestFewRequestsAreKeptToExplainOthers(t *testing.T) {
	p, other := profile(t, "kudos"), profile(t, "clodo")
	numbers := func(n *recent, q *Request) (all []int) {
		for _, c := range n.others(q) {
			all = append(all, c.number)
		}
		return all
	}
	for _, test := range []struct {
		name string
		add  []captured
		want []int
	}{
		{"the latest first", []captured{{number: 1, profile: p, size: 10}, {number: 2, profile: p, size: 10}}, []int{2, 1}},
		{"not itself, not another profile's", []captured{{number: 1, profile: other}, {number: 2, profile: p}, {number: 9, profile: p}}, []int{2}},
		{"a MiB in all", []captured{{number: 1, profile: p, size: 1 << 19}, {number: 2, profile: p, size: 1 << 19}, {number: 3, profile: p, size: 1}}, []int{3, 2}},
		{"none of more than a MiB", []captured{{number: 1, profile: p, size: 10}, {number: 2, profile: p, size: 1<<20 + 1}}, []int{1}},
	} {
		var n recent
		for _, c := range test.add {
			n.add(c)
		}
		if got := numbers(&n, &Request{Number: 9, Profile: p}); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: kept %v, want %v", test.name, got, test.want)
		}
	}
	var n recent
	for i := range 1000 {
		n.add(captured{number: i, profile: p, size: 100})
	}
	if got := numbers(&n, &Request{Number: -1, Profile: p}); len(got) != mostRecent || got[0] != 999 || n.size != 100*mostRecent {
		t.Errorf("kept %v of %d bytes, want the last %d", got, n.size, mostRecent)
	}
}

func TestNothingIsKeptWithoutExplanations(t *testing.T) {
	p := profile(t, "kudos")
	r := verifying(p, nil, "secret-of-the-test")
	s := serve(t, r)
	s.send(raw("POST", "/", signed(t, p, sign.Values{ID: "e", Type: "t"}, eventBody, "other"), eventBody))
	if q := s.next(); q.Explanation != nil || q.Unexplained || r.recent.n != 0 {
		t.Errorf("explained %v, dropped %v, %d kept", q.Explanation, q.Unexplained, r.recent.n)
	}
}
