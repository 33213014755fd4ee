package send

import (
	"math/bits"
	"time"
)

// A Histogram counts lengths of time in buckets that grow with them: a quantile
// is at most 0.2 % off, and the size is fixed, some 60 KiB. Its zero value is
// empty. It is not safe for concurrent use.
type Histogram struct {
	counts [buckets]uint64
	n      uint64
	max    time.Duration
}

// Each power of two, in microseconds, has as many buckets as fit the precision.
const (
	fineBits = 8
	fine     = 1 << fineBits
	buckets  = (35 - fineBits + 1) * fine // 2^35 µs are 9 hours: no attempt takes longer
)

// Add counts one length of time; below 0 is 0.
func (h *Histogram) Add(d time.Duration) {
	d = max(0, d)
	h.counts[bucket(d)]++
	h.n++
	h.max = max(h.max, d)
}

// bucket is where a length of time is counted.
func bucket(d time.Duration) int {
	us := uint64(d / time.Microsecond)
	shift := max(0, bits.Len64(us)-fineBits-1)
	return min(shift*fine+int(us>>shift), buckets-1)
}

// middle is the length of time that stands for a bucket.
func middle(i int) time.Duration {
	shift := max(0, i/fine-1)
	us := uint64(i-shift*fine) << shift
	return time.Duration(us)*time.Microsecond + time.Duration(uint64(time.Microsecond)<<shift)/2
}

// Merge adds what another histogram has counted.
func (h *Histogram) Merge(o *Histogram) {
	for i, n := range o.counts {
		h.counts[i] += n
	}
	h.n += o.n
	h.max = max(h.max, o.max)
}

// Count is how many were counted.
func (h *Histogram) Count() uint64 { return h.n }

// Max is the longest, exactly; 0 if none was counted.
func (h *Histogram) Max() time.Duration { return h.max }

// Quantile is the shortest length of time that a share q, from 0 to 1, of those
// counted do not pass (0.5 is the median); 0 if none was counted.
func (h *Histogram) Quantile(q float64) time.Duration {
	rank := uint64(q * float64(h.n))
	if float64(rank) < q*float64(h.n) || rank == 0 {
		rank++
	}
	if rank >= h.n {
		return h.max
	}
	var seen uint64
	for i, n := range h.counts {
		if seen += n; seen >= rank {
			return min(middle(i), h.max)
		}
	}
	return h.max
}
