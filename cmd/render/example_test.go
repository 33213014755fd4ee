package render_test

import (
	"fmt"
	"os"
	"time"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

func ExampleSay() {
	m := render.Message{Kind: render.Hint, Text: "see all of them", Command: "hookctl profiles list"}
	if err := render.Say(os.Stdout, render.Style{}, m); err != nil {
		fmt.Println(err)
	}
	// Output: hookctl: hint: see all of them: hookctl profiles list
}

func ExampleNewTimeline() {
	p := &profiles.Profile{
		Title: "Acme Pay",
		Delivery: profiles.Delivery{
			Limits: profiles.Limits{Total: 8 * time.Second},
			Rules:  []profiles.Rule{{On: []profiles.Item{{Text: "2xx"}}, Then: profiles.Delivered}},
		},
	}
	t := render.NewTimeline(os.Stdout, render.Style{Width: 80}, render.Head{
		Profile: p, To: "http://localhost:3000/", Speed: "real",
		Event: send.Message{ID: "evt_1", Type: "paid", Body: []byte("{}")},
	})
	attempt := send.Attempt{
		Number: 1, Took: 2 * time.Millisecond,
		Response: &send.Response{Status: 204},
		Verdict:  send.Verdict{Then: profiles.Delivered, Item: "2xx", Rule: &p.Delivery.Rules[0]},
	}
	for _, draw := range []func() error{
		t.Head,
		func() error { return t.Attempt(attempt) },
		func() error { return t.End(send.Ending{State: send.StateDelivered, Cause: send.ByRule}) },
	} {
		if err := draw(); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// Acme Pay -> http://localhost:3000/
	// paid  evt_1  2 bytes  seed 0
	//
	//  #       time  answer      took  rule -> verdict  next wait
	//  1        0 s  204         2 ms   2xx -> delivered
	//
	// delivered: 204 at attempt 1 of 1
}

func ExampleDuration() {
	fmt.Println(render.Duration(2*time.Minute + 31*time.Second + 400*time.Millisecond))
	// Output: 2 m 31 s
}
