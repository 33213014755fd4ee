package render

import (
	"strconv"
	"strings"
	"time"
)

// A mark is an attempt on a strip.
type mark struct {
	number int
	at     time.Duration
	took   time.Duration
	role   role
}

// strip draws marks to scale on one line of the given columns: each attempt's
// number (its last digit) at its start, a thick line while it waited. total is
// the time at the last column. times is the line of times below, with the first
// and the last always; the two have no indent. Of more marks than columns those
// before the last are left out.
func (s Style) strip(marks []mark, total time.Duration, columns int) (line, times string) {
	if len(marks) == 0 || columns < 2 {
		return "", ""
	}
	if len(marks) > columns {
		kept := append([]mark(nil), marks[:columns-1]...)
		marks = append(kept, marks[len(marks)-1])
	}
	at := stripColumns(marks, total, columns)
	return s.stripLine(marks, at, total, columns), s.paint(dim, stripTimes(marks, at, columns))
}

// stripScale is the column of an instant.
func stripScale(d, total time.Duration, columns int) int {
	if total <= 0 || d <= 0 {
		return 0
	}
	d = min(d, total)
	return int(float64(d)/float64(total)*float64(columns-1) + 0.5)
}

// stripColumns places the marks: to scale, then each to the right of the one
// before, then back from the right edge.
func stripColumns(marks []mark, total time.Duration, columns int) []int {
	at := make([]int, len(marks))
	for i, m := range marks {
		at[i] = stripScale(m.at, total, columns)
		if i > 0 {
			at[i] = max(at[i], at[i-1]+1)
		}
	}
	last := len(marks) - 1
	if total <= 0 && last > 0 {
		at[last] = columns - 1
	}
	for i := last; i >= 0; i-- {
		at[i] = min(at[i], columns-1-(last-i))
	}
	return at
}

func (s Style) stripLine(marks []mark, at []int, total time.Duration, columns int) string {
	cells := make([]string, columns)
	roles := make([]role, columns)
	for i := range cells {
		cells[i], roles[i] = s.thin(), dim
	}
	for i, m := range marks {
		share := 0.0
		if total > 0 {
			share = float64(m.took) / float64(total) * float64(columns-1)
		}
		if share < 1 {
			continue
		}
		end := stripScale(m.at+m.took, total, columns)
		for c := at[i] + 1; c <= end; c++ {
			cells[c], roles[c] = s.thick(), warn
		}
	}
	for i, m := range marks {
		cells[at[i]], roles[at[i]] = strconv.Itoa(m.number%10), m.role
	}
	canvas := s.canvas()
	var b strings.Builder
	for from := 0; from < columns; {
		to := from
		for to < columns && roles[to] == roles[from] {
			to++
		}
		b.WriteString(canvas.paint(roles[from], strings.Join(cells[from:to], "")))
		from = to
	}
	return b.String()
}

// stripTimes writes the times under the numbers where there is room, the first
// and the last always.
func stripTimes(marks []mark, at []int, columns int) string {
	const gap = 2
	last := len(marks) - 1
	end := Duration(marks[last].at)
	endAt := min(at[last], columns-len(end))
	line := Duration(marks[0].at)
	if last == 0 {
		return line
	}
	for i := 1; i < last; i++ {
		text := Duration(marks[i].at)
		if at[i] < len(line)+gap || at[i]+len(text)+gap > endAt {
			continue
		}
		line = padRight(line, at[i]) + text
	}
	return padRight(line, max(endAt, len(line)+1)) + end
}
