package sign_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// template reads a template for tests: each {word} is a placeholder.
func template(s string) profiles.Template {
	var t profiles.Template
	for s != "" {
		i := strings.Index(s, "{")
		if i < 0 {
			i = len(s)
		}
		if i > 0 {
			t.Parts = append(t.Parts, profiles.Part{Text: s[:i]})
			s = s[i:]
			continue
		}
		end := strings.Index(s, "}")
		t.Parts = append(t.Parts, profiles.Part{Name: s[1:end]})
		s = s[end+1:]
	}
	return t
}

func header(name, value string) profiles.Header {
	return profiles.Header{Name: name, Value: template(value)}
}

// timed is a scheme with t= and v1= that may have two signatures.
func timed() *profiles.Profile {
	return &profiles.Profile{
		Name:   "timed",
		Secret: profiles.Secret{Encoding: profiles.Raw, Active: 2},
		Signature: profiles.Signature{
			Algorithm: profiles.HMACSHA256,
			Content:   template("{timestamp}.{body}"),
			Encoding:  profiles.Hex,
			Separator: ",",
			Tolerance: &profiles.Tolerance{Past: 5 * time.Minute, Future: 5 * time.Minute},
		},
		Headers: []profiles.Header{
			header("Content-Type", "application/json"),
			header("X-Event-Id", "{id}"),
			header("X-Signature", "t={timestamp},v1={signature}"),
		},
		RetryHeaders: []profiles.Header{
			header("X-Attempt", "{attempt}"),
			header("X-Original-Id", "{id}"),
			header("X-First-Sent-At", "{first_sent_at}"),
		},
		Event: profiles.Event{ID: "event_id", Type: "event_type"},
	}
}

// plain is a scheme with the digest of the body alone.
func plain() *profiles.Profile {
	return &profiles.Profile{
		Name:      "plain",
		Secret:    profiles.Secret{Encoding: profiles.Raw, Active: 1},
		Signature: profiles.Signature{Algorithm: profiles.HMACSHA256, Content: template("{body}"), Encoding: profiles.Hex, Separator: ","},
		Headers:   []profiles.Header{header("X-Event", "{type}"), header("X-Signature", "{signature}")},
		Event:     profiles.Event{ID: "id", Type: "name", Object: "data.id", Updated: "data.attributes.updatedAt"},
	}
}

// listed is a scheme with id and time in headers of their own, and a list of
// signatures with a blank between them.
func listed() *profiles.Profile {
	return &profiles.Profile{
		Name:   "listed",
		Secret: profiles.Secret{Encoding: profiles.Base64, Strip: "whsec_", Active: 2},
		Signature: profiles.Signature{
			Algorithm: profiles.HMACSHA256,
			Content:   template("{id}.{timestamp}.{body}"),
			Encoding:  profiles.Base64,
			Separator: " ",
			Tolerance: &profiles.Tolerance{Past: 5 * time.Minute, Future: 5 * time.Minute},
		},
		Headers: []profiles.Header{
			header("webhook-id", "{id}"),
			header("webhook-timestamp", "{timestamp}"),
			header("webhook-signature", "v1,{signature}"),
		},
		Event: profiles.Event{Type: "type"},
	}
}

func mustKey(tb testing.TB, p *profiles.Profile, secret string) *sign.Key {
	tb.Helper()
	k, err := sign.NewKey(p, secret)
	if err != nil {
		tb.Fatal(err)
	}
	return k
}
