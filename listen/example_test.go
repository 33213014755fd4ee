package listen_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// A test of your own code can mount a Receiver and let the code send to it.
func ExampleReceiver() {
	kudos, err := profiles.Builtin().Get("kudos")
	if err != nil {
		fmt.Println(err)
		return
	}
	key, err := sign.NewKey(kudos.Profile, "a secret")
	if err != nil {
		fmt.Println(err)
		return
	}
	seen := make(chan listen.Request, 1)
	server := httptest.NewServer(&listen.Receiver{
		Profiles: []*profiles.Profile{kudos.Profile},
		Verify:   true,
		Keys:     func(*profiles.Profile) ([]*sign.Key, error) { return []*sign.Key{key}, nil },
		Seen:     func(r listen.Request) { seen <- r },
	})
	defer server.Close()

	body := `{"event_id":"evt_1","event_type":"payment.succeeded"}`
	values := sign.Values{ID: "evt_1", Type: "payment.succeeded", Time: time.Now(), Attempt: 1}
	signatures, err := sign.Signatures(kudos.Profile, values, strings.NewReader(body), key)
	if err != nil {
		fmt.Println(err)
		return
	}
	headers, err := sign.Headers(kudos.Profile, values, signatures)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, sent := range []string{body, body + "\n"} {
		req, _ := http.NewRequest("POST", server.URL, strings.NewReader(sent))
		for _, h := range headers {
			req.Header[h.Name] = []string{h.Value}
		}
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			fmt.Println(err)
			return
		}
		answer.Body.Close()
		r := <-seen
		fmt.Printf("%d %s %t %q\n", answer.StatusCode, r.Event.ID, r.Result.Verified, r.Result.Reason)
	}
	// Output:
	// 200 evt_1 true ""
	// 401 evt_1 false "no matching signature"
}

// A Server is the whole of it: limits, and headers as they stand on the wire.
func ExampleServer() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	seen := make(chan listen.Request, 1)
	server := &listen.Server{Receiver: &listen.Receiver{Seen: func(r listen.Request) { seen <- r }}}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, l) }()

	answer, err := http.Post("http://"+l.Addr().String()+"/hooks", "application/json", strings.NewReader(`{}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	answer.Body.Close()
	r := <-seen
	stop()
	fmt.Println(r.Number, r.Method, r.Target, r.Header[0].Name, string(r.Body), r.Answer.Status, r.Answer.By)
	fmt.Println(<-done)
	// Output:
	// 1 POST /hooks Host {} 200 default
	// <nil>
}
