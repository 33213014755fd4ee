package listen

import (
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// judge finds the profile, verifies the signature where that is asked for, and
// reads the event. The verdict is put into result.
func (r *Receiver) judge(q *Request, result *sign.Result) {
	q.Profile = r.recognise(q.Header)
	received := sign.Received{Header: q.Header, Body: q.Body, URL: r.URL}
	switch {
	case q.Profile == nil:
		if r.Verify {
			*result = sign.Result{Reason: sign.UnknownProfile}
			q.Result = result
		}
	case !q.BodyRead:
		// Only the headers can tell what the event is.
		q.Event, _ = sign.ReadEvent(q.Profile, received)
		if r.Verify {
			*result = sign.Result{Event: q.Event}
			q.Result = result
		}
	case !r.Verify:
		q.Event, q.Warnings = sign.ReadEvent(q.Profile, received)
	default:
		*result = r.verify(q, received)
		q.Result = result
		q.Event, q.Warnings = q.Result.Event, q.Result.Warnings
	}
}

// verify judges the signature. Without a key nothing is verified.
func (r *Receiver) verify(q *Request, received sign.Received) sign.Result {
	var keys []*sign.Key
	if r.Keys != nil {
		var err error
		if keys, err = r.Keys(q.Profile); err != nil {
			keys = nil
		}
	}
	return sign.Verify(q.Profile, received, q.At, keys...)
}

// recognise is the profile of a request: the only one there is, or the only
// one that the headers fit; else nil.
func (r *Receiver) recognise(header []sign.Header) *profiles.Profile {
	if len(r.Profiles) == 1 {
		return r.Profiles[0]
	}
	if fitting := sign.Recognise(r.Profiles, header); len(fitting) == 1 {
		return fitting[0]
	}
	return nil
}
