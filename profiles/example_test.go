package profiles_test

import (
	"fmt"

	"github.com/hookctl/hookctl/profiles"
)

// A provider of your own: the file is all that hookctl knows of it.
func Example() {
	p, err := profiles.Parse("acme.yaml", []byte(`schema: 1
name: acme
title: Acme Pay
signature: { content: "{timestamp}.{body}", tolerance: { past: 5m, future: 5m } }
headers:
  Content-Type: application/json
  Acme-Signature: "t={timestamp},v1={signature}"
event: { id: id, type: type }
delivery:
  timeout: 8s
  rules:
    - { on: [2xx], then: delivered }
    - { on: [429, 5xx, timeout, connection], then: retry }
    - { on: [any], then: failed, because: "{answer} is final" }
retry:
  waits: [10s, 1m, 5m]
  retry_after: { on: [429], at_most: 10m }
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %d attempts, %v each at most\n", p.Title, p.Attempts(), p.Delivery.Limits.Longest())
	for _, r := range p.Delivery.Rules {
		for _, item := range r.On {
			fmt.Println(item.Text, "->", r.Then)
		}
	}
	// Output:
	// Acme Pay: 4 attempts, 8s each at most
	// 2xx -> delivered
	// 429 -> retry
	// 5xx -> retry
	// timeout -> retry
	// connection -> retry
	// any -> failed
}

// What is wrong with a file is told with its place.
func ExampleParse() {
	_, err := profiles.Parse("acme.yaml", []byte(`schema: 1
name: acme
signature: { content: "{timestamp}.{body}" }
headers:
  Acme-Signature: "t={timestamp},v1={signature}"
delivery:
  timeuot: 8s
  rules:
    - { on: [2xx], then: delivered }
    - { on: [any], then: retry }
`))
	fmt.Println(err)
	// Output: acme.yaml:7:3: unknown key "timeuot" in delivery
}

func ExampleCatalog_Get() {
	c := profiles.Catalog{Folders: []string{"./.hookctl/profiles"}}
	e, err := c.Get("clodo")
	if err != nil {
		fmt.Println(err)
		return
	}
	p := e.Profile
	fmt.Printf("%s, %s: %d attempts, waits %v\n", p.Title, e.From, p.Attempts(), p.Retry.Waits)
	for _, r := range p.Delivery.Rules[:2] {
		fmt.Println(r.On[0].Text, "->", r.Then)
	}
	// Output:
	// Clodo, built in: 3 attempts, waits [5s 5m0s]
	// 2xx -> delivered
	// 4xx -> failed
}

func ExampleNear() {
	fmt.Println(profiles.Near("kudoz", []string{"clodo", "kudos", "kustomer"}))
	// Output: kudos
}
