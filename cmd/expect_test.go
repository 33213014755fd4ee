package cmd

import (
	"testing"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

func TestWhatWasExpectedOfAllRequests(t *testing.T) {
	kudos, kustomer := builtin(t, "kudos"), builtin(t, "kustomer")
	request := func(p *profiles.Profile, id string, status int, verified ...bool) listen.Request {
		r := listen.Request{Profile: p, Event: sign.Event{ID: id}, Answer: listen.Answer{Status: status}}
		if len(verified) > 0 {
			r.Result = &sign.Result{Verified: verified[0]}
		}
		return r
	}
	yes, no := request(kudos, "a", 200, true), request(kudos, "b", 401, false)
	for name, test := range map[string]struct {
		what     string
		requests []listen.Request
		want     string
	}{
		"nothing expected":                {"", nil, ""},
		"nothing expected of some":        {"", []listen.Request{no}, ""},
		"verified, none":                  {"verified", nil, "no request came"},
		"verified, all":                   {"verified", []listen.Request{yes, yes}, ""},
		"verified, one not":               {"verified", []listen.Request{yes, no}, "1 of 2 requests not verified"},
		"verified, the only one not":      {"verified", []listen.Request{no}, "1 of 1 request not verified"},
		"verified, not judged":            {"verified", []listen.Request{yes, request(kudos, "a", 413)}, "1 of 2 requests not verified"},
		"refused, none":                   {"refused", nil, "no request came"},
		"refused, all":                    {"refused", []listen.Request{no, no}, ""},
		"refused, one not":                {"refused", []listen.Request{no, yes, yes}, "2 of 3 requests not refused"},
		"refused, not judged":             {"refused", []listen.Request{request(kudos, "a", 413)}, "1 of 1 request not refused"},
		"delivered, none":                 {"delivered", nil, "no request came"},
		"delivered, all":                  {"delivered", []listen.Request{request(kudos, "a", 200), request(kudos, "b", 204)}, ""},
		"delivered, at last":              {"delivered", []listen.Request{request(kudos, "a", 503), request(kudos, "a", 200)}, ""},
		"delivered, not at last":          {"delivered", []listen.Request{request(kudos, "a", 200), request(kudos, "a", 503)}, "1 of 1 event not delivered"},
		"delivered, one not":              {"delivered", []listen.Request{request(kudos, "a", 200), request(kudos, "b", 404)}, "1 of 2 events not delivered"},
		"delivered, as the profile says":  {"delivered", []listen.Request{request(kustomer, "a", 301)}, ""},
		"delivered, as this one does not": {"delivered", []listen.Request{request(kudos, "a", 301)}, "1 of 1 event not delivered"},
		"delivered, without an answer":    {"delivered", []listen.Request{request(kudos, "a", 0)}, "1 of 1 event not delivered"},
		"delivered, without an id":        {"delivered", []listen.Request{request(kudos, "", 200)}, "no event with an id came"},
		"delivered, unknown":              {"delivered", []listen.Request{request(nil, "a", 200)}, "no event with an id came"},
		"delivered, one id of two":        {"delivered", []listen.Request{request(kudos, "a", 404), request(kustomer, "a", 200)}, "1 of 2 events not delivered"},
	} {
		var e expectation
		for _, r := range test.requests {
			e.add(r, test.what == "delivered")
		}
		if got := e.broken(test.what); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	var e expectation
	if e.add(yes, false); e.last != nil {
		t.Errorf("ids are kept for nobody: %v", e.last)
	}
}
