package listen

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

func TestDocumentIsAsTheContractHasIt(t *testing.T) {
	verified := Request{
		Number: 3, At: time.Date(2026, 1, 2, 11, 3, 4, 5678000, time.FixedZone("", 3600)), Remote: "127.0.0.1:51000",
		Method: "POST", Target: "/hooks?x=1&y=<2>", Proto: "HTTP/1.1",
		Header: []sign.Header{{Name: "Host", Value: "localhost:4665"}, {Name: "x-lower", Value: "a\u202eb\xff"},
			{Name: "authorization", Value: "Bearer t"}, {Name: "X-Own", Value: "secret"}},
		Body: []byte("{ }"), BodyRead: true, Profile: &profiles.Profile{Name: "p"},
		Result: &sign.Result{Verified: true, Secret: 1, Time: signedAt.Add(1900 * time.Millisecond), Age: 2100 * time.Millisecond},
		Event:  sign.Event{ID: "evt_1", Type: "payment.succeeded", Attempt: 3},
		Seen:   Retry, Of: 1, Answer: Answer{200, ByDefault}, Took: 400 * time.Microsecond,
		Masked: func(name string) bool { return name == "X-Own" },
	}
	sensitive := verified
	sensitive.Sensitive = true
	refused := Request{
		Number: 1, At: signedAt, Body: nil, BodyRead: true, Profile: &profiles.Profile{Name: "p"}, Seen: New,
		Result: &sign.Result{Reason: sign.TooOld, Secret: 2, Time: signedAt.Add(-time.Hour), Age: time.Hour}, Answer: Answer{401, ByReject},
	}
	unread := Request{
		Number: 1, At: signedAt, Seen: New, Answer: Answer{408, ByLimit}, Took: 30 * time.Second,
		Result: &sign.Result{}, Failure: &send.Failure{Kind: profiles.Closed, Message: "the body ended early: \x1b[2J"},
	}
	unjudged := Request{Number: 1, At: signedAt, Seen: New, BodyRead: true, Answer: Answer{0, ByScript}}
	const masked = `[["Host","localhost:4665"],["x-lower","a\u202eb\ufffd","YeKArmL/"],["authorization","***"],["X-Own","***"]]`
	const open = `[["Host","localhost:4665"],["x-lower","a\u202eb\ufffd","YeKArmL/"],["authorization","Bearer t"],["X-Own","secret"]]`
	whole := func(headers string) string {
		return `{"schema":"hookctl.request/1","number":3,"at":"2026-01-02T10:03:04.005Z","remote":"127.0.0.1:51000","method":"POST","target":"/hooks?x=1&y=<2>","proto":"HTTP/1.1","headers":` +
			headers + `,"body_base64":"eyB9","profile":"p","event":{"id":"evt_1","type":"payment.succeeded","attempt":3},` +
			`"verified":true,"reason":null,"matched_secret":1,"age_s":2.105,"seen":"retry","of":1,"explanation":null,"answer":{"status":200,"by":"default"},"took_s":0.0004,"error":null}`
	}
	const start = `{"schema":"hookctl.request/1","number":1,"at":"2026-01-02T10:03:00.000Z","remote":"","method":"","target":"","proto":"","headers":[],"body_base64":`
	const noEvent = `"event":{"id":null,"type":null,"attempt":null},`
	tests := []struct {
		name string
		q    Request
		want string
	}{
		{"verified", verified, whole(masked)},
		{"sensitive", sensitive, whole(open)},
		{"refused", refused, start + `"","profile":"p",` + noEvent +
			`"verified":false,"reason":"too old","matched_secret":2,"age_s":3600,"seen":"new","of":null,"explanation":null,"answer":{"status":401,"by":"reject"},"took_s":0,"error":null}`},
		{"unread", unread, start + `null,"profile":null,` + noEvent +
			`"verified":false,"reason":null,"matched_secret":null,"age_s":null,"seen":"new","of":null,"explanation":null,"answer":{"status":408,"by":"limit"},"took_s":30,` +
			`"error":{"kind":"closed","message":"the body ended early: \u001b[2J"}}`},
		{"unjudged", unjudged, start + `"","profile":null,` + noEvent +
			`"verified":null,"reason":null,"matched_secret":null,"age_s":null,"seen":"new","of":null,"explanation":null,"answer":{"status":null,"by":"script"},"took_s":0,"error":null}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := send.WriteDocument(&b, test.q); err != nil {
				t.Fatal(err)
			}
			if got := b.String(); got != test.want+"\n" {
				t.Errorf("got\n%s, want\n%s", got, test.want)
			}
			if !json.Valid(b.Bytes()) {
				t.Error("not JSON")
			}
		})
	}
}

func TestHeaderIsNotChangedByMasking(t *testing.T) {
	q := Request{Header: []sign.Header{{Name: "Cookie", Value: "c"}}}
	if _, err := q.MarshalJSON(); err != nil || q.Header[0].Value != "c" {
		t.Errorf("error %v, header %q", err, q.Header)
	}
}
