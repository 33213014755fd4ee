package profiles_test

import (
	"fmt"

	"github.com/hookctl/hookctl/profiles"
)

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
