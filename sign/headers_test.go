package sign_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

func full() sign.Values {
	return sign.Values{
		ID: "evt_1", Type: "a.b", Time: time.Unix(1700000030, 0), URL: "http://localhost/", Attempt: 2,
		FirstSent: time.Unix(1700000000, 5e8),
	}
}

func TestHeadersStandInTheProfilesOrder(t *testing.T) {
	first := []sign.Header{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "X-Event-Id", Value: "evt_1"},
		{Name: "X-Signature", Value: "t=1700000030,v1=aa,v1=bb"},
	}
	retry := append(append([]sign.Header{}, first...),
		sign.Header{Name: "X-Attempt", Value: "2"},
		sign.Header{Name: "X-Original-Id", Value: "evt_1"},
		sign.Header{Name: "X-First-Sent-At", Value: "2023-11-14T22:13:20Z"},
	)
	for attempt, want := range [][]sign.Header{first, first, retry} {
		v := full()
		v.Attempt = attempt
		got, err := sign.Headers(timed(), v, []string{"aa", "bb"})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("attempt %d: %v, %v; want %v", attempt, got, err, want)
		}
	}
}

func TestItemWithTheSignatureRepeats(t *testing.T) {
	one, two, three := []string{"aa"}, []string{"aa", "bb"}, []string{"aa", "bb", "cc"}
	for _, c := range []struct {
		value, separator string
		signatures       []string
		want             string
	}{
		{"t={timestamp},v1={signature}", ",", one, "t=1700000030,v1=aa"},
		{"t={timestamp},v1={signature}", ",", two, "t=1700000030,v1=aa,v1=bb"},
		{"t={timestamp},v1={signature}", "", two, "t=1700000030,v1=aa,v1=bb"},
		{"t={timestamp},v1={signature}", ",", three, "t=1700000030,v1=aa,v1=bb,v1=cc"},
		{"v1={signature},t={timestamp}", ",", two, "v1=aa,v1=bb,t=1700000030"},
		{"v1,{signature}", " ", two, "v1,aa v1,bb"},
		{"{signature}", ",", two, "aa,bb"},
		{"ts={timestamp};h1={signature}", ";", two, "ts=1700000030;h1=aa;h1=bb"},
		{"x; t={timestamp}; v={signature}", "; ", two, "x; t=1700000030; v=aa; v=bb"},
		{"{timestamp}.{signature}", ",", two, "1700000030.aa,1700000030.bb"},
	} {
		p := timed()
		p.Signature.Separator = c.separator
		p.Headers = []profiles.Header{header("S", c.value)}
		got, err := sign.Headers(p, sign.Values{Time: time.Unix(1700000030, 0)}, c.signatures)
		if want := []sign.Header{{Name: "S", Value: c.want}}; err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v; want %v", c.value, got, err, want)
		}
	}
}

func TestMissingValueNamesTheHeader(t *testing.T) {
	for _, c := range []struct {
		change              func(v *sign.Values)
		signatures          []string
		header, placeholder string
		text                string
	}{
		{func(v *sign.Values) { v.ID = "" }, []string{"aa"}, "X-Event-Id", "id", "header X-Event-Id: no value for {id}"},
		{func(v *sign.Values) { v.Time = time.Time{} }, []string{"aa"}, "X-Signature", "timestamp", "header X-Signature: no value for {timestamp}"},
		{func(v *sign.Values) { v.FirstSent = time.Time{} }, []string{"aa"}, "X-First-Sent-At", "first_sent_at", "header X-First-Sent-At: no value for {first_sent_at}"},
		{func(v *sign.Values) {}, nil, "X-Signature", "signature", "header X-Signature: no value for {signature}"},
	} {
		v := full()
		c.change(&v)
		got, err := sign.Headers(timed(), v, c.signatures)
		want := &sign.HeaderError{Header: c.header, Missing: &profiles.MissingError{Name: c.placeholder}}
		if got != nil || !reflect.DeepEqual(err, error(want)) || err.Error() != c.text {
			t.Errorf("%v, %v; want %v", got, err, want)
		}
		var missing *profiles.MissingError
		if !errors.As(err, &missing) || missing != err.(*sign.HeaderError).Missing {
			t.Errorf("%v does not unwrap", err)
		}
	}
}

func TestControlCharactersDoNotReachAHeader(t *testing.T) {
	for _, id := range []string{"evt\r\nX-Evil: 1", "evt\n", "evt\r", "evt\x00", "evt\t1", "evt\x7f", "evt\x1b[2J"} {
		v := full()
		v.ID = id
		got, err := sign.Headers(timed(), v, []string{"aa"})
		want := &sign.ValueError{Header: "X-Event-Id", Offset: 3}
		if got != nil || !reflect.DeepEqual(err, error(want)) {
			t.Errorf("%q: %v, %v", id, got, err)
		}
	}
	v := full()
	v.ID = "événement 1"
	if got, err := sign.Headers(timed(), v, []string{"aa"}); err != nil || got[1].Value != v.ID {
		t.Errorf("%v, %v", got, err)
	}
	if got, want := (&sign.ValueError{Header: "A", Offset: 3}).Error(), "header A: its value has a control character after 3 bytes"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSignatureHeaderHoldsTheSignature(t *testing.T) {
	if got, want := sign.SignatureHeader(timed()), timed().Headers[2]; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := sign.SignatureHeader(&profiles.Profile{}); got.Name != "" {
		t.Errorf("%v", got)
	}
}
