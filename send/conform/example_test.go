package conform_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/send/conform"
	"github.com/hookctl/hookctl/sign"
)

func ExampleRun() {
	p, err := profiles.Parse("acme.yaml", []byte(`schema: 1
name: acme
title: Acme Pay
signature: { content: "{body}" }
headers: { X-Acme-Signature: "{signature}" }
event: { id: id }
delivery: { timeout: 8s, rules: [{ on: [2xx], then: delivered }, { on: [any], then: retry }] }
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	key, err := sign.NewKey(p, "a-secret")
	if err != nil {
		fmt.Println(err)
		return
	}
	careless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	defer careless.Close()
	report, err := conform.Run(context.Background(), conform.Options{
		Profile: p, URL: careless.URL, Keys: []*sign.Key{key},
		Event: send.Message{ID: "evt_1", Body: []byte(`{"id":"evt_1"}`)},
		Only:  []string{"unsigned", "redirect"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict())
	for _, c := range report.Failed() {
		fmt.Println(c.Finding)
	}
	// Output:
	// failed: 1 of 2 required checks: unsigned
	// an event without the signature header is accepted
}

func ExampleChecks() {
	for _, c := range conform.Checks()[:3] {
		fmt.Println(c.Number, c.ID, c.Level)
	}
	// Output:
	// 1 unsigned required
	// 2 forged required
	// 3 guessable-key required
}
