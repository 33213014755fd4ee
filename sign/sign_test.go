package sign_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

func TestSecretBecomesAKeyAsTheProfileSays(t *testing.T) {
	// Equal keys make equal signatures: each text is compared with its raw bytes.
	for _, c := range []struct {
		encoding profiles.Encoding
		strip    string
		secret   string
		raw      string
	}{
		{profiles.Raw, "", "whsec_abc", "whsec_abc"},
		{profiles.Raw, "", " a\n", " a\n"},
		{profiles.Raw, "whsec_", "whsec_abc", "abc"},
		{profiles.Raw, "whsec_", "abc", "abc"},
		{profiles.Base64, "", "a2V5IQ==", "key!"},
		{profiles.Base64, "", "a2V5IQ", "key!"},
		{profiles.Base64, "whsec_", "whsec_a2V5", "key"},
		{profiles.Hex, "", "6b657921", "key!"},
		{profiles.Hex, "", "6B4a", "kJ"},
	} {
		p := plain()
		p.Secret.Encoding, p.Secret.Strip = c.encoding, c.strip
		got := digest(t, p, sign.Values{}, theBody, c.secret)
		if want := digest(t, plain(), sign.Values{}, theBody, c.raw); got != want {
			t.Errorf("%s %q: not the key %q", c.encoding, c.secret, c.raw)
		}
		if k := mustKey(t, p, c.secret); k.Size() != len(c.raw) || k.Reveal() != c.secret {
			t.Errorf("%s %q: %d bytes, reveals %q", c.encoding, c.secret, k.Size(), k.Reveal())
		}
	}
}

func TestUnusableSecretIsRefusedWithoutItsText(t *testing.T) {
	const notBase64, notHex = "the secret is not base64, as the profile says it is", "the secret is not hex, as the profile says it is"
	for _, c := range []struct {
		encoding profiles.Encoding
		secret   string
		want     string
	}{
		{profiles.Raw, "", sign.ErrEmptySecret.Error()},
		{profiles.Raw, " \t\r\n", sign.ErrEmptySecret.Error()},
		{profiles.Raw, "whsec_", sign.ErrEmptySecret.Error()},
		{profiles.Base64, "", sign.ErrEmptySecret.Error()},
		{profiles.Base64, "whsec_ ", sign.ErrEmptySecret.Error()},
		{profiles.Hex, "", sign.ErrEmptySecret.Error()},
		{profiles.Base64, "not_base64", notBase64},
		{profiles.Base64, "a2V5IQ=", notBase64},
		{profiles.Base64, "a2V5\nIQ==", notBase64},
		{profiles.Base64, "a2V5\nIQ", notBase64},
		{profiles.Base64, "a2V5I", notBase64},
		{profiles.Base64, "a2V5IQ===", notBase64},
		{profiles.Base64, "a2V5=IQ=", notBase64},
		{profiles.Base64, "====", notBase64},
		{profiles.Base64, "a2V5IQ==\n", notBase64},
		{profiles.Hex, "6b6", notHex},
		{profiles.Hex, "secret!!", notHex},
		{profiles.Hex, "6b65\n", notHex},
	} {
		p := plain()
		p.Secret.Encoding, p.Secret.Strip = c.encoding, "whsec_"
		k, err := sign.NewKey(p, c.secret)
		if k != nil || err == nil || err.Error() != c.want {
			t.Errorf("%s %q: %v, %v; want %q", c.encoding, c.secret, k, err, c.want)
		}
		if (c.want == sign.ErrEmptySecret.Error()) != errors.Is(err, sign.ErrEmptySecret) {
			t.Errorf("%s %q: %v", c.encoding, c.secret, err)
		}
	}
}

func TestKeyIsNeverPrinted(t *testing.T) {
	const secret = "sesame-sesame-sesame"
	k := mustKey(t, timed(), secret)
	document, err := json.Marshal(map[string]any{"pointer": k, "value": *k})
	if err != nil {
		t.Fatal(err)
	}
	all := string(document) + k.String()
	holder := struct {
		Key    *sign.Key
		Copy   sign.Key
		hidden *sign.Key
		copied sign.Key
	}{k, *k, k, *k}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%p", "%t"} {
		all += fmt.Sprintf(verb, k) + fmt.Sprintf(verb, *k) + fmt.Sprintf(verb, []sign.Key{*k}) + fmt.Sprintf(verb, holder)
	}
	for _, form := range []string{secret, fmt.Sprintf("%x", secret), fmt.Sprintf("%X", secret), fmt.Sprint([]byte(secret))} {
		if strings.Contains(all, strings.Trim(form, "[]")) {
			t.Errorf("printed: %q", form)
		}
	}
}

func TestDevelopmentKeyIsItsBytesInEveryEncoding(t *testing.T) {
	want := digest(t, plain(), sign.Values{}, theBody, "hookctl-development-secret")
	for _, e := range []profiles.Encoding{profiles.Raw, profiles.Base64, profiles.Hex} {
		p := plain()
		p.Secret.Encoding = e
		got, err := sign.Signatures(p, sign.Values{}, strings.NewReader(theBody), sign.DevelopmentKey(p))
		if err != nil || got[0] != want {
			t.Errorf("%s: %q, %v; want %q", e, got, err, want)
		}
	}
}

func TestPlaceholdersOfTheSignedText(t *testing.T) {
	v := sign.Values{
		ID: "evt_1", Type: "a.b", URL: "https://example.com/", Attempt: 3,
		Time:      time.UnixMilli(1700000000123),
		FirstSent: time.Date(2026, 3, 1, 13, 4, 5, 999e6, time.FixedZone("", 3600)),
	}
	p := plain()
	p.Signature.Content = template("{id}|{type}|{timestamp}|{timestamp_ms}|{url}|{attempt}|{retry}|{first_sent_at}|{body}|{id}")
	got := digest(t, p, v, "B", ofOld)
	want := digest(t, plain(), sign.Values{}, "evt_1|a.b|1700000000|1700000000123|https://example.com/|3|2|2026-03-01T12:04:05Z|B|evt_1", ofOld)
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, name := range []string{"id", "type", "timestamp", "timestamp_ms", "url", "attempt", "retry", "first_sent_at", "signature"} {
		p.Signature.Content = template("{body}{" + name + "}")
		body := strings.NewReader("B")
		_, err := sign.Signatures(p, sign.Values{}, body, mustKey(t, p, ofOld))
		var missing *profiles.MissingError
		if !errors.As(err, &missing) || missing.Name != name || body.Len() != 1 {
			t.Errorf("%s: %v, %d bytes left", name, err, body.Len())
		}
		_, err = mustKey(t, p, ofOld).AppendSignature(nil, p, sign.Values{}, []byte("B"))
		if !errors.As(err, &missing) || missing.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSignatureWithoutABodyInItIsRefused(t *testing.T) {
	for _, content := range []string{"{timestamp}", "{body}{timestamp}{body}"} {
		p := timed()
		p.Signature.Content = template(content)
		var missing *profiles.MissingError
		if _, err := sign.Signatures(p, at(signedAt), nil, mustKey(t, p, ofOld)); !errors.As(err, &missing) || missing.Name != "body" {
			t.Errorf("%s: %v", content, err)
		}
		r := sign.Received{Header: []sign.Header{{Name: "X-Signature", Value: "t=1700000000,v1=00"}}}
		if res := sign.Verify(p, r, time.Unix(signedAt, 0), mustKey(t, p, ofOld)); res.Verified {
			t.Errorf("%s: %+v", content, res)
		}
	}
}

func TestBodyIsSignedHoweverItIsRead(t *testing.T) {
	key := mustKey(t, timed(), ofOld)
	v := at(signedAt)
	for _, size := range []int{0, 1, 4095, 4096, 4097, 131071, 4096 + 131072, 4096 + 131073, 1 << 20} {
		body := make([]byte, size)
		for i := range body {
			body[i] = byte(i * 7 >> 3)
		}
		want, err := key.AppendSignature(nil, timed(), v, body)
		if err != nil {
			t.Fatal(err)
		}
		readers := map[string]io.Reader{
			"reader": bytes.NewReader(body),
			"buffer": bytes.NewBuffer(bytes.Clone(body)),
			"string": strings.NewReader(string(body)),
			"stream": iotest.OneByteReader(bytes.NewReader(body)),
			"halves": iotest.HalfReader(bytes.NewReader(body)),
			"last":   iotest.DataErrReader(bytes.NewReader(body)),
		}
		if size == 0 {
			readers["nil"] = nil
		}
		for name, r := range readers {
			got, err := sign.Signatures(timed(), v, r, key, key)
			if err != nil || !reflect.DeepEqual(got, []string{string(want), string(want)}) {
				t.Errorf("%d bytes from %s: %q, %v", size, name, got, err)
			}
		}
	}
}

type idleReader struct{}

func (idleReader) Read([]byte) (int, error) { return 0, nil }

type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("reader") }

func TestReadErrorIsWrappedAndLeavesNoGoroutine(t *testing.T) {
	synctest.Test(t, readErrors) // it fails where a goroutine stays behind
}

func readErrors(t *testing.T) {
	key := mustKey(t, timed(), ofOld)
	broken := errors.New("broken")
	long := bytes.Repeat([]byte("x"), 1<<20)
	for _, c := range []struct {
		body io.Reader
		want error
	}{
		{iotest.ErrReader(broken), broken},
		{io.MultiReader(bytes.NewReader(long), iotest.ErrReader(broken)), broken},
		{iotest.TimeoutReader(iotest.HalfReader(bytes.NewReader(long))), iotest.ErrTimeout},
		{io.MultiReader(bytes.NewReader(long), iotest.ErrReader(io.ErrUnexpectedEOF)), io.ErrUnexpectedEOF},
		{idleReader{}, io.ErrNoProgress},
		{io.MultiReader(bytes.NewReader(long), idleReader{}), io.ErrNoProgress},
	} {
		got, err := sign.Signatures(timed(), at(signedAt), c.body, key)
		if got != nil || !errors.Is(err, c.want) {
			t.Errorf("%q, %v; want %v", got, err, c.want)
		}
	}
	func() {
		defer func() {
			if r := recover(); r != "reader" {
				t.Errorf("recovered %v", r)
			}
		}()
		_, _ = sign.Signatures(timed(), at(signedAt), io.MultiReader(bytes.NewReader(long), panicReader{}), key)
	}()
}

func TestZeroKeyDoesNotSign(t *testing.T) {
	for _, k := range []*sign.Key{nil, {}} {
		if got, err := sign.Signatures(timed(), at(1), nil, k); got != nil || err == nil {
			t.Errorf("%q, %v", got, err)
		}
		if got, err := k.AppendSignature(nil, timed(), at(1), nil); got != nil || err == nil {
			t.Errorf("%q, %v", got, err)
		}
	}
	if got, err := sign.Signatures(timed(), at(1), panicReader{}); got != nil || err != nil {
		t.Errorf("no keys: %q, %v", got, err)
	}
}

func TestKeyIsSafeForConcurrentUse(t *testing.T) {
	p := timed()
	key := mustKey(t, p, ofOld)
	errs := make(chan error)
	const n = 8
	for i := range n {
		go func() {
			body := bytes.Repeat([]byte{byte('a' + i)}, 100)
			want, err := sign.Signatures(p, at(signedAt), bytes.NewReader(body), mustKey(t, p, ofOld))
			for range 200 {
				got, e := sign.Signatures(p, at(signedAt), bytes.NewReader(body), key)
				if e != nil || got[0] != want[0] {
					err = fmt.Errorf("%q, %v; want %q", got, e, want)
				}
			}
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}
