package send_test

import (
	"fmt"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// What a provider does with an endpoint that is down, then asks for a pause,
// then answers: no network is needed to know.
func ExamplePlan() {
	entry, err := profiles.Builtin().Get("kudos")
	if err != nil {
		fmt.Println(err)
		return
	}
	script, err := send.ParseScript("503,429:retry-after=120,200", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	attempts, ending := send.Plan(entry.Profile, script, send.NoJitter)
	for _, a := range attempts {
		fmt.Printf("%d  %-5s  %s  %s -> %s\n", a.Number, a.Due, a.Outcome(), a.Verdict.Item, a.Verdict.Then)
	}
	fmt.Println(ending.State, "after", ending.Elapsed)
	// Output:
	// 1  0s     503  5xx -> retry
	// 2  30s    429  429 -> retry
	// 3  2m30s  200  2xx -> delivered
	// delivered after 2m30s
}

// One answer, judged by the rules of three providers.
func ExampleJudge() {
	for _, name := range []string{"clodo", "kudos", "kustomer"} {
		e, err := profiles.Builtin().Get(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		v := send.Judge(e.Profile, profiles.Outcome{Status: 301})
		fmt.Printf("%s: %s -> %s\n", e.Profile.Title, v.Item, v.Then)
	}
	// Output:
	// Clodo: any -> failed
	// Kudos CRM: 3xx -> failed
	// Kustomer: 3xx -> delivered
}

// A mistake in a script is pointed at.
func ExampleParseScript() {
	_, err := send.ParseScript("503x2,429:retryafter=120,200", nil)
	fmt.Println(err)
	// Output:
	// step 2 of 3: unknown option "retryafter"
}
