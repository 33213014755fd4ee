package send_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

func ExampleSender_Deliver() {
	n := 0
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n++; n == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer endpoint.Close()

	kudos, err := profiles.Builtin().Get("kudos")
	if err != nil {
		fmt.Println(err)
		return
	}
	sender := &send.Sender{
		Profile:  kudos.Profile,
		URL:      endpoint.URL,
		Keys:     []*sign.Key{sign.DevelopmentKey(kudos.Profile)},
		NoJitter: true,
	}
	attempts, ending := sender.Deliver(context.Background(), send.Message{
		ID:   "evt_1",
		Type: "payment.succeeded",
		Body: []byte(`{"event_id":"evt_1","event_type":"payment.succeeded"}`),
	})
	for a := range attempts {
		fmt.Println(a.Number, a.Outcome(), a.Verdict.Item, "->", a.Verdict.Then)
		if a.Next != nil {
			fmt.Println("  again in", a.Next.Wait)
		}
	}
	fmt.Println(ending().State)
	// Output:
	// 1 503 5xx -> retry
	//   again in 30s
	// 2 200 2xx -> delivered
	// delivered
}
