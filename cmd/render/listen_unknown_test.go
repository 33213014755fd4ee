package render

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

func TestUnknownRequestSaysWhatArrived(t *testing.T) {
	known := []*profiles.Profile{builtin(t, "kudos"), builtin(t, "clodo"), builtin(t, "stripe")}
	headers := func(names ...string) (all []sign.Header) {
		for _, n := range names {
			all = append(all, sign.Header{Name: n, Value: "x"})
		}
		return all
	}
	var many []string
	for i := range 30 {
		many = append(many, "H"+strconv.Itoa(i))
	}
	const none = "No known signature header: "
	for _, test := range []struct {
		name   string
		header []sign.Header
		want   string // arrived, fix
	}{
		{"nothing like it", headers("Host", "Accept", "Accept"), none + "Host, Accept. | Say whose it is with -p NAME."},
		{"none", nil, none + "no header at all. | Say whose it is with -p NAME."},
		{"a letter less", headers("Host", "X-Kudos-Signatur"), none + "Host, X-Kudos-Signatur. | Is X-Kudos-Signatur the X-Kudos-Signature of kudos? " +
			"Compare it with what the sender sets, or say whose it is with -p kudos."},
		{"as CGI writes it", headers("HTTP_STRIPE_SIGNATURE"), none + "HTTP_STRIPE_SIGNATURE. | Is HTTP_STRIPE_SIGNATURE the Stripe-Signature of stripe? " +
			"Compare it with what the sender sets, or say whose it is with -p stripe."},
		{"two", headers("X-Kudos-Signature", "Stripe-Signature"), "The headers of several profiles, kudos, stripe: X-Kudos-Signature, Stripe-Signature. | Say whose it is with -p NAME."},
		{"hostile", headers("\x1b[2J"), none + `\x1b[2J. | Say whose it is with -p NAME.`},
		{"many", headers(many...), none + strings.Join(many[:12], ", ") + ", and more. | Say whose it is with -p NAME."},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b bytes.Buffer
			l := NewListen(&b, Style{Width: 500}, true)
			l.Known = known
			r := listen.Request{Number: 1, Header: test.header, Result: &sign.Result{Reason: sign.UnknownProfile}, Answer: listen.Answer{Status: 401, By: listen.ByReject}}
			if err := l.Request(r); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(b.String()), "\n")
			arrived, fix := lines[len(lines)-2], lines[len(lines)-1]
			got := strings.TrimPrefix(arrived, "     arrived   ") + " | " + strings.TrimPrefix(fix, "     fix       ")
			if got != test.want {
				t.Errorf("%s\nwant\n%s", got, test.want)
			}
		})
	}
}
