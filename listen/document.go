package listen

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign/explain"
)

// document is hookctl.request/1, its fields in order.
type document struct {
	Schema        string               `json:"schema"`
	Number        int                  `json:"number"`
	At            string               `json:"at"`
	Remote        string               `json:"remote"`
	Method        string               `json:"method"`
	Target        string               `json:"target"`
	Proto         string               `json:"proto"`
	Headers       send.HeaderList      `json:"headers"`
	Body          *[]byte              `json:"body_base64"`
	Profile       *string              `json:"profile"`
	Event         eventDocument        `json:"event"`
	Verified      *bool                `json:"verified"`
	Reason        *string              `json:"reason"`
	MatchedSecret *int                 `json:"matched_secret"`
	Age           *json.Number         `json:"age_s"`
	Seen          Seen                 `json:"seen"`
	Of            *int                 `json:"of"`
	Explanation   *explain.Explanation `json:"explanation"`
	Answer        answerDocument       `json:"answer"`
	Took          send.Seconds         `json:"took_s"`
	Error         *send.FailureDoc     `json:"error"`
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
		At:     send.Instant(r.At),
		Remote: r.Remote, Method: r.Method, Target: r.Target, Proto: r.Proto,
		Headers:     r.headerList(),
		Event:       eventDocument{ID: send.OrNull(r.Event.ID), Type: send.OrNull(r.Event.Type), Attempt: send.OrNull(r.Event.Attempt)},
		Seen:        r.Seen,
		Of:          send.OrNull(r.Of),
		Explanation: r.Explanation,
		Answer:      answerDocument{Status: send.OrNull(r.Answer.Status), By: r.Answer.By},
		Took:        send.Seconds(r.Took),
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
		d.Reason = send.OrNull(string(v.Reason))
		d.MatchedSecret = send.OrNull(v.Secret)
		d.Age = r.age()
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

// age is the age of the signature when the request came, to the millisecond as
// that is written; nil where it has no time.
func (r Request) age() *json.Number {
	if r.Result.Time.IsZero() {
		return nil
	}
	age := send.Between(r.Result.Time, r.At.Truncate(time.Millisecond))
	return &age
}
