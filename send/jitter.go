package send

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// Jitter gives u in [0,1) for the wait after attempt n, from 1.
type Jitter func(n int) float64

// NoJitter is the middle: the bare schedule.
func NoJitter(int) float64 { return 0.5 }

// Seeded is the jitter of delivery k (from 0) under a seed. It depends on the
// profile's name, the seed, k and n alone.
func Seeded(p *profiles.Profile, seed uint64, k int) Jitter {
	d := NewDraws(p, seed)
	return func(n int) float64 { return d.At(k, n) }
}

// Draws are the jitter of every delivery under a seed. Several goroutines may
// use them.
type Draws struct {
	prefix []byte
}

// NewDraws are the draws under a seed; of the profile only the name counts.
func NewDraws(p *profiles.Profile, seed uint64) Draws {
	return Draws{binary.BigEndian.AppendUint64(append([]byte(p.Name), 0), seed)}
}

// At gives u in [0,1) for the wait after attempt n (from 1) of delivery k (from
// 0).
func (d Draws) At(k, n int) float64 {
	var space [128]byte // most names fit
	b := append(space[:0], d.prefix...)
	b = binary.BigEndian.AppendUint64(b, uint64(k))
	b = binary.BigEndian.AppendUint64(b, uint64(n))
	sum := sha256.Sum256(b)
	return float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
}

// jittered is the slot, moved by at most its share j in either direction: u 0
// is the earliest, 0.5 the slot itself, 1 the latest. It is never negative.
func jittered(slot time.Duration, j, u float64) time.Duration {
	if !(u > 0) {
		u = 0
	}
	move := float64(slot) * j * (2*min(u, 1) - 1)
	switch {
	case move >= float64(longest-slot):
		return longest
	case move <= -float64(slot):
		return 0
	}
	return slot + time.Duration(move)
}
