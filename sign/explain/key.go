package explain

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"

	"github.com/hookctl/hookctl/profiles"
)

// keyForms are the keys to try beside the documented ones, each once: the other
// secrets, then what happens to the configured ones, then what stands where no
// secret was set.
func (s *search) keyForms() []*keyForm {
	old := newSeen()
	var all []*keyForm
	add := func(key []byte, secret int, f fault) {
		if old.add(key) {
			all = append(all, s.newKey(key, secret, &f))
		}
	}
	for _, k := range s.keys {
		old.add(k.key)
	}
	for _, t := range s.in.Try[:min(len(s.in.Try), 32)] {
		if key, ok := documentedKey(s.p, t.Text); ok {
			add(key, -1, fault{kind: roleKind(t.Name), named: t.Name})
		}
	}
	for i, secret := range s.in.Secrets[:min(len(s.in.Secrets), 4)] {
		if len(secret.Text) > 4096 {
			continue
		}
		for _, f := range secretForms(s.p, secret.Text) {
			if len(f.key) > 0 {
				add(f.key, i, fault{kind: f.kind, detail: f.detail})
			}
		}
	}
	add(nil, -1, fault{kind: senderEmptySecret})
	if len(s.body) > rewritten {
		return all // the budget has better uses
	}
	for _, text := range s.words.list("placeholder secrets") {
		add([]byte(text), -1, fault{kind: senderPlaceholderSecret})
	}
	return all
}

// roleKind is what it means that another secret matches.
func roleKind(role string) Kind {
	switch strings.ToLower(role) {
	case "dashboard", "cli":
		return secretCLIDashboard
	case "test", "live":
		return secretTestLive
	case "previous":
		return secretPrevious
	case "next":
		return secretNext
	}
	return secretOtherEndpoint
}

// A secretForm is a key made of a secret's text in another way. The detail never
// holds any of the text.
type secretForm struct {
	kind   Kind
	detail string
	key    []byte
}

// secretForms are the keys that senders and receivers make of a text.
func secretForms(p *profiles.Profile, text string) []secretForm {
	var all []secretForm
	// as adds the key of another text: as the profile says and, if that makes a
	// difference, its own bytes.
	as := func(kind Kind, detail, changed string) {
		if changed == text {
			return
		}
		if key, ok := documentedKey(p, changed); ok {
			all = append(all, secretForm{kind, detail, key})
		}
		if p.Secret.Encoding != profiles.Raw || p.Secret.Strip != "" {
			all = append(all, secretForm{kind, detail, []byte(changed)})
		}
	}
	raw := func(kind Kind, detail string, key []byte) {
		all = append(all, secretForm{kind, detail, key})
	}
	cleaned(text, as)
	decoded(p, text, as, raw)
	inner := strings.TrimPrefix(text, p.Secret.Strip)
	as(secretCaseChanged, "in lower case", strings.ToLower(text))
	as(secretCaseChanged, "in upper case", strings.ToUpper(text))
	escaped(text, as)
	cut(inner, as)
	for _, end := range [...][2]string{{"\n", "a newline at its end"}, {"\r\n", "CR and LF at its end"}, {" ", "a blank at its end"}, {"\t", "a tab at its end"}, {"\r", "a CR at its end"}, {"\n\n", "two newlines at its end"}} {
		as(secretWhitespaceSender, end[1], text+end[0])
	}
	as(secretWhitespaceSender, "a blank at its start", " "+text)
	as(secretWhitespaceSender, "a newline at its start", "\n"+text)
	as(secretWhitespaceSender, "a blank at both ends", " "+text+" ")
	as(secretQuotedSender, "double quotes", `"`+text+`"`)
	as(secretQuotedSender, "single quotes", "'"+text+"'")
	as(secretQuotedSender, "backquotes", "`"+text+"`")
	return all
}

// cleaned are the texts without what the receiver's configuration added.
func cleaned(text string, as func(Kind, string, string)) {
	if bare := strings.TrimPrefix(text, "\ufeff"); bare != text {
		as(secretBOMVerifier, "", bare)
		as(secretBOMVerifier, "", strings.TrimSpace(bare))
	}
	as(secretWhitespaceVerifier, "the line end at its end", strings.TrimRight(text, "\r\n"))
	as(secretWhitespaceVerifier, "the white space at its end", strings.TrimRight(text, " \t\r\n"))
	as(secretWhitespaceVerifier, "the white space at its start", strings.TrimLeft(text, " \t\r\n"))
	as(secretWhitespaceVerifier, "the white space at both ends", strings.TrimSpace(text))
	trimmed := strings.TrimSpace(text)
	for _, q := range [...]string{`"`, "'", "`", "“”", "‘’"} {
		open, end := q, q
		if len(q) > 1 {
			open, end = q[:3], q[3:]
		}
		if bare, ok := strings.CutPrefix(trimmed, open); ok {
			if bare, ok = strings.CutSuffix(bare, end); ok {
				as(secretQuotedVerifier, "", bare)
			}
		}
	}
}

// decoded are other readings of the same text: with and without a prefix, as
// text and as encoded bytes.
func decoded(p *profiles.Profile, text string, as func(Kind, string, string), raw func(Kind, string, []byte)) {
	const prefix = "whsec_"
	for _, version := range [...]string{"v1,", "v1a,", "v2,"} {
		if bare, ok := strings.CutPrefix(text, version); ok {
			as(secretVersionPrefix, "", bare)
			raw(secretVersionPrefix, ", as a text", []byte(bare))
			plain := strings.TrimPrefix(bare, prefix)
			if key, ok := unbase64(plain); ok {
				raw(secretVersionPrefix, ", decoded from base64", key)
			}
			raw(secretVersionPrefix, " and without its prefix", []byte(plain))
		}
	}
	bare, had := strings.CutPrefix(text, prefix)
	if i := strings.IndexByte(text, '_'); !had && i > 0 && i < 10 && strings.HasSuffix(text[:i], "sec") {
		bare, had = text[i+1:], true // wbhsec_ and the like
	}
	if had && p.Secret.Strip == "" {
		as(secretPrefixKept, "", bare)
	}
	inner := strings.TrimPrefix(text, p.Secret.Strip)
	if inner != text {
		raw(secretPrefixStripped, "", []byte(text))
	}
	if key, ok := unbase64(bare); ok {
		raw(secretBase64Decoded, "", key)
	}
	if key, ok := unhex(bare); ok {
		raw(secretHexDecoded, "", key)
	}
	switch p.Secret.Encoding {
	case profiles.Base64:
		raw(secretBase64Encoded, "", []byte(inner))
	case profiles.Hex:
		raw(secretHexEncoded, "", []byte(inner))
	}
	if !had {
		as(secretPrefixStripped, "", prefix+text)
	}
	key := []byte(inner)
	if k, ok := documentedKey(p, text); ok {
		key = k
	}
	raw(secretBase64Encoded, "", []byte(base64.StdEncoding.EncodeToString(key)))
	raw(secretBase64Encoded, "", []byte(base64.RawStdEncoding.EncodeToString(key)))
	raw(secretBase64Encoded, "", []byte(base64.URLEncoding.EncodeToString(key)))
	raw(secretBase64Encoded, "", []byte(base64.RawURLEncoding.EncodeToString(key)))
	raw(secretHexEncoded, "", []byte(hex.EncodeToString(key)))
	raw(secretHexEncoded, "", []byte(strings.ToUpper(hex.EncodeToString(key))))
}

// escaped are the texts after a URL or a template.
func escaped(text string, as func(Kind, string, string)) {
	if t, err := url.QueryUnescape(text); err == nil {
		as(secretURLEncoded, "decoded from a URL's escapes", t)
	}
	if t, err := url.PathUnescape(text); err == nil {
		as(secretURLEncoded, "decoded from a URL's escapes", t)
	}
	as(secretURLEncoded, "and + in place of a blank, as in a URL", strings.ReplaceAll(text, " ", "+"))
	as(secretURLEncoded, "and a blank in place of +, as a URL is decoded", strings.ReplaceAll(text, "+", " "))
	const encoded = "in a URL's escapes"
	as(secretURLEncoded, encoded, url.QueryEscape(text))
	as(secretURLEncoded, encoded, url.PathEscape(text))
	as(secretURLEncoded, encoded, lowerPercent(url.QueryEscape(text)))
	component := strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
	as(secretURLEncoded, encoded, component)
	as(secretURLEncoded, encoded, lowerPercent(component))
	as(secretURLEncoded, encoded, strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(component))
	const with, without = "as a template escapes it", "without a template's escapes"
	html := []string{"&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;"}
	for _, list := range [...][]string{
		{"=", `\u003D`}, {"=", `\u003d`}, {"=", "&#x3D;"}, {"=", "&#61;"}, {"=", `\x3d`},
		{"&", `\u0026`, "<", `\u003c`, ">", `\u003e`, "=", `\u003d`, "'", `\u0027`},
		{"&", `\u0026`, "<", `\u003C`, ">", `\u003E`, "=", `\u003D`, "'", `\u0027`, "+", `\u002B`},
		html, {"&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;"},
		{"&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;", "/", "&#x2F;", "`", "&#x60;", "=", "&#x3D;"},
		{"&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;", "/", "&#x2F;"},
		{"&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;"},
		{"&", "&amp;"}, {"'", "&#x27;"}, {"/", `\/`}, {"/", "&#x2F;"}, {`"`, `\"`}, {`\`, `\\`}, {"$", "$$"},
		{"+", `\u002B`}, {"+", "&#43;"}, {"\n", `\n`},
	} {
		back := make([]string, len(list))
		for i := range list {
			back[i] = list[i^1]
		}
		as(secretTemplateEscaped, with, strings.NewReplacer(list...).Replace(text))
		as(secretTemplateEscaped, without, strings.NewReplacer(back...).Replace(text))
	}
	as(secretTemplateEscaped, without, strings.TrimSuffix(text, `\n`))
	as(secretTemplateEscaped, with, text+`\n`)
}

// cut are the texts that an env file's reader stops at a character of.
func cut(text string, as func(Kind, string, string)) {
	tried := 0
	for i := range len(text) {
		if c := text[i]; i > 0 && strings.IndexByte("#$ ;&=", c) >= 0 && tried < 12 {
			tried++
			as(secretTruncatedSender, "up to a special character", strings.TrimRight(text[:i], " "))
			as(secretTruncatedSender, "up to a special character", text[:i])
			if c == '$' {
				end := i + 1
				for end < len(text) && (text[end] == '_' || text[end] >= '0' && text[end] <= '9' || text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z') {
					end++
				}
				as(secretTruncatedSender, "with what looks like a variable left out", text[:i]+text[end:])
			}
		}
	}
}

// lowerPercent writes the digits of percent escapes in lower case.
func lowerPercent(text string) string {
	b := []byte(text)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}
