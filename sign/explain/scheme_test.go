package explain_test

import (
	"crypto/sha1"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

func template(t *testing.T, text string) profiles.Template {
	t.Helper()
	tmpl, err := profiles.ParseTemplate(text)
	if err != nil {
		t.Fatal(err)
	}
	return tmpl
}

// scheme is a profile of a public scheme.
func scheme(t *testing.T, secret profiles.Secret, encoding profiles.Encoding, separator, content string, headers ...string) *profiles.Profile {
	t.Helper()
	p := &profiles.Profile{Name: "scheme", Title: "Scheme", Secret: secret, Signature: profiles.Signature{
		Algorithm: profiles.HMACSHA256, Content: template(t, content), Encoding: encoding, Separator: separator,
		Tolerance: &profiles.Tolerance{Past: 5 * time.Minute, Future: 5 * time.Minute},
	}}
	for i := 0; i < len(headers); i += 2 {
		p.Headers = append(p.Headers, profiles.Header{Name: headers[i], Value: template(t, headers[i+1])})
	}
	return p
}

func standard(t *testing.T) *profiles.Profile {
	return scheme(t, profiles.Secret{Encoding: profiles.Base64, Strip: "whsec_", Active: 2}, profiles.Base64, " ", "{id}.{timestamp}.{body}",
		"webhook-id", "{id}", "webhook-timestamp", "{timestamp}", "webhook-signature", "v1,{signature}")
}

func hub(t *testing.T) *profiles.Profile {
	return scheme(t, profiles.Secret{Active: 1}, profiles.Hex, "", "{body}", "X-Hub-Signature-256", "sha256={signature}")
}

func slack(t *testing.T) *profiles.Profile {
	return scheme(t, profiles.Secret{Active: 1}, profiles.Hex, "", "v0:{timestamp}:{body}", "X-Request-Timestamp", "{timestamp}", "X-Signature", "v0={signature}")
}

func square(t *testing.T) *profiles.Profile {
	return scheme(t, profiles.Secret{Active: 1}, profiles.Base64, "", "{url}{body}", "x-signature", "{signature}")
}

func TestOtherSchemesAreExplained(t *testing.T) {
	const id = "msg_1"
	content := id + "." + at + "." + body
	key := "hookctl demo signing key 000001"
	b64 := func(digest string) string { return in64(digest) }
	three := func(signature string) []sign.Header {
		return []sign.Header{{Name: "webhook-id", Value: id}, {Name: "webhook-timestamp", Value: at}, {Name: "webhook-signature", Value: signature}}
	}
	two := func(signature string) []sign.Header {
		return []sign.Header{{Name: "X-Request-Timestamp", Value: at}, {Name: "X-Signature", Value: signature}}
	}
	one := func(name, value string) []sign.Header { return []sign.Header{{Name: name, Value: value}} }
	for _, c := range []struct {
		fact    string
		profile *profiles.Profile
		secret  string
		header  []sign.Header
		url     string
		want    explain.Kind
	}{
		{"the text is the key", standard(t), word, three("v1," + b64(mac(word[6:], content))), "", "secret_base64_encoded_by_sender"},
		{"the whole text is the key", standard(t), word, three("v1," + b64(mac(word, content))), "", "secret_prefix_stripped"},
		{"quotes", standard(t), `"` + word + `"`, three("v1," + b64(mac(key, content))), "", "secret_quoted_verifier"},
		{"no id", standard(t), word, three("v1," + b64(mac(key, at+"."+body))), "", "separator_wrong"},
		{"no time", standard(t), word, three("v1," + b64(mac(key, body))), "", "timestamp_not_signed"},
		{"hex", standard(t), word, three("v1," + mac(key, content)), "", "signature_base64"},
		{"base64url", standard(t), word, three("v1," + base64.URLEncoding.EncodeToString([]byte(raw(mac(key, content+"x"))))), "", "no_candidate_matched"},
		{"no v1", standard(t), word, three(b64(mac(key, content))), "", "header_prefix_unexpected"},
		{"v2", standard(t), word, three("v2," + b64(mac(key, content))), "", "header_wrong_version_only"},
		{"cut", standard(t), word, three("v1," + b64(mac(key, content))[:20]), "", "signature_truncated"},
		{"two lines", standard(t), word, append(three("v1,"+b64(mac(key, content))), one("webhook-signature", "v1,"+b64(mac("x", "y")))...), "", "header_multiple_values_combined"},
		{"joined", standard(t), word, three("v1," + b64(mac("x", "y")) + ",v1," + b64(mac(key, content))), "", "header_multiple_values_combined"},
		{"no header", standard(t), word, three("")[:2], "", "header_missing"},
		{"old", standard(t), word, []sign.Header{{Name: "webhook-id", Value: id}, {Name: "webhook-timestamp", Value: "1759990000"},
			{Name: "webhook-signature", Value: "v1," + b64(mac(key, id+".1759990000."+body))}}, "", "timestamp_too_old"},
		{"sha1", hub(t), k, one("X-Hub-Signature-256", "sha1="+macOf(sha1.New)(k, body)), "", "header_wrong_version_only"},
		{"no prefix", hub(t), k, one("X-Hub-Signature-256", mac(k, body)), "", "header_prefix_unexpected"},
		{"the older header", hub(t), k, one("X-Hub-Signature", "sha256="+mac(k, body)), "", "header_renamed"},
		{"a blank after the prefix", hub(t), k, one("X-Hub-Signature-256", "sha256= "+mac(k, body)), "", "header_whitespace"},
		{"a dot", slack(t), k, two("v0=" + mac(k, at+"."+body)), "", "separator_wrong"},
		{"drift", slack(t), k, two("v0=" + mac(k, "v0:1759999990:"+body)), "", "timestamp_drift_between_sign_and_send"},
		{"another scheme", square(t), k, one("x-signature", b64(mac(k, "https://a.example/"+body))), "http://a.example/", "url_signed"},
		{"another port", square(t), k, one("x-signature", b64(mac(k, "https://a.example/x"+body))), "https://a.example:8443/x/", "url_signed"},
		{"no address", square(t), k, one("x-signature", b64(mac(k, body))), "https://a.example/", "separator_wrong"},
	} {
		t.Run(c.fact, func(t *testing.T) {
			e := explain.Explain(explain.Input{
				Profile: c.profile, Now: time.Unix(now, 0), Secrets: []explain.Secret{{Text: c.secret}},
				Received: sign.Received{Body: []byte(body), Header: c.header, URL: c.url},
			})
			if e == nil || e.Kind != c.want {
				t.Errorf("%+v, want %s", e, c.want)
			}
		})
	}
}

func TestTheSecretIsNamedByItsPlace(t *testing.T) {
	in := made{secret: "first-secret-of-two", key: k}.input(t)
	in.Secrets = append(in.Secrets, explain.Secret{Text: k + "\n"})
	e := explain.Explain(in)
	if want := "The signature was made with secret 2 without the line end at its end."; e == nil || e.Summary != want {
		t.Errorf("%+v, want %q", e, want)
	}
}

func TestTheAppsOwnDigestIsExplained(t *testing.T) {
	content := at + "." + body
	stringified := `{"id":"evt_41","type":"invoice.paid","amount":1250,"price":1}`
	for _, c := range []struct {
		fact, body, app string
		want            explain.Kind
		says            string
	}{
		{"right", body, mac(k, content), "", ""},
		{"right, as a header", body, "t=" + at + ",v1=" + mac(k, content), "", ""},
		{"an object", body, mac(k, at+".[object Object]"), "placeholder_body_signed", `The digest of your app was made from "[object Object]" in place of the body.`},
		{"no body", body, mac(k, at+"."), "empty_body_signed", "The digest of your app was made from an empty body."},
		{"written again", stringified[:len(stringified)-1] + ".0}", mac(k, at+"."+stringified), "json_number_format",
			"The digest of your app was made from the same JSON with numbers as JavaScript writes them. The body was parsed and written again; JSON.stringify, Go's encoding/json of a struct or PHP's json_encode writes it like this."},
		{"a newline in its secret", body, mac(k+"\n", content), "secret_whitespace_sender", "The digest of your app was made with the secret and a newline at its end."},
		{"an empty secret", body, mac("", content), "sender_empty_secret", "The digest of your app was made with an empty secret."},
		{"upper case", body, strings.ToUpper(mac(k, content)), "signature_case", "The digest of your app is right, but its hex digits are in upper case."},
		{"base64", body, in64(mac(k, content)), "signature_base64", ""},
		{"read as latin-1", `{"a":"é"}`, mac(k, at+`.{"a":"Ã©"}`), "latin1_mojibake", "The digest of your app was made from this body, read as latin-1 and written as UTF-8."},
		{"no time", body, mac(k, body), "timestamp_not_signed", ""},
		{"nothing", body, mac("other", content), "no_candidate_matched", "The digest of your app was not made from this body with any secret given here."},
		{"no digest", body, "hello", "signature_malformed", ""},
	} {
		t.Run(c.fact, func(t *testing.T) {
			in := made{body: c.body}.input(t)
			in.App = c.app
			e := explain.Explain(in)
			if c.want == "" {
				if e != nil {
					t.Fatalf("%+v", e)
				}
				return
			}
			if e == nil || e.Kind != c.want || c.says != "" && e.Summary != c.says || e.Warning {
				t.Errorf("%+v, want %s %q", e, c.want, c.says)
			}
		})
	}
}

func TestWhatForgersCanMakeIsAWarning(t *testing.T) {
	warnings := map[explain.Kind]bool{}
	for _, m := range allMade() {
		if e := explain.Explain(m.input(t)); e != nil && e.Warning {
			warnings[e.Kind] = true
		}
	}
	want := map[explain.Kind]bool{
		"secret_empty": true, "sender_empty_secret": true, "sender_placeholder_secret": true,
		"plain_hash_not_hmac": true, "timestamp_drift_between_sign_and_send": true,
	}
	if !reflect.DeepEqual(warnings, want) {
		t.Errorf("warnings for %v, want %v", warnings, want)
	}
}

func TestTheDocumentIsTheContracts(t *testing.T) {
	in := made{body: `{"a": 1}`, content: at + `.{"a":1}`}.input(t)
	text, err := json.Marshal(explain.Explain(in))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"kind": "json_whitespace", "certainty": "proven",
		"summary": `The signature was made from the same JSON in another layout: no blank after "," and ":", 7 bytes; 8 bytes were received. The body was parsed and written again; Python's json.dumps writes it like this.`,
		"fix":     "Check the bytes as they arrived, before any JSON parser. Flask: request.get_data(). FastAPI: await request.body(). Django: request.body.",
		"faults":  []any{"json_whitespace"}, "named": nil, "serialiser": "Python's json.dumps",
		"difference": map[string]any{"offset": 5.0, "received": `{"a": 1}`, "signed": `{"a":1}`},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
}

func TestWhatWasTriedIsSaid(t *testing.T) {
	tried := explain.Tried{Secrets: 33, Bodies: 59, Times: 2200, Layouts: 14, Combined: 33 * 59, Signatures: 4253}
	if got, want := tried.String(), "33 forms of the secret, 59 of the body, 2,200 times, 14 layouts, and each form of the secret with each of the body: 4,253 signatures"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	e := explain.Explain(made{key: "some-unrelated-key"}.input(t))
	if n := e.Tried; n.Secrets+n.Bodies+n.Times+n.Layouts+n.Combined != n.Signatures {
		t.Errorf("the parts of %+v are not the whole", n)
	}
	if len(e.Helps) == 0 {
		t.Error("nothing would help")
	}
}

func TestSecretsAreNeverPrinted(t *testing.T) {
	in := made{}.input(t)
	in.Try = []explain.Secret{{Name: "live", Text: k}}
	for _, v := range []any{in.Secrets[0], in.Secrets, &in.Try[0], in} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			if text := fmt.Sprintf(format, v); strings.Contains(text, k) || strings.Contains(text, "686f6f6b63746c") {
				t.Errorf("%s shows it: %s", format, text)
			}
		}
	}
	if text, err := json.Marshal(in.Secrets); err != nil || strings.Contains(string(text), k) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestCautionsForARightSignature(t *testing.T) {
	p := builtin(t, "kudos")
	for _, c := range []struct {
		body    string
		secrets []explain.Secret
		want    []string
	}{
		{body, []explain.Secret{{Text: k}}, nil},
		{body, []explain.Secret{{Text: "0123456789abcde"}}, []string{"the secret is short: a key of 15 bytes; 16 or more are safe"}},
		{`{"a":1,"b":{"c":1,"\u0063":2}}`, []explain.Secret{{Text: k}, {Text: "x"}}, []string{
			"secret 2 is short: a key of 1 byte; 16 or more are safe", "the body has names that repeat in one object; parsers disagree on them"}},
	} {
		if got := explain.Cautions(p, []byte(c.body), c.secrets); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", c.body, got, c.want)
		}
	}
}
