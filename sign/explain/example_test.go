package explain_test

import (
	"fmt"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// A signature that was made from the body with a newline at its end, which curl
// -d drops.
func ExampleExplain() {
	entry, err := profiles.Builtin().Get("kudos")
	if err != nil {
		fmt.Println(err)
		return
	}
	e := explain.Explain(explain.Input{
		Profile: entry.Profile,
		Now:     time.Unix(1760000000, 0),
		Secrets: []explain.Secret{{Text: "hookctl-demo-key-41d7f0"}},
		Received: sign.Received{
			Header: []sign.Header{{
				Name:  "X-Kudos-Signature",
				Value: "t=1759999988,v1=e8764c33bb07987eb2854e2d75603c09f2730a1c3ec2645a392f28ac87355a84",
			}},
			Body: []byte(`{"id":"evt_41","type":"invoice.paid","amount":1250}`),
		},
	})
	fmt.Println(e.Certainty, e.Kind)
	fmt.Println(e.Summary)
	fmt.Println(e.Fix)
	// Output:
	// proven trailing_newline_removed
	// The signature was made from this body and one newline at its end: 52 bytes signed, 51 arrived.
	// Send the very bytes that were signed: curl --data-binary @FILE (curl -d @FILE drops line ends).
}
