package sign_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

const exampleProfile = `
schema: 1
name: example
secret: { active: 2 }
signature: { algorithm: hmac-sha256, content: "{timestamp}.{body}", tolerance: { past: 5m, future: 5m } }
headers:
  X-Event-Id: "{id}"
  X-Signature: "t={timestamp},v1={signature}"
event: { id: id, type: type }
delivery: { timeout: 8s, rules: [{ on: [2xx], then: delivered }, { on: [any], then: retry }] }
`

func Example() {
	p, err := profiles.Parse("example.yaml", []byte(exampleProfile))
	if err != nil {
		fmt.Println(err)
		return
	}
	older, _ := sign.NewKey(p, "older-signing-secret")
	newer, _ := sign.NewKey(p, "newer-signing-secret")

	// The sender, while its secret rotates.
	body := `{"id":"evt_1","type":"payment.succeeded"}`
	v := sign.Values{ID: "evt_1", Time: time.Unix(1700000000, 0)}
	signatures, err := sign.Signatures(p, v, strings.NewReader(body), older, newer)
	if err != nil {
		fmt.Println(err)
		return
	}
	lines, err := sign.Headers(p, v, signatures)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, h := range lines {
		fmt.Printf("%s: %s\n", h.Name, h.Value)
	}

	// The receiver, who knows the newer secret only.
	r := sign.Received{Header: lines, Body: []byte(body)}
	fmt.Println(sign.Verify(p, r, v.Time.Add(4*time.Second), newer).Verified)
	// Output:
	// X-Event-Id: evt_1
	// X-Signature: t=1700000000,v1=7f0b61ad4ab7419969e8209be3c89e1c1a47d5dc4047aad234625a44df10eaa4,v1=519d8862f3ad7ceab973c772dfc0aa3a13b857132369a661da4bdacf3f2f6444
	// true
}

func ExampleVerify() {
	p, err := profiles.Parse("example.yaml", []byte(exampleProfile))
	if err != nil {
		fmt.Println(err)
		return
	}
	key, _ := sign.NewKey(p, "older-signing-secret")
	r := sign.Received{
		Header: []sign.Header{{Name: "X-Signature", Value: "t=1700000000,v1=7f0b61ad4ab7419969e8209be3c89e1c1a47d5dc4047aad234625a44df10eaa4"}},
		Body:   []byte(`{"id":"evt_1","type":"payment.succeeded"}`),
	}
	res := sign.Verify(p, r, time.Unix(1700000843, 0), key)
	fmt.Println(res.Verified, res.Reason, res.Secret, res.Age, res.Event.ID)

	r.Body = append(r.Body, '\n')
	res = sign.Verify(p, r, time.Unix(1700000004, 0), key)
	fmt.Println(res.Verified, res.Reason, res.Secret, res.Age, res.Event.ID)
	// Output:
	// false too old 1 14m3s evt_1
	// false no matching signature 0 4s evt_1
}
