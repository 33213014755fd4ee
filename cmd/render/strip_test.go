package render

import (
	"strings"
	"testing"
	"time"
)

func marksAt(took time.Duration, at ...time.Duration) []mark {
	var marks []mark
	for i, d := range at {
		marks = append(marks, mark{number: i + 1, at: d, took: took, role: strong})
	}
	return marks
}

func TestStripIsToScale(t *testing.T) {
	const s, m, h = time.Second, time.Minute, time.Hour
	tests := []struct {
		name        string
		marks       []mark
		total       time.Duration
		columns     int
		line, times string
	}{
		{
			"ends at the last column", marksAt(0, 0, 5*s, 10*s), 10 * s, 21,
			"1─────────2─────────3",
			"0 s       5 s    10 s",
		},
		{
			"a number moves right", marksAt(0, 0, 1, 2, h), h, 21,
			"123─────────────────4",
			"0 s               1 h",
		},
		{
			"and left at the right edge", marksAt(0, 0, h-2, h-1, h), h, 21,
			"1─────────────────234",
			"0 s               1 h",
		},
		{
			"a thick line while it waited", marksAt(20*s, 0, 25*s, 345*s), 365 * s, 75,
			"1━━━━2━━━━────────────────────────────────────────────────────────────3━━━━",
			"0 s  25 s                                                          5 m 45 s",
		},
		{
			"less than a column is not drawn", marksAt(m, 0, 29*m, 59*m), h, 31,
			"1──────────────2──────────────3",
			"0 s            29 m        59 m",
		},
		{
			"no time at all", marksAt(0, 0, 0), 0, 11,
			"1─────────2",
			"0 s     0 s",
		},
		{"one mark", marksAt(0, 0), 0, 5, "1────", "0 s"},
		{"none", nil, 0, 5, "", ""},
		{
			"more marks than columns", marksAt(0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 10, 5,
			"12341",
			"0 s <1 ms",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			line, times := Style{}.strip(test.marks, test.total, test.columns)
			if line != test.line || times != test.times {
				t.Errorf("got\n%s\n%s\nwant\n%s\n%s", line, times, test.line, test.times)
			}
		})
	}
}

func TestStripKeepsOrderAndEnds(t *testing.T) {
	const columns = 55
	for n := 2; n <= columns; n++ {
		var marks []mark
		for i := range n {
			marks = append(marks, mark{number: i + 1, at: time.Duration(i*i*i) * time.Second})
		}
		line, times := Style{ASCII: true}.strip(marks, marks[n-1].at, columns)
		if len(line) != columns || len(times) != columns || line[0] != '1' || line[columns-1] != byte('0'+n%10) {
			t.Fatalf("%d marks:\n%s\n%s", n, line, times)
		}
		if digits := strings.ReplaceAll(line, "-", ""); digits != strings.Repeat("1234567890", 6)[:n] {
			t.Fatalf("%d marks:\n%s", n, line)
		}
	}
}

func FuzzStrip(f *testing.F) {
	f.Add(int64(0), int64(5), int64(300), int64(20), 75)
	f.Add(int64(0), int64(-1), int64(1<<62), int64(1<<62), 20)
	f.Fuzz(func(t *testing.T, a, b, c, took int64, width int) {
		marks := marksAt(time.Duration(took), time.Duration(a), time.Duration(b), time.Duration(c))
		width = min(max(width, 0), 200)
		line, _ := Style{}.strip(marks, time.Duration(c), width)
		if width >= 2 && columns(line) != width {
			t.Fatalf("%d columns, not %d: %q", columns(line), width, line)
		}
	})
}
