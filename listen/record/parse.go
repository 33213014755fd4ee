package record

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

const (
	requestSchema  = "hookctl.request/1"
	timelineSchema = "hookctl.timeline/1"
)

// maxNumber is the largest number of a request: every reader of JSON keeps it
// exactly, and the numbers go on from it.
const maxNumber = min(1<<53-1, math.MaxInt/2)

// errForeign is a line that is no hookctl document.
var errForeign = errors.New("not a line of a record")

// A header is a line of a header: its name and value, and the bytes of a value
// that is not UTF-8 in base64.
type header []string

type headerList []header

// fields are those of both documents that are read back.
type fields struct {
	Schema  string     `json:"schema"`
	Profile string     `json:"profile"`
	Event   eventField `json:"event"`
	Reason  string     `json:"reason"`

	Number  int         `json:"number"`
	At      string      `json:"at"`
	Remote  string      `json:"remote"`
	Method  string      `json:"method"`
	Target  string      `json:"target"`
	Proto   string      `json:"proto"`
	Headers headerList  `json:"headers"`
	Body    *[]byte     `json:"body_base64"`
	Good    *bool       `json:"verified"`
	Secret  int         `json:"matched_secret"`
	Seen    listen.Seen `json:"seen"`
	Of      int         `json:"of"`
	Answer  struct {
		Status int       `json:"status"`
		By     listen.By `json:"by"`
	} `json:"answer"`

	URL       string         `json:"url"`
	Seed      uint64         `json:"seed"`
	OwnSecret int            `json:"secret"`
	State     send.State     `json:"state"`
	Attempts  []attemptField `json:"attempts"`
}

type eventField struct {
	ID      string  `json:"id"`
	Type    string  `json:"type"`
	Attempt int     `json:"attempt"`
	Body    *[]byte `json:"body_base64"`
}

type attemptField struct {
	Number  int    `json:"number"`
	At      string `json:"at"`
	Request *struct {
		Headers headerList `json:"headers"`
	} `json:"request"`
	Response *struct {
		Status int `json:"status"`
	} `json:"response"`
	Error *struct {
		Kind    profiles.Failure `json:"kind"`
		Message string           `json:"message"`
	} `json:"error"`
}

// parse reads one line. A line of white space is no document and no error.
func parse(line []byte) (Document, error) {
	if blank(line) {
		return Document{}, nil
	}
	var f fields
	if err := json.Unmarshal(line, &f); err != nil {
		var only struct {
			Schema string `json:"schema"`
		}
		if json.Unmarshal(line, &only) != nil || only.Schema != requestSchema && only.Schema != timelineSchema {
			return Document{}, errForeign
		}
		return Document{}, fault(err)
	}
	d := Document{Profile: f.Profile}
	var err error
	switch f.Schema {
	case requestSchema:
		d.Request, err = f.request()
	case timelineSchema:
		d.Timeline, err = f.timeline()
	default:
		err = errForeign
	}
	return d, err
}

func blank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// fault says in plain words what is wrong with a document.
func fault(err error) error {
	var e *json.UnmarshalTypeError
	if errors.As(err, &e) {
		return fmt.Errorf("%s: a %s does not belong there", e.Field, e.Value)
	}
	return err
}

func (f *fields) request() (*listen.Request, error) {
	if f.Number < 1 || f.Number > maxNumber {
		return nil, fmt.Errorf("number: it is not from 1 to %d", maxNumber)
	}
	at, err := instant(f.At)
	if err != nil {
		return nil, err
	}
	q := &listen.Request{
		Number: f.Number, At: at, Remote: f.Remote, Method: f.Method, Target: f.Target, Proto: f.Proto,
		Event: sign.Event{ID: f.Event.ID, Type: f.Event.Type, Attempt: f.Event.Attempt},
		Seen:  f.Seen, Of: f.Of, Answer: listen.Answer{Status: f.Answer.Status, By: f.Answer.By},
	}
	if q.Header, err = f.Headers.list(); err != nil {
		return nil, err
	}
	if f.Body != nil {
		q.Body, q.BodyRead = *f.Body, true
	}
	if f.Good != nil {
		q.Result = &sign.Result{Verified: *f.Good, Reason: sign.Reason(f.Reason), Secret: f.Secret, Event: q.Event}
	}
	return q, nil
}

func (f *fields) timeline() (*send.Timeline, error) {
	t := &send.Timeline{
		Profile: f.Profile, URL: f.URL, Seed: f.Seed, Secret: f.OwnSecret,
		Event:  send.Message{ID: f.Event.ID, Type: f.Event.Type},
		Ending: send.Ending{State: f.State, Cause: send.Cause(f.Reason)},
	}
	if f.Event.Body != nil {
		t.Event.Body, t.WithBody = *f.Event.Body, true
	}
	for i, a := range f.Attempts {
		attempt := send.Attempt{Number: a.Number}
		var err error
		if a.At != "" {
			if attempt.At, err = instant(a.At); err != nil {
				return nil, fmt.Errorf("attempt %d: %w", i+1, err)
			}
		}
		if a.Request != nil {
			attempt.Request = &send.Request{}
			if attempt.Request.Header, err = a.Request.Headers.list(); err != nil {
				return nil, fmt.Errorf("attempt %d: %w", i+1, err)
			}
		}
		if a.Response != nil {
			attempt.Response = &send.Response{Status: a.Response.Status}
		}
		if a.Error != nil {
			attempt.Failure = &send.Failure{Kind: a.Error.Kind, Message: a.Error.Message}
		}
		t.Attempts = append(t.Attempts, attempt)
	}
	return t, nil
}

func instant(text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return at, errors.New("at: it is not an RFC 3339 time")
	}
	return at, nil
}

// list is the header, its values as they stood on the wire.
func (l headerList) list() ([]sign.Header, error) {
	all := make([]sign.Header, len(l))
	for i, pair := range l {
		if len(pair) < 2 || len(pair) > 3 || pair[0] == "" {
			return nil, fmt.Errorf("headers: line %d is not a name and a value", i+1)
		}
		all[i] = sign.Header{Name: pair[0], Value: pair[1]}
		if len(pair) == 3 {
			value, err := base64.StdEncoding.DecodeString(pair[2])
			if err != nil {
				return nil, fmt.Errorf("headers: the bytes of line %d are not base64", i+1)
			}
			all[i].Value = string(value)
		}
	}
	return all, nil
}
