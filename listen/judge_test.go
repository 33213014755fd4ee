package listen

import (
	"errors"
	"testing"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// judged is what a test compares of a verdict.
type judged struct {
	Status   int
	By       By
	Profile  string
	Verified bool
	Reason   sign.Reason
	Secret   int
	ID       string
}

func judgedOf(q Request) judged {
	j := judged{Status: q.Answer.Status, By: q.Answer.By, ID: q.Event.ID}
	if q.Profile != nil {
		j.Profile = q.Profile.Name
	}
	if q.Result != nil {
		j.Verified, j.Reason, j.Secret = q.Result.Verified, q.Result.Reason, q.Result.Secret
	}
	return j
}

func TestRequestsAreVerified(t *testing.T) {
	kudos, clodo, kustomer := profile(t, "kudos"), profile(t, "clodo"), profile(t, "kustomer")
	all := []*profiles.Profile{clodo, kudos, kustomer}
	v := sign.Values{ID: "evt_1", Type: "payment.succeeded"}
	by := func(p *profiles.Profile, secrets ...string) []sign.Header {
		return signed(t, p, v, eventBody, secrets...)
	}
	late := v
	late.Time = signedAt.Add(-6 * 60e9)
	both := append(by(kudos, "s"), by(clodo, "s")...)
	tests := []struct {
		name     string
		receiver *Receiver
		header   []sign.Header
		want     judged
	}{
		{"a right signature", &Receiver{Profiles: all[1:2], Keys: keys("s")}, by(kudos, "s"),
			judged{200, ByDefault, "kudos", true, "", 1, "evt_1"}},
		{"the second of two secrets", &Receiver{Profiles: all[1:2], Keys: keys("old", "s")}, by(kudos, "s"),
			judged{200, ByDefault, "kudos", true, "", 2, "evt_1"}},
		{"signed twice, one known", &Receiver{Profiles: all[1:2], Keys: keys("new")}, by(kudos, "old", "new"),
			judged{200, ByDefault, "kudos", true, "", 1, "evt_1"}},
		{"another secret", &Receiver{Profiles: all[1:2], Keys: keys("s")}, by(kudos, "other"),
			judged{401, ByReject, "kudos", false, sign.NoMatchingSignature, 0, "evt_1"}},
		{"another status for the refused", &Receiver{Profiles: all[1:2], Keys: keys("s"), RejectStatus: 403}, by(kudos, "other"),
			judged{403, ByReject, "kudos", false, sign.NoMatchingSignature, 0, "evt_1"}},
		{"too old", &Receiver{Profiles: all[1:2], Keys: keys("s")}, signed(t, kudos, late, eventBody, "s"),
			judged{401, ByReject, "kudos", false, sign.TooOld, 1, "evt_1"}},
		{"one profile is not recognised", &Receiver{Profiles: all[1:2], Keys: keys("s")}, by(clodo, "s"),
			judged{401, ByReject, "kudos", false, sign.MissingHeader, 0, "evt_1"}},
		{"no keys", &Receiver{Profiles: all[1:2]}, by(kudos, "s"),
			judged{401, ByReject, "kudos", false, sign.NoSecret, 0, "evt_1"}},
		{"keys that are none", &Receiver{Profiles: all[1:2], Keys: keys()}, by(kudos, "s"),
			judged{401, ByReject, "kudos", false, sign.NoSecret, 0, "evt_1"}},
		{"keys that cannot be read", &Receiver{Profiles: all[1:2], Keys: func(*profiles.Profile) ([]*sign.Key, error) {
			return []*sign.Key{key(t, kudos, "s")}, errors.New("no")
		}}, by(kudos, "s"),
			judged{401, ByReject, "kudos", false, sign.NoSecret, 0, "evt_1"}},
		{"recognised among several", &Receiver{Profiles: all, Keys: keys("s")}, by(kustomer, "s"),
			judged{200, ByDefault, "kustomer", true, "", 1, ""}},
		{"recognised as another", &Receiver{Profiles: all, Keys: keys("s")}, by(clodo, "s"),
			judged{200, ByDefault, "clodo", true, "", 1, "evt_1"}},
		{"fits none", &Receiver{Profiles: all, Keys: keys("s")}, nil,
			judged{401, ByReject, "", false, sign.UnknownProfile, 0, ""}},
		{"fits two", &Receiver{Profiles: all, Keys: keys("s")}, both,
			judged{401, ByReject, "", false, sign.UnknownProfile, 0, ""}},
		{"no profile at all", &Receiver{Keys: keys("s")}, by(kudos, "s"),
			judged{401, ByReject, "", false, sign.UnknownProfile, 0, ""}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := test.receiver
			r.Verify = true
			s := serve(t, r)
			a := s.send(raw("POST", "/", test.header, eventBody))
			got := judgedOf(s.next())
			if got != test.want || a.StatusCode != test.want.Status || text(t, a.Body) != "" || a.ContentLength != 0 {
				t.Errorf("answered %d, seen\n%+v, want\n%+v", a.StatusCode, got, test.want)
			}
		})
	}
}

func TestNothingIsJudgedWithoutVerify(t *testing.T) {
	kudos, clodo := profile(t, "kudos"), profile(t, "clodo")
	s := serve(t, &Receiver{Profiles: []*profiles.Profile{kudos, clodo}})
	wrong := []sign.Header{{Name: "X-Kudos-Signature", Value: "nonsense"}, {Name: "X-Kudos-Event-Id", Value: "evt_9"}}
	for _, test := range []struct {
		header []sign.Header
		want   judged
	}{
		{wrong, judged{Status: 200, By: ByDefault, Profile: "kudos", ID: "evt_9"}},
		{nil, judged{Status: 200, By: ByDefault}},
	} {
		s.send(raw("POST", "/", test.header, "{}"))
		q := s.next()
		if got := judgedOf(q); got != test.want || q.Result != nil {
			t.Errorf("seen\n%+v %+v, want\n%+v", got, q.Result, test.want)
		}
	}
}

func TestURLIsSigned(t *testing.T) {
	p, err := profiles.Parse("p.yaml", []byte(`schema: 1
name: signs-url
signature: { algorithm: hmac-sha256, content: "POST{url}{body}" }
headers: { X-Signature: "{signature}" }
delivery: { timeout: 8s, rules: [{ on: [2xx], then: delivered }, { on: [any], then: failed }] }
`))
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, &Receiver{Profiles: []*profiles.Profile{p}, Verify: true, Keys: keys("s"), URL: "https://example.com/h"})
	for url, want := range map[string]int{"https://example.com/h": 200, "https://example.com/other": 401} {
		header := signed(t, p, sign.Values{URL: url}, "{}", "s")
		if a := s.send(raw("POST", "/", header, "{}")); a.StatusCode != want {
			t.Errorf("signed for %s: answered %d, want %d", url, a.StatusCode, want)
		}
	}
}
