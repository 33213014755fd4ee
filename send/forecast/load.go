package forecast

import (
	"iter"
	"time"
)

// windowLength is what peaks and plots are counted over: the least length of a
// window, if what it divides is as long.
const windowLength = 10 * time.Second

// A Load is the number of attempts over time, in windows of ten seconds. The
// time before the outage, the outage and the time after it are divided each on
// its own, into windows of equal length, so that none holds attempts of two;
// where ten seconds do not divide them, windows are up to twice as long.
type Load struct {
	grid    grid
	all     []int
	failed  []int
	regular []int // all of them, were there no jitter
}

// A Window is a time and the attempts that begin in it.
type Window struct {
	From, To time.Duration
	Attempts int
	Failed   int // those that fail
	NoJitter int // Attempts, were there no jitter
}

// Rate is how many attempts a second there are.
func (w Window) Rate() float64 { return float64(w.Attempts) / (w.To - w.From).Seconds() }

// Windows are those of the load, in order; they leave no gap.
func (l *Load) Windows() iter.Seq[Window] {
	return func(yield func(Window) bool) {
		for i := range l.all {
			if !yield(l.window(i)) {
				return
			}
		}
	}
}

func (l *Load) window(i int) Window {
	w := Window{Attempts: l.all[i], Failed: l.failed[i], NoJitter: l.regular[i]}
	w.From, w.To = l.grid.span(i)
	return w
}

// Columns are the attempts a second in n columns of equal length, which cover
// the load; without jitter: were there none.
func (l *Load) Columns(n int, jitter bool) []float64 {
	columns := make([]float64, n)
	from, to := l.grid[0].from, l.grid[2].to
	width := float64(to-from) / float64(n)
	for w := range l.Windows() {
		attempts := w.Attempts
		if !jitter {
			attempts = w.NoJitter
		}
		first, last := float64(w.From-from)/width, float64(w.To-from)/width
		for c := int(first); c < n && float64(c) < last; c++ {
			share := (min(last, float64(c+1)) - max(first, float64(c))) / (last - first)
			columns[c] += share * float64(attempts) / width * 1e9
		}
	}
	return columns
}

// peak is the most attempts a second in a window of one part of the grid.
func (l *Load) peak(counts []int, part int) float64 {
	p := l.grid[part]
	most := 0.0
	for i := p.first; i < p.first+p.n; i++ {
		from, to := l.grid.span(i)
		most = max(most, float64(counts[i])/(to-from).Seconds())
	}
	return most
}

// The parts of a grid.
const (
	beforeIt = iota
	inIt
	afterIt
)

// A grid divides the time of a forecast into windows.
type grid [3]part

// A part is a time that is divided into n windows, of which the last may be some
// nanoseconds longer.
type part struct {
	from, to, width time.Duration
	first, n        int
}

func newGrid(before, down, end time.Duration) grid {
	edges := []time.Duration{-before, 0, down, end}
	var g grid
	first := 0
	for i := range g {
		p := part{from: edges[i], to: edges[i+1], first: first}
		if length := p.to - p.from; length > 0 {
			p.n = max(1, int(length/windowLength))
			p.width = length / time.Duration(p.n)
		}
		g[i] = p
		first += p.n
	}
	return g
}

func (g *grid) len() int { return g[2].first + g[2].n }

// index is the window of an instant, which is one of the grid's.
func (g *grid) index(t time.Duration) int {
	p := &g[inIt]
	switch {
	case t >= p.to:
		p = &g[afterIt]
	case t < p.from:
		p = &g[beforeIt]
	}
	return p.first + min(int((t-p.from)/p.width), p.n-1)
}

// span is the time of a window.
func (g *grid) span(i int) (from, to time.Duration) {
	p := g[0]
	for _, next := range g[1:] {
		if next.n > 0 && i >= next.first {
			p = next
		}
	}
	from = p.from + time.Duration(i-p.first)*p.width
	if i == p.first+p.n-1 {
		return from, p.to
	}
	return from, from + p.width
}
