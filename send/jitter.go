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
	prefix := append([]byte(p.Name), 0)
	prefix = binary.BigEndian.AppendUint64(prefix, seed)
	prefix = binary.BigEndian.AppendUint64(prefix, uint64(k))
	prefix = prefix[:len(prefix):len(prefix)]
	return func(n int) float64 {
		sum := sha256.Sum256(binary.BigEndian.AppendUint64(prefix, uint64(n)))
		return float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
	}
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
