package render

import (
	"strings"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// signs says what is signed, how, and with what.
func (p *prose) signs() {
	sig := p.profile.Signature
	header := sign.SignatureHeader(p.profile)
	p.line("")
	p.under("signs")
	p.say(Escape(header.Name) + ": " + inProse(header.Value) + p.assumed("headers."+header.Name))
	p.say(algorithmName(sig.Algorithm) + " over " + Escape(sig.Content.String()) + " in " + Escape(string(sig.Encoding)) +
		", key: " + keyWords(p.profile.Secret) +
		p.assumed("signature.content", "signature.algorithm", "signature.encoding", "secret.encoding", "secret.strip"))
	if sig.Separator != "," && p.profile.Secret.Active > 1 {
		p.say("items of the header are parted by " + separatorWord(sig.Separator) + p.assumed("signature.separator"))
	}
	p.freshness()
}

// freshness says whether the signature changes from attempt to attempt.
func (p *prose) freshness() {
	content := p.profile.Signature.Content
	switch {
	case content.Has("timestamp") || content.Has("timestamp_ms"):
		p.say(p.timeName() + " is fresh on each attempt, and the signature with it")
	case content.Has("attempt") || content.Has("retry"):
		p.say("the number of the attempt is signed, so each attempt has a signature of its own")
	default:
		p.say("no time is signed: the signature is the same on each attempt")
	}
}

// timeName is what the signature's time is called: the item of the signature
// header ("t"), or the header it has of its own.
func (p *prose) timeName() string {
	for _, h := range p.profile.Headers {
		if !h.Value.Has("timestamp") && !h.Value.Has("timestamp_ms") {
			continue
		}
		if !h.Value.Has("signature") {
			return Escape(h.Name)
		}
		for i, part := range h.Value.Parts {
			if part.Name == "timestamp" || part.Name == "timestamp_ms" {
				if name := itemName(h.Value, i, p.profile.Signature.Separator); name != "" {
					return Escape(strings.TrimRight(name, "=: "))
				}
			}
		}
	}
	return "the time"
}

// itemName is the text before a placeholder inside its item of a header.
func itemName(t profiles.Template, at int, separator string) string {
	if at == 0 || t.Parts[at-1].Name != "" {
		return ""
	}
	text := t.Parts[at-1].Text
	if separator != "" {
		text = text[strings.LastIndex(text, separator)+1:]
		if len(separator) > 1 {
			text = text[min(len(text), len(separator)-1):]
		}
	}
	return text
}

func algorithmName(a profiles.Algorithm) string {
	switch a {
	case profiles.HMACSHA1:
		return "HMAC-SHA1"
	case profiles.HMACSHA256:
		return "HMAC-SHA256"
	case profiles.HMACSHA512:
		return "HMAC-SHA512"
	}
	return Escape(string(a))
}

// keyWords says how a secret becomes a key.
func keyWords(s profiles.Secret) string {
	without := ""
	if s.Strip != "" {
		without = " without " + Escape(s.Strip)
	}
	switch s.Encoding {
	case profiles.Base64:
		return "the secret" + without + ", decoded from base64"
	case profiles.Hex:
		return "the secret" + without + ", decoded from hex"
	}
	if without != "" {
		return "the bytes of the secret" + without
	}
	return "the secret's own bytes"
}

func separatorWord(separator string) string {
	switch separator {
	case " ":
		return "a blank"
	case ", ":
		return "a comma and a blank"
	}
	return Escape(separator)
}

// inProse is a header's value with words for its placeholders.
func inProse(t profiles.Template) string {
	var b strings.Builder
	for _, part := range t.Parts {
		b.WriteString(placeholderWord(part))
	}
	return b.String()
}

func placeholderWord(part profiles.Part) string {
	switch part.Name {
	case "":
		return Escape(part.Text)
	case "id":
		return "<event id>"
	case "type":
		return "<event type>"
	case "timestamp":
		return "<unix seconds>"
	case "timestamp_ms":
		return "<unix milliseconds>"
	case "body":
		return "<body>"
	case "url":
		return "<URL>"
	case "attempt":
		return "<number of the attempt>"
	case "retry":
		return "<number of the retry>"
	case "first_sent_at":
		return "<time of the first attempt>"
	case "signature":
		return "<signature>"
	}
	return Escape("{" + part.Name + "}")
}

// secrets says how many sign, and what happens without one.
func (p *prose) secrets() {
	secret := p.profile.Secret
	p.under("secrets")
	if secret.Active > 1 {
		p.say("up to 2 at once, one " + p.signatureItem() + " each" + p.assumed("secret.active"))
	} else {
		p.say("one signs a delivery; to rotate, a second webhook has the other" + p.assumed("secret.active"))
	}
	if secret.NoneFail {
		verdict := send.Judge(p.profile, profiles.Outcome{Failure: profiles.NoSecret})
		p.say("none active: " + string(verdict.Then) + ", no request is sent" + p.assumed("secret.none"))
	}
	if secret.Where != "" {
		p.say("found " + Escape(secret.Where) + p.assumed("secret.where"))
	}
}

// signatureItem is what stands before a signature in its item: "v1=", or "v1" of
// "v1,".
func (p *prose) signatureItem() string {
	value := sign.SignatureHeader(p.profile).Value
	for i, part := range value.Parts {
		if part.Name != "signature" {
			continue
		}
		if name := itemName(value, i, p.profile.Signature.Separator); name != "" {
			return Escape(strings.TrimRight(name, ", "))
		}
	}
	return "signature"
}

// accepts says how far a signature's time may lie from the clock.
func (p *prose) accepts() {
	p.under("accepts")
	const field = "signature.tolerance"
	t := p.profile.Signature.Tolerance
	if t == nil {
		text := "a signature of any age"
		if content := p.profile.Signature.Content; !content.Has("timestamp") && !content.Has("timestamp_ms") {
			text = "a signature at any time, since it has none"
		}
		p.say(text + p.assumed(field))
		return
	}
	past, future := p.assumed(field+".past"), p.assumed(field+".future")
	if past != "" && past == future && p.names(field) {
		past, future = "", " (both assumed)"
	}
	p.say("a signature up to " + Duration(t.Past) + " old" + past)
	p.say("or " + Duration(t.Future) + " ahead of the clock" + future)
}

// names reports whether an assumption has exactly this field.
func (p *prose) names(field string) bool {
	for _, note := range p.profile.Assumed {
		if note.Field == field {
			return true
		}
	}
	return false
}
