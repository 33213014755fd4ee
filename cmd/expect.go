package cmd

import (
	"strconv"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// An expectation is what --expect needs to know of all requests.
type expectation struct {
	requests, verified, refused int
	last                        map[string]profiles.Verdict // of each event id, what its profile made of the last answer
}

// add counts a request; with ids it keeps what became of each event.
func (e *expectation) add(r listen.Request, ids bool) {
	e.requests++
	switch {
	case r.Result != nil && r.Result.Verified:
		e.verified++
	case r.Result != nil:
		e.refused++
	}
	if !ids || r.Profile == nil || r.Event.ID == "" {
		return
	}
	if e.last == nil {
		e.last = map[string]profiles.Verdict{}
	}
	outcome := profiles.Outcome{Status: r.Answer.Status}
	if r.Answer.Status == 0 {
		outcome.Failure = profiles.Closed
	}
	e.last[r.Profile.Name+"\n"+r.Event.ID] = send.Judge(r.Profile, outcome).Then
}

// broken says why what was expected is not so; "" if it is.
func (e *expectation) broken(what string) string {
	if what == "" {
		return ""
	}
	if e.requests == 0 {
		return "no request came"
	}
	of := " of " + count(e.requests, "request")
	switch what {
	case "verified":
		if e.verified < e.requests {
			return strconv.Itoa(e.requests-e.verified) + of + " not verified"
		}
	case "refused":
		if e.refused < e.requests {
			return strconv.Itoa(e.requests-e.refused) + of + " not refused"
		}
	case "delivered":
		if len(e.last) == 0 {
			return "no event with an id came"
		}
		n := 0
		for _, v := range e.last {
			if v != profiles.Delivered {
				n++
			}
		}
		if n > 0 {
			return strconv.Itoa(n) + " of " + count(len(e.last), "event") + " not delivered"
		}
	}
	return ""
}
