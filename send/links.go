package send

import (
	"slices"
	"sync"
	"time"
)

// Links are links that wait for the next exchange. Its methods are safe for
// concurrent use; nil keeps none.
type Links struct {
	Most int           // how many wait at a time; from 1
	For  time.Duration // how long each waits; 0: until Close

	mu   sync.Mutex
	idle []*Link // in the order in which they came
}

// Take is the link that was used last and on which nothing came since, or nil.
func (k *Links) Take() *Link {
	for l := k.last(); l != nil; l = k.last() {
		if (k.For == 0 || l.timer.Stop()) && quiet(l.socket) {
			return l
		}
		l.Close()
	}
	return nil
}

// last is the link that was used last, or nil.
func (k *Links) last() *Link {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	n := len(k.idle) - 1
	if n < 0 {
		return nil
	}
	l := k.idle[n]
	k.idle[n], k.idle = nil, k.idle[:n]
	return l
}

// Keep ends an exchange whose answer was read to its end. Its link waits for the
// next where one can be made over it, else it is closed.
func (k *Links) Keep(l *Link) {
	if k == nil || !l.rest() {
		l.Close()
		return
	}
	if k.For > 0 {
		l.limit(k.For)
	}
	for _, old := range k.add(l) {
		old.Close()
	}
}

// add adds a link, and takes out those that have waited too long or longest.
func (k *Links) add(l *Link) (old []*Link) {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := 0
	for n < len(k.idle) && (len(k.idle)-n >= k.Most || k.idle[n].why() != nil) {
		n++
	}
	old = slices.Clone(k.idle[:n])
	k.idle = append(slices.Delete(k.idle, 0, n), l)
	return old
}

// Close closes the links that wait.
func (k *Links) Close() {
	for l := k.last(); l != nil; l = k.last() {
		l.Close()
	}
}
