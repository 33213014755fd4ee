package sign_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// A vector is one known answer of testdata/vectors.
type vector struct {
	Scheme    string   `json:"scheme"`     // a profile of testdata/vectors/schemes
	Builtin   []string `json:"builtin"`    // the built-in profiles that sign alike, each with headers of its own
	RefusedBy string   `json:"refused_by"` // a scheme under which it must not verify
	Secrets   []string `json:"secrets"`
	ID        string   `json:"id"`
	TimeMS    int64    `json:"time_ms"`
	URL       string   `json:"url"`
	Body      string   `json:"body"`
	Header    string   `json:"header"` // the value of the signature header
	Source    string   `json:"source"`
}

const vectorDir = "../testdata/vectors"

func scheme(tb testing.TB, name string) *profiles.Profile {
	tb.Helper()
	file := filepath.Join(vectorDir, "schemes", name+".yaml")
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	p, err := profiles.Parse(file, data)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// vectors reads every case; none at all is an error.
func vectors(tb testing.TB) map[string]vector {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(vectorDir, "*.json"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no vectors in %s (%v)", vectorDir, err)
	}
	all := map[string]vector{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		var v vector
		if err := d.Decode(&v); err != nil {
			tb.Fatalf("%s: %v", file, err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = v
	}
	return all
}

// values are those of the vector, and others for headers that are not signed.
func (v vector) values() sign.Values {
	values := sign.Values{ID: v.ID, URL: v.URL, Type: "some.event", FirstSent: time.Unix(1700000000, 0)}
	if v.ID == "" {
		values.ID = "some-id"
	}
	if v.TimeMS != 0 {
		values.Time = time.UnixMilli(v.TimeMS)
	}
	return values
}

// profiles are those that sign as the vector does, by name.
func (v vector) profiles(tb testing.TB) map[string]*profiles.Profile {
	tb.Helper()
	all := map[string]*profiles.Profile{v.Scheme: scheme(tb, v.Scheme)}
	for _, name := range v.Builtin {
		e, err := profiles.Builtin().Get(name)
		if err != nil {
			tb.Fatal(err)
		}
		all["the built-in "+name] = e.Profile
	}
	return all
}

func (v vector) keys(tb testing.TB, p *profiles.Profile) []*sign.Key {
	tb.Helper()
	var keys []*sign.Key
	for _, secret := range v.Secrets {
		keys = append(keys, mustKey(tb, p, secret))
	}
	return keys
}

// received is the request of the vector: its signature header as published, the
// other headers as the scheme has them.
func (v vector) received(tb testing.TB, p *profiles.Profile) sign.Received {
	tb.Helper()
	lines, err := sign.Headers(p, v.values(), []string{"unused"})
	if err != nil {
		tb.Fatal(err)
	}
	for i := range lines {
		if lines[i].Name == sign.SignatureHeader(p).Name {
			lines[i].Value = v.Header
		}
	}
	return sign.Received{Header: lines, Body: []byte(v.Body), URL: v.URL}
}

func TestVectorsAreSignedAsPublished(t *testing.T) {
	for name, v := range vectors(t) {
		for by, p := range v.profiles(t) {
			t.Run(name+" by "+by, func(t *testing.T) {
				signatures, err := sign.Signatures(p, v.values(), strings.NewReader(v.Body), v.keys(t, p)...)
				if err != nil {
					t.Fatal(err)
				}
				lines, err := sign.Headers(p, v.values(), signatures)
				if err != nil {
					t.Fatal(err)
				}
				name := sign.SignatureHeader(p).Name
				for _, h := range lines {
					if h.Name == name && h.Value != v.Header {
						t.Errorf("%s: %q, want %q", name, h.Value, v.Header)
					}
				}
				if len(lines) != len(p.Headers) {
					t.Errorf("%d headers, want %d", len(lines), len(p.Headers))
				}
			})
		}
	}
}

func TestVectorsVerify(t *testing.T) {
	for name, v := range vectors(t) {
		for by, p := range v.profiles(t) {
			t.Run(name+" by "+by, func(t *testing.T) {
				now := v.values().Time.Add(5 * time.Minute)
				for i, key := range v.keys(t, p) {
					res := sign.Verify(p, v.received(t, p), now, key)
					if !res.Verified || res.Reason != "" || res.Secret != 1 {
						t.Errorf("secret %d: %+v", i+1, res)
					}
				}
				res := sign.Verify(p, v.received(t, p), now, mustKey(t, p, v.Secrets[0]+"QUFB"))
				if res.Verified || res.Reason != sign.NoMatchingSignature {
					t.Errorf("another secret: %+v", res)
				}
			})
		}
	}
}

// The others are not public: what they sign is assumed, or shown by no example.
func TestBuiltinProfilesOfPublicProvidersHaveAVector(t *testing.T) {
	var got []string
	for _, v := range vectors(t) {
		got = append(got, v.Builtin...)
	}
	slices.Sort(got)
	if want := []string{"github", "shopify", "slack", "standard-webhooks", "stripe", "svix"}; !slices.Equal(slices.Compact(got), want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestVectorsAreRefusedByAnotherScheme(t *testing.T) {
	n := 0
	for name, v := range vectors(t) {
		if v.RefusedBy == "" {
			continue
		}
		n++
		t.Run(name, func(t *testing.T) {
			p := scheme(t, v.RefusedBy)
			res := sign.Verify(p, v.received(t, p), v.values().Time, v.keys(t, p)...)
			if res.Verified || res.Reason != sign.NoMatchingSignature {
				t.Errorf("%+v", res)
			}
		})
	}
	if n == 0 {
		t.Error("no vector names a scheme that refuses it")
	}
}

// The digests were computed with openssl: printf '%s' TEXT | openssl dgst
// -sha256 -hmac SECRET, and with -sha1 and -sha512.
func TestDigestsAreThoseOfOpenSSL(t *testing.T) {
	const body = `{"id":"evt_1","amount":1200}`
	for _, c := range []struct {
		algorithm profiles.Algorithm
		want      string
	}{
		{profiles.HMACSHA1, "6662e490b115e542cc9b0cdfa0a423b73120aef4"},
		{profiles.HMACSHA256, "6b164676704b3fe924e87bcde7025234568eac06b1ebfb416eb83218f01499a8"},
		{profiles.HMACSHA512, "5065fb4a6ceb0087104cfcdc9e8647c4c02e266e11d2252d59b893e6483e61aed574cdf0f6f5805e023580ace2bd3879d82f47e40ddb736db487a5deb1741f72"},
	} {
		p := timed()
		p.Signature.Algorithm = c.algorithm
		key := mustKey(t, p, "whsec_openssl")
		v := sign.Values{Time: time.Unix(1700000000, 0)}
		got, err := sign.Signatures(p, v, strings.NewReader(body), key)
		if err != nil || len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %q, %v; want %q", c.algorithm, got, err, c.want)
		}
		appended, err := key.AppendSignature([]byte("v1="), p, v, []byte(body))
		if err != nil || string(appended) != "v1="+c.want {
			t.Errorf("%s appended: %q, %v; want %q", c.algorithm, appended, err, "v1="+c.want)
		}
		r := sign.Received{Header: []sign.Header{{Name: "x-signature", Value: fmt.Sprintf("t=1700000000,v1=%s", c.want)}}, Body: []byte(body)}
		if res := sign.Verify(p, r, v.Time, key); !res.Verified {
			t.Errorf("%s: %+v", c.algorithm, res)
		}
	}
}
