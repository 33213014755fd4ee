package send

import (
	"encoding/base64"
	"strings"

	"github.com/hookctl/hookctl/profiles"
)

// A Timeline is a delivery as a document: hookctl.timeline/1.
type Timeline struct {
	Profile   string
	URL       string // "": null, as in a plan; userinfo is written as user:***@
	Seed      uint64
	Speed     string // "": null
	Secret    int    // 0: null
	Event     Message
	Attempts  []Attempt
	Ending    Ending
	Duplicate *Attempt
	Planned   bool                   // a plan: url, speed, at, request and event.id are null
	Bare      bool                   // a plan without a script: no answers, rules and reasons, next has min_s and max_s
	WithBody  bool                   // event.body_base64, for records
	Sensitive bool                   // do not mask authorisation and cookies
	Masked    func(name string) bool // further headers to mask
	Notes     []string               // what else was said in notes, after those of the attempts and the ending
}

// timelineDoc is hookctl.timeline/1, its fields in order.
type timelineDoc struct {
	Schema    string            `json:"schema"`
	Profile   string            `json:"profile"`
	URL       *string           `json:"url"`
	Seed      uint64            `json:"seed"`
	Speed     *string           `json:"speed"`
	Secret    *int              `json:"secret"`
	Event     eventDoc          `json:"event"`
	Attempts  []attemptDoc      `json:"attempts"`
	Duplicate *attemptDoc       `json:"duplicate,omitempty"`
	State     State             `json:"state"`
	Reason    Cause             `json:"reason"`
	Effects   []profiles.Effect `json:"effects"`
	Elapsed   Seconds           `json:"elapsed_s"`
	Notes     []string          `json:"notes"`
}

type eventDoc struct {
	ID    *string `json:"id"`
	Type  *string `json:"type"`
	Bytes int     `json:"bytes"`
	Body  *string `json:"body_base64,omitempty"`
}

type attemptDoc struct {
	Number   int               `json:"number"`
	Due      Seconds           `json:"due_s"`
	At       *string           `json:"at"`
	Took     Seconds           `json:"took_s"`
	Waited   bool              `json:"waited"`
	Request  *requestDoc       `json:"request"`
	Response *responseDoc      `json:"response"`
	Error    *FailureDoc       `json:"error"`
	Verdict  *profiles.Verdict `json:"verdict"`
	Rule     *string           `json:"rule"`
	Reason   *string           `json:"reason"`
	Assumed  bool              `json:"assumed"`
	Next     *nextDoc          `json:"next"`
}

type requestDoc struct {
	Headers HeaderList `json:"headers"`
}

type responseDoc struct {
	Status   int        `json:"status"`
	Headers  HeaderList `json:"headers"`
	Body     string     `json:"body_base64"`
	Complete bool       `json:"body_complete"`
}

type nextDoc struct {
	Wait   Seconds  `json:"wait_s"`
	Base   Seconds  `json:"base_s"`
	Source Source   `json:"source"`
	Min    *Seconds `json:"min_s,omitempty"`
	Max    *Seconds `json:"max_s,omitempty"`
}

// FailureDoc is a failure as JSON.
type FailureDoc struct {
	Kind    profiles.Failure `json:"kind"`
	Message string           `json:"message"`
}

// MarshalJSON writes the document. Its notes are those of the attempts, of the
// ending and of the Timeline, each once.
func (t Timeline) MarshalJSON() ([]byte, error) {
	doc := timelineDoc{
		Schema:   "hookctl.timeline/1",
		Profile:  t.Profile,
		Seed:     t.Seed,
		Event:    eventDoc{Type: OrNull(t.Event.Type), Bytes: len(t.Event.Body)},
		Attempts: make([]attemptDoc, 0, len(t.Attempts)),
		State:    t.Ending.State,
		Reason:   t.Ending.Cause,
		Effects:  append([]profiles.Effect{}, t.Ending.Effects...),
		Elapsed:  Seconds(t.Ending.Elapsed),
		Notes:    []string{},
	}
	if !t.Planned {
		doc.URL, doc.Speed = OrNull(ShownURL(t.URL)), OrNull(t.Speed)
		doc.Event.ID = OrNull(t.Event.ID)
	}
	if t.Secret != 0 {
		doc.Secret = &t.Secret
	}
	if t.WithBody {
		body := base64.StdEncoding.EncodeToString(t.Event.Body)
		doc.Event.Body = &body
	}
	for _, a := range t.Attempts {
		doc.Attempts = append(doc.Attempts, t.attempt(a))
		for _, note := range a.Notes {
			doc.Notes = addNote(doc.Notes, note)
		}
	}
	if t.Duplicate != nil {
		d := t.attempt(*t.Duplicate)
		doc.Duplicate = &d
		for _, note := range t.Duplicate.Notes {
			doc.Notes = addNote(doc.Notes, note)
		}
	}
	if c := t.Ending.Certificate; c != "" {
		doc.Notes = addNote(doc.Notes, c)
	}
	for _, note := range append(t.Ending.Notes[:len(t.Ending.Notes):len(t.Ending.Notes)], t.Notes...) {
		doc.Notes = addNote(doc.Notes, note)
	}
	return encode(doc)
}

// attempt is one attempt of the timeline as a document.
func (t Timeline) attempt(a Attempt) attemptDoc {
	doc := attemptDoc{
		Number: a.Number,
		Due:    Seconds(a.Due),
		Took:   Seconds(a.Took),
		Waited: a.Waited,
	}
	if v := a.Verdict; v.Then != "" {
		doc.Verdict = &v.Then
		doc.Assumed = v.Rule != nil && v.Rule.Assumed != ""
	}
	if n := a.Next; n != nil {
		doc.Next = &nextDoc{Wait: Seconds(n.Wait), Base: Seconds(n.Base), Source: n.Source}
		if t.Bare {
			least, most := Seconds(n.Min), Seconds(n.Max)
			doc.Next.Min, doc.Next.Max = &least, &most
		}
	}
	if !t.Planned {
		if !a.At.IsZero() {
			at := instant(a.At)
			doc.At = &at
		}
		if a.Request != nil {
			doc.Request = &requestDoc{Headers: t.headers(a.Request.Header)}
		}
	}
	if t.Bare {
		return doc
	}
	if v := a.Verdict; v.Then != "" {
		if v.Item != "" {
			rule := v.Item + " -> " + string(v.Then)
			doc.Rule = &rule
		}
		doc.Reason = OrNull(v.Reason)
	}
	if r := a.Response; r != nil {
		doc.Response = &responseDoc{
			Status:   r.Status,
			Headers:  t.headers(r.Header),
			Body:     base64.StdEncoding.EncodeToString(r.Body),
			Complete: r.Complete,
		}
	}
	if f := a.Failure; f != nil {
		doc.Error = &FailureDoc{Kind: f.Kind, Message: f.Message}
	}
	return doc
}

// ShownURL is the URL as it may be shown: userinfo as user:***@.
func ShownURL(url string) string {
	start := strings.Index(url, "://") + len("://")
	if start < len("://") {
		return url
	}
	end := len(url)
	if i := strings.IndexAny(url[start:], "/?#"); i >= 0 {
		end = start + i
	}
	at := strings.LastIndexByte(url[start:end], '@')
	if at < 0 {
		return url
	}
	user, _, _ := strings.Cut(url[start:start+at], ":")
	return url[:start] + user + ":***" + url[start+at:]
}
