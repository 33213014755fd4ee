package listen

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// document is hookctl.request/1, field by field in the contract's order.
type document struct {
	Schema        string           `json:"schema"`
	Number        int              `json:"number"`
	At            string           `json:"at"`
	Remote        string           `json:"remote"`
	Method        string           `json:"method"`
	Target        string           `json:"target"`
	Proto         string           `json:"proto"`
	Headers       send.HeaderList  `json:"headers"`
	Body          *[]byte          `json:"body_base64"`
	Profile       *string          `json:"profile"`
	Event         eventDocument    `json:"event"`
	Verified      *bool            `json:"verified"`
	Reason        *string          `json:"reason"`
	MatchedSecret *int             `json:"matched_secret"`
	Age           *seconds         `json:"age_s"`
	Seen          Seen             `json:"seen"`
	Of            *int             `json:"of"`
	Explanation   *struct{}        `json:"explanation"` // null: none was asked for
	Answer        answerDocument   `json:"answer"`
	Took          seconds          `json:"took_s"`
	Error         *send.FailureDoc `json:"error"`
}

type eventDocument struct {
	ID      *string `json:"id"`
	Type    *string `json:"type"`
	Attempt *int    `json:"attempt"`
}

type answerDocument struct {
	Status *int `json:"status"`
	By     By   `json:"by"`
}

// MarshalJSON writes the document hookctl.request/1, with credentials masked
// unless Sensitive. What is not known is null.
func (r Request) MarshalJSON() ([]byte, error) {
	d := document{
		Schema: "hookctl.request/1",
		Number: r.Number,
		At:     r.At.UTC().Format("2006-01-02T15:04:05.000Z07:00"),
		Remote: r.Remote, Method: r.Method, Target: r.Target, Proto: r.Proto,
		Headers: r.headerList(),
		Event:   eventDocument{ID: known(r.Event.ID), Type: known(r.Event.Type), Attempt: known(r.Event.Attempt)},
		Seen:    r.Seen,
		Of:      known(r.Of),
		Answer:  answerDocument{Status: known(r.Answer.Status), By: r.Answer.By},
		Took:    seconds(r.Took),
	}
	if r.BodyRead {
		body := r.Body
		if body == nil {
			body = []byte{}
		}
		d.Body = &body
	}
	if r.Profile != nil {
		d.Profile = &r.Profile.Name
	}
	if v := r.Result; v != nil {
		d.Verified = &v.Verified
		d.Reason = known(string(v.Reason))
		d.MatchedSecret = known(v.Secret)
		d.Age = age(v)
	}
	if r.Failure != nil {
		d.Error = &send.FailureDoc{Kind: r.Failure.Kind, Message: r.Failure.Message}
	}
	var b bytes.Buffer
	if err := send.WriteDocument(&b, d); err != nil {
		return nil, err
	}
	return json.RawMessage(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// headerList is the request's header as it may be shown.
func (r Request) headerList() send.HeaderList {
	if r.Sensitive {
		return append(send.HeaderList{}, r.Header...)
	}
	return append(send.HeaderList{}, send.Mask(r.Header, r.Masked)...)
}

// known is a pointer to v, or nil (null) where v is its zero value.
func known[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// age is the age of a signature; nil where it has no time.
func age(v *sign.Result) *seconds {
	if v.Time.IsZero() {
		return nil
	}
	s := seconds(v.Age)
	return &s
}

// seconds is a length of time as JSON: a plain decimal number of seconds, to
// the microsecond.
type seconds time.Duration

func (s seconds) MarshalJSON() ([]byte, error) {
	rounded := math.Round(time.Duration(s).Seconds()*1e6) / 1e6
	return strconv.AppendFloat(nil, rounded+0, 'f', -1, 64), nil
}
