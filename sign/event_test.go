package sign_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

func TestEventIsReadFromHeadersThenBody(t *testing.T) {
	body := `{"event_id":"evt_b","event_type":"b.b"}`
	long := strings.Repeat("x", 100)
	for _, c := range []struct {
		fact     string
		header   []sign.Header
		body     string
		want     sign.Event
		warnings []string
	}{
		{"body alone", nil, body, sign.Event{ID: "evt_b", Type: "b.b"}, nil},
		{"both agree", []sign.Header{{Name: "x-event-id", Value: "evt_b"}}, body, sign.Event{ID: "evt_b", Type: "b.b"}, nil},
		{"the header counts", []sign.Header{{Name: "X-Event-Id", Value: "evt_h"}}, body, sign.Event{ID: "evt_h", Type: "b.b"},
			[]string{`the id is "evt_h" in X-Event-Id and "evt_b" in the body`}},
		{"a retry", []sign.Header{{Name: "X-Event-Id", Value: "evt_b"}, {Name: "X-Original-Id", Value: "evt_b"}, {Name: "X-Attempt", Value: "3"}}, body,
			sign.Event{ID: "evt_b", Type: "b.b", Attempt: 3}, nil},
		{"two headers disagree", []sign.Header{{Name: "X-Original-Id", Value: "evt_c"}, {Name: "X-Event-Id", Value: "evt_b"}}, body,
			sign.Event{ID: "evt_b", Type: "b.b"}, []string{`the id is "evt_b" in X-Event-Id and "evt_c" in X-Original-Id`}},
		{"a header twice", []sign.Header{{Name: "X-Event-Id", Value: "evt_b"}, {Name: "X-Event-Id", Value: "evt_c"}}, body,
			sign.Event{ID: "evt_b", Type: "b.b"}, []string{"the header X-Event-Id is there several times"}},
		{"no JSON", []sign.Header{{Name: "X-Event-Id", Value: "evt_h"}}, "event_id=evt_b", sign.Event{ID: "evt_h"}, nil},
		{"nothing", nil, "", sign.Event{}, nil},
		{"a number as id", nil, `{"event_id":17}`, sign.Event{ID: "17"}, nil},
		{"escapes", []sign.Header{{Name: "X-Event-Id", Value: "evt_b"}}, `{"\u0065vent_id":"\u0065vt_b"}`, sign.Event{ID: "evt_b"}, nil},
		{"an attempt that is no number", []sign.Header{{Name: "X-Attempt", Value: "+3"}}, "", sign.Event{}, nil},
		{"an attempt too large", []sign.Header{{Name: "X-Attempt", Value: strings.Repeat("9", 40)}}, "", sign.Event{}, nil},
		{"long values", []sign.Header{{Name: "X-Event-Id", Value: "evt_h"}}, `{"event_id":"` + long + `"}`, sign.Event{ID: "evt_h"},
			[]string{`the id is "evt_h" in X-Event-Id and "` + long[:80] + `…" in the body`}},
		{"one name that comes again", nil, `{"event_id":"i","event_type":"b","c":1,"event_type":"t"}`, sign.Event{ID: "i", Type: "t"}, nil},
		{"an escaped name that comes again", nil, `{"event_id":"i","event_type":"b","c":1,"event\u005ftype":"t"}`, sign.Event{ID: "i", Type: "t"}, nil},
		{"past the first MiB", nil, `{"a":"` + strings.Repeat("x", 1<<20) + `",` + body[1:], sign.Event{}, nil},
	} {
		t.Run(c.fact, func(t *testing.T) {
			got, warnings := sign.ReadEvent(timed(), sign.Received{Header: c.header, Body: []byte(c.body)})
			if got != c.want || !reflect.DeepEqual(warnings, c.warnings) {
				t.Errorf("%+v, %q; want %+v, %q", got, warnings, c.want, c.warnings)
			}
		})
	}
}

func TestAnyNumberOfHeadersIsRead(t *testing.T) {
	p := timed()
	for n := range 20 {
		p.Headers = append(p.Headers, header("X-Id-"+strings.Repeat("x", 5*n), "<{id}>"))
	}
	for _, h := range p.Headers[3:] {
		got, warnings := sign.ReadEvent(p, sign.Received{Header: []sign.Header{{Name: "X"}, {Name: h.Name, Value: "<evt_h>"}}})
		if got != (sign.Event{ID: "evt_h"}) || warnings != nil {
			t.Errorf("%s: %+v, %q", h.Name, got, warnings)
		}
	}
}

func TestObjectAndItsStateAreRead(t *testing.T) {
	body := `{"id":"e1","name":"a.update","data":{"id":"obj_7","attributes":{"updatedAt":"2026-01-02T03:04:05.678Z"}}}`
	got, warnings := sign.ReadEvent(plain(), sign.Received{Header: []sign.Header{{Name: "X-Event", Value: "a.create"}}, Body: []byte(body)})
	want := sign.Event{ID: "e1", Type: "a.create", Object: "obj_7", Updated: "2026-01-02T03:04:05.678Z"}
	if got != want || !reflect.DeepEqual(warnings, []string{`the type is "a.create" in X-Event and "a.update" in the body`}) {
		t.Errorf("%+v, %q", got, warnings)
	}
}

func TestRetryHeaderCountsFromTheFirstRetry(t *testing.T) {
	p := plain()
	p.RetryHeaders = []profiles.Header{header("X-Retry-Num", "{retry}")}
	for value, want := range map[string]int{"1": 2, "0": 1, "": 0, "x": 0} {
		got, _ := sign.ReadEvent(p, sign.Received{Header: []sign.Header{{Name: "x-retry-num", Value: value}}})
		if got.Attempt != want {
			t.Errorf("%q: %d, want %d", value, got.Attempt, want)
		}
	}
}

func TestProfileIsRecognisedByItsHeaders(t *testing.T) {
	a, b, c := timed(), plain(), listed()
	b.Headers = []profiles.Header{header("Content-Type", "application/json"), header("X-Event-Id", "{id}"), header("X-Plain-Signature", "{signature}")}
	all := []*profiles.Profile{a, b, c}
	for _, tc := range []struct {
		names []string
		want  []*profiles.Profile
	}{
		{[]string{"X-Signature"}, []*profiles.Profile{a}},
		{[]string{"x-PLAIN-signature"}, []*profiles.Profile{b}},
		{[]string{"x-plain-signature", "X-Signature"}, []*profiles.Profile{a, b}},
		{[]string{"X-Event-Id", "X-Plain-Signature"}, []*profiles.Profile{b}},
		{[]string{"X-Event-Id"}, []*profiles.Profile{a, b}},
		{[]string{"X-Attempt"}, []*profiles.Profile{a}},
		{[]string{"webhook-id"}, []*profiles.Profile{c}},
		{[]string{"Content-Type", "Host"}, nil},
		{nil, nil},
	} {
		var h []sign.Header
		for _, n := range tc.names {
			h = append(h, sign.Header{Name: n, Value: "x"})
		}
		if got := sign.Recognise(all, h); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%q: %d profiles, want %d", tc.names, len(got), len(tc.want))
		}
	}
}
