package cmd

import (
	"crypto/sha256"
	"strconv"
	"sync"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// then is what became of a webhook when it was recorded: an answer or, of a
// delivery, its end.
type then struct {
	known     bool
	status    int
	delivered bool
}

// good reports whether it was delivered then: it ended so, or its answer is one
// that the provider takes for it.
func (t then) good(p *profiles.Profile) bool {
	if t.status == 0 {
		return t.delivered
	}
	return send.Judge(p, profiles.Outcome{Status: t.status}).Then == profiles.Delivered
}

// compared says what changed since then.
func (t then) compared(p *profiles.Profile, now bool) string {
	was := "it was not delivered when it was recorded"
	switch {
	case t.status != 0:
		was = "it was answered " + strconv.Itoa(t.status) + " when it was recorded"
	case t.delivered:
		was = "it was delivered when it was recorded"
	}
	switch before := t.good(p); {
	case now && !before:
		return was + "; fixed"
	case !now && before:
		return was + "; newly failing"
	case !now:
		return was + "; still failing"
	}
	return was + ", too"
}

// A comparison holds what the webhooks of a replay became against what they were
// when they were recorded. Its methods may be called from several goroutines.
type comparison struct {
	profile *profiles.Profile
	sums    send.Replayed // valid once the replay is over

	mu       sync.Mutex
	sent     map[[16]byte]bool // ids, by their hashes
	underWay map[int]earlier   // by number
}

type earlier struct {
	then      then
	duplicate bool // its id was sent before
}

// begin begins a replay with other keys.
func (c *comparison) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent, c.underWay = map[[16]byte]bool{}, map[int]earlier{}
}

// note notes a webhook that is about to be sent.
func (c *comparison) note(number int, r recorded) {
	sum := sha256.Sum256([]byte(r.event.ID))
	id := [16]byte(sum[:16])
	c.mu.Lock()
	defer c.mu.Unlock()
	c.underWay[number] = earlier{r.then, r.event.ID != "" && c.sent[id]}
	c.sent[id] = true
}

// end compares a delivery that has ended.
func (c *comparison) end(d send.Delivery) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, replayed := c.underWay[d.Message.Number]
	delete(c.underWay, d.Message.Number)
	if !replayed || d.Ending.State == send.StateInterrupted {
		return
	}
	now := d.Delivered()
	if now && before.duplicate {
		c.sums.Duplicates++
	}
	if !before.then.known {
		return
	}
	switch good := before.then.good(c.profile); {
	case now && !good:
		c.sums.Fixed++
	case !now && good:
		c.sums.NewlyFailing++
	case !now:
		c.sums.StillFailing++
	}
}
