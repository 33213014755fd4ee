package conform

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// How long a check waits in all for a receiver that pushes back, and how long
// at a time where the answer does not say.
const (
	pushMost  = 2 * time.Second
	pushPause = 200 * time.Millisecond
)

// pushedBack reports whether the answer asks for another time: it judges the
// moment, not the request.
func (a answer) pushedBack() bool {
	return a.status() == http.StatusTooManyRequests || a.status() == http.StatusServiceUnavailable
}

// patient is the answer to a request, sent once more where the receiver pushes
// it back. It is false if the receiver takes nothing now; a receiver that pushes
// back this request and takes the event means the request.
func (t *tried) patient(ctx context.Context, q request) (answer, bool) {
	r := t.run
	a := r.exchange(ctx, q)
	if !a.pushedBack() || !r.first.accepted() {
		return a, true
	}
	if pause, ok := t.pause(a); ok && r.wait(ctx, pause) == nil {
		if a = r.exchange(ctx, q); !a.pushedBack() {
			return a, true
		}
	}
	event := r.exchange(ctx, r.genuine(r.event()))
	return a, event.cut || !event.pushedBack()
}

// pause is how long to wait before the request is sent again; false if the check
// has no time left for it.
func (t *tried) pause(a answer) (time.Duration, bool) {
	pause := pushPause
	if text, told := retryAfter(a); told {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > int(pushMost/time.Second) {
			return 0, false
		}
		pause = max(pause, time.Duration(n)*time.Second)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waited+pause > pushMost {
		return 0, false
	}
	t.waited += pause
	return pause, true
}
