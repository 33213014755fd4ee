package send

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestQuantilesAreCloseToTheSortedOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var h Histogram
	var all []time.Duration
	for range 20_000 {
		d := time.Duration(math.Exp(r.Float64()*20)) * time.Microsecond // 1 µs to 8 minutes
		h.Add(d)
		all = append(all, d)
	}
	slices.Sort(all)
	for _, q := range []float64{0.01, 0.5, 0.95, 0.99, 0.999} {
		want := all[int(math.Ceil(q*float64(len(all))))-1]
		got := h.Quantile(q)
		if off := math.Abs(float64(got-want)) / float64(want); off > 0.002 && math.Abs(float64(got-want)) > 500 {
			t.Errorf("quantile %v is %v, want %v: %.2f %% off", q, got, want, off*100)
		}
	}
	if h.Max() != all[len(all)-1] || h.Quantile(1) != h.Max() || h.Count() != uint64(len(all)) {
		t.Errorf("max %v, quantile 1 %v, count %d; want %v of %d", h.Max(), h.Quantile(1), h.Count(), all[len(all)-1], len(all))
	}
}

func TestAHistogramOfNothingAndOfExtremes(t *testing.T) {
	var h Histogram
	if h.Quantile(0.5) != 0 || h.Max() != 0 {
		t.Errorf("of nothing: %v, %v", h.Quantile(0.5), h.Max())
	}
	for _, d := range []time.Duration{-1, 0, 1, longest} {
		h.Add(d)
	}
	if got := h.Quantile(0.5); got != 500 {
		t.Errorf("the median of -1, 0, 1 ns and the longest is %v, want the middle of the first microsecond", got)
	}
	if h.Max() != longest {
		t.Errorf("max %v", h.Max())
	}
}

func TestMergedHistogramsCountBoth(t *testing.T) {
	var a, b, both Histogram
	for i := range 1000 {
		d := time.Duration(i*i) * time.Microsecond
		if both.Add(d); i%3 == 0 {
			a.Add(d)
		} else {
			b.Add(d)
		}
	}
	if a.Merge(&b); a != both {
		t.Errorf("merged: %v, %v of %d; want %v, %v of %d", a.Quantile(0.5), a.Max(), a.n, both.Quantile(0.5), both.Max(), both.n)
	}
}

func TestBucketsAreInOrderAndHoldTheirMiddle(t *testing.T) {
	for i := range buckets {
		if got := bucket(middle(i)); got != i {
			t.Fatalf("the middle %v of bucket %d is in bucket %d", middle(i), i, got)
		}
		if i > 0 && middle(i) <= middle(i-1) {
			t.Fatalf("bucket %d: %v, bucket %d: %v", i-1, middle(i-1), i, middle(i))
		}
	}
}
