package listen

import (
	"errors"
	"math/bits"
	"sync"
	"sync/atomic"
)

// The bounds of what a Receiver has at once.
const (
	mostAtOnce = 128      // requests that are being answered
	mostBodies = 56 << 20 // bytes of bodies, or one body of the largest size
	forSmall   = 8 << 20  // further bytes for bodies of at most smallBody
	smallBody  = 64 << 10
)

// errTooMuch says that there are too many bodies in memory.
var errTooMuch = errors.New("too many bodies in memory")

// bodies is the memory of the bodies of all requests. Its zero value is ready
// for use.
type bodies struct {
	held  atomic.Int64  // bytes
	pools [15]sync.Pool // of *[]byte with room for 4 KiB, 8 KiB … 64 MiB
}

// A room is the memory of one request's body.
type room struct {
	bodies *bodies
	most   int64   // bytes of all bodies
	pooled bool    // the memory is used again
	size   int64   // bytes that are held
	box    *[]byte // of memory that was used before, to give it back in; nil: none
}

// grow makes room for want bytes, of at most end that may be needed, and moves b
// there. Memory that is there to be used again may be larger. The error is
// errTooMuch.
func (room *room) grow(b []byte, want, end int64) ([]byte, error) {
	var bigger []byte
	box := room.take(want, end)
	switch {
	case box != nil:
		bigger = *box
		want = int64(cap(bigger))
	case room.pooled:
		want = 1 << bits.Len64(uint64(max(want, firstRead)-1))
	}
	if !room.hold(want - int64(cap(b))) {
		room.give(bigger, box)
		return b, errTooMuch
	}
	if box == nil {
		bigger = make([]byte, 0, want)
	}
	bigger = append(bigger, b...)
	room.give(b, room.box)
	room.box = box
	return bigger, nil
}

// hold counts bytes, unless that would be too many.
func (room *room) hold(more int64) bool {
	most := room.most
	if room.size+more <= smallBody {
		most += forSmall
	}
	if room.bodies.held.Add(more) > most {
		room.bodies.held.Add(-more)
		return false
	}
	room.size += more
	return true
}

// free gives back what a body took. Where memory is used again nobody else may
// have the body.
func (room *room) free(body []byte) {
	if room.bodies == nil {
		return
	}
	room.bodies.held.Add(-room.size)
	room.give(body, room.box)
	room.size, room.box = 0, nil
}

// class is the pool of memory with room for n bytes.
func class(n int64) int { return max(0, bits.Len64(uint64(n-1))-12) }

// take is memory that was used before, with room for end bytes, else for want;
// nil if there is none.
func (room *room) take(want, end int64) *[]byte {
	if !room.pooled {
		return nil
	}
	pools := &room.bodies.pools
	for _, n := range [2]int64{end, want} {
		if c := class(n); c < len(pools) {
			if box, ok := pools[c].Get().(*[]byte); ok {
				return box
			}
		}
	}
	return nil
}

// give keeps memory to be used again, in its box if it has one.
func (room *room) give(b []byte, box *[]byte) {
	c := class(int64(cap(b)))
	if pools := &room.bodies.pools; room.pooled && c < len(pools) && cap(b) == firstRead<<c {
		if box == nil {
			box = new([]byte)
		}
		*box = b[:0]
		pools[c].Put(box)
	}
}
