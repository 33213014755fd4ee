package explain_test

import (
	"crypto/sha1"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/sign/explain"
)

// stampedAt signs a body for a time, and sends another text of it.
func stampedAt(sent, signed string) made {
	return made{value: "t=" + sent + ",v1={s}", content: signed + "." + body}
}

func TestTheWordsFitTheFault(t *testing.T) {
	zeroed := stampedAt("0"+at, "0"+at)
	cut := made{body: body[:len(body)-1], content: at + "." + body}
	late := stampedAt("1700000000", "1700000000")
	for _, c := range []struct {
		fact string
		made
		want      explain.Kind
		says, fix string
	}{
		{"an ISO time, its seconds signed", stampedAt("2025-10-09T08:53:08Z", at), "timestamp_not_unix", `"2025-10-09T08:53:08Z", whose unix seconds were signed`, ""},
		{"a zero before the time", zeroed, "header_malformed", "its time begins with a zero", ""},
		{"two times", made{value: "t=1,t=2,v1={s}", key: "unknown"}, "header_malformed", `"t" stands in it more than once`, ""},
		{"an empty header", made{value: " "}, "header_missing", "It arrived, with nothing in it.", ""},
		{"microseconds", stampedAt(at+"000001", at+"000001"), "timestamp_in_future", "looks like microseconds", "Divide by 1,000,000 "},
		{"nanoseconds", stampedAt(at+"000000001", at+"000000001"), "timestamp_in_future", "looks like nanoseconds", "Divide by 1,000,000,000 "},
		{"far ahead", stampedAt("99999999999", "99999999999"), "timestamp_in_future", "more than 292 years ahead", "not only what is too old"},
		{"minutes late", stampedAt("1759999000", "1759999000"), "timestamp_too_old", "", "A capture that is sent again needs a fresh signature: hookctl replay FILE."},
		{"years late", late, "timestamp_too_old", "", "A capture that is sent again needs a fresh signature: hookctl replay FILE. It may be a late retry that was not signed again, or a replay; a constant offset on every delivery is your clock."},
		{"a digest of SHA-1's length", made{sum: func(string, string) string { return mac("x", "y")[:40] }}, "signature_malformed", "is 40 hex digits, as many as SHA-1 gives, where 64 belong", "Use HMAC-SHA256 on both sides"},
		{"a short digest", made{sum: func(string, string) string { return "abc" }}, "signature_malformed", "is no digest: 3 characters", ""},
		{"v1, decoded", made{secret: "v1," + word, key: "hookctl demo signing key 000001"}, "secret_version_prefix", "in front of it, decoded from base64", ""},
		{"v1, without whsec_", made{secret: "v1," + word, key: word[6:]}, "secret_version_prefix", "and without its prefix", ""},
		{"encodeURIComponent", made{secret: "a b+c", key: "a%20b%2Bc"}, "secret_url_encoded", "with the secret in a URL's escapes", ""},
		{"configured with a URL's escapes", made{secret: "a%20b%2Bc", key: "a b+c"}, "secret_url_encoded", "decoded from a URL's escapes", ""},
		{"HTML escapes", made{secret: "a&b'c", key: "a&amp;b&#x27;c"}, "secret_template_escaped", "as a template escapes it", ""},
		{"configured with HTML escapes", made{secret: "a&amp;b&#x27;c", key: "a&b'c"}, "secret_template_escaped", "without a template's escapes", ""},
		{"a blank at the end", made{body: body + " ", content: at + "." + body}, "json_whitespace", "without the white space at its end, 51 bytes; 52 bytes were received.", ""},
		{"cut, all ASCII", cut, "body_truncated", "", "Content-Length, a buffer or a column may have cut it: compare its length at both ends."},
		{"cut, not all ASCII", made{body: `{"a":"é"`, content: at + `.{"a":"é"}`}, "body_truncated", "", "Content-Length must count bytes, not characters."},
		{"windows-1252", made{body: `{"a":"â‚¬"}`, content: at + `.{"a":"€"}`}, "latin1_mojibake", "read as windows-1252", ""},
		{"sha1= with SHA-1", made{value: "t=" + at + ",sha1={s}", sum: macOf(sha1.New)}, "header_wrong_version_only", `"sha1=", with HMAC-SHA1,`, ""},
		{"the header of another provider", made{profile: plainOne, change: inHeader("X-Gitea-Signature")}, "header_renamed", "", `"X-Gitea-Signature" is another provider's header`},
		{"a prefix where there is none", made{profile: plainOne, value: "sha256={s}"}, "header_prefix_unexpected", "", "let the sender write the digest alone, in lower-case hex."},
		{"an address and the time", made{content: at + ".https://a.example/x." + body, change: address("https://a.example/x")}, "url_signed", `from "{timestamp}.{url}.{body}" with the address "https://a.example/x"`, "The scheme signs no address"},
	} {
		t.Run(c.fact, func(t *testing.T) {
			e := explain.Explain(c.input(t))
			if e == nil || e.Kind != c.want || len(e.Faults) != 1 || !strings.Contains(e.Summary, c.says) {
				t.Fatalf("%+v, want %s: %s", e, c.want, c.says)
			}
			if !strings.Contains(e.Fix, c.fix) || c.fact == "minutes late" && e.Fix != c.fix {
				t.Errorf("fix %q, want %q", e.Fix, c.fix)
			}
			if c.fact == "a blank at the end" && e.Serialiser != "" {
				t.Errorf("%q is named", e.Serialiser)
			}
		})
	}
}

func address(url string) func(in *explain.Input, digest string) {
	return func(in *explain.Input, digest string) { in.Received.URL = url }
}

func TestTwoFaultsAreFound(t *testing.T) {
	spaced := strings.NewReplacer(",", ", ", ":", ": ").Replace(body)
	for _, c := range []struct {
		fact string
		made
		want []explain.Kind
	}{
		{"a known secret and white space", made{key: "changeme", content: at + "." + spaced}, []explain.Kind{"sender_placeholder_secret", "json_whitespace"}},
		{"a known secret and a newline", made{key: "changeme", content: at + "." + body + "\n"}, []explain.Kind{"sender_placeholder_secret", "trailing_newline_removed"}},
		{"a known secret and a separator", made{key: "changeme", content: at + ":" + body}, []explain.Kind{"sender_placeholder_secret", "separator_wrong"}},
		{"a newline and a float", made{key: k + "\n", content: at + ".0." + body}, []explain.Kind{"secret_whitespace_sender", "timestamp_float_formatted"}},
		{"a newline and milliseconds", made{key: k + "\n", content: at + "000." + body}, []explain.Kind{"secret_whitespace_sender", "timestamp_ms_signed_seconds_sent"}},
		{"a newline and a second", made{key: k + "\n", content: "1759999989." + body}, []explain.Kind{"secret_whitespace_sender", "timestamp_drift_between_sign_and_send"}},
		{"a newline and SHA-1", made{key: k + "\n", sum: macOf(sha1.New)}, []explain.Kind{"secret_whitespace_sender", "algorithm_mismatch"}},
		{"a newline and exchanged arguments", made{key: k + "\n", sum: func(key, content string) string { return mac(content, key) }}, []explain.Kind{"secret_whitespace_sender", "hmac_args_swapped"}},
		{"a newline and an address", made{key: k + "\n", content: "https://a.example/x" + at + "." + body, change: address("https://a.example/x")}, []explain.Kind{"secret_whitespace_sender", "url_signed"}},
	} {
		t.Run(c.fact, func(t *testing.T) {
			e := explain.Explain(c.input(t))
			if e == nil || e.Kind != "two_faults" || e.Certainty != explain.Proven || !reflect.DeepEqual(e.Faults, c.want) {
				t.Errorf("%+v, want %v", e, c.want)
			}
		})
	}
}

func TestLargerBodiesAreSearchedAsFarAsSmallOnes(t *testing.T) {
	text := string(largeEvent(64 << 10))
	spaced := strings.NewReplacer(`,"`, `, "`, `":`, `": `, ",{", ", {").Replace(text)
	for _, c := range []struct {
		fact, key, content string
		want               []explain.Kind
	}{
		{"the last millisecond", theSecret, theTime + "999." + text, []explain.Kind{"timestamp_ms_signed_seconds_sent"}},
		{"white space", theSecret, theTime + "." + spaced, []explain.Kind{"json_whitespace"}},
		{"a newline and white space", theSecret + "\n", theTime + "." + spaced, []explain.Kind{"secret_whitespace_sender", "json_whitespace"}},
	} {
		e := explain.Explain(stamped(t, []byte(text), mac(c.key, c.content)))
		if e == nil || !reflect.DeepEqual(e.Faults, c.want) {
			t.Errorf("%s: %+v, want %v", c.fact, e, c.want)
		}
	}
}

func TestHowMuchWasTriedStandsInTheDocument(t *testing.T) {
	in := stamped(t, largeEvent(2<<20), mac("another", "text"))
	e := explain.Explain(in)
	text, err := json.Marshal(e)
	if err != nil || !strings.Contains(string(text), " signatures were tried; a body over 1 MiB is not rewritten") || strings.Contains(e.Summary, "tried") {
		t.Errorf("%s, %v", text, err)
	}
	if said := e.Tried.String(); !strings.HasSuffix(said, " signatures") || !strings.HasPrefix(said, "nothing that rewrites a body over 1 MiB; ") {
		t.Errorf("the count is not last: %s", said)
	}
}
