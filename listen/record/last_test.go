package record

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestNumbersGoOnFromTheLastRequest(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	for name, test := range map[string]struct {
		text string
		want int
	}{
		"an empty file":      {"", 0},
		"one request":        {request(7), 7},
		"the later answer":   {request(7) + request(3), 7},
		"another's long ago": {request(7) + strings.Repeat(request(3), inFlight+1), 3},
		"a torn line":        {request(7) + `{"schema":"hookctl.request/1","number":8`, 7},
		"deliveries after":   {request(7) + `{"schema":"hookctl.timeline/1","profile":"p"}` + "\n", 7},
		"numbers end":        {request(7) + request(maxNumber+1) + request(math.MaxInt), 7},
		"no request":         {"hello\n\n{}\n", 0},
		"a long line after":  {request(7) + long + "\n", 7},
		"a long line before": {long + "\n" + request(7), 7},
		"long lines alone":   {long + "\n" + long + "\n" + long, 0},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "r")
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := open(t, path, false).Last(); got != test.want || err != nil {
				t.Errorf("got %d, %v", got, err)
			}
		})
	}
}

// A record may be larger than the memory there is.
func TestTheLastNumberIsSearchedALineAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for i := range int64(9) { // of a sparse file
		hole := min(i, 1) * 8 << 20
		n, err := f.WriteAt([]byte("\n"+request(7)), size+hole)
		if err != nil {
			t.Fatal(err)
		}
		size += hole + int64(n)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	w := open(t, path, false)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	last, err := w.Last()
	runtime.ReadMemStats(&after)
	if last != 7 || err != nil {
		t.Errorf("got %d, %v", last, err)
	}
	if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 16 {
		t.Errorf("it took %d MiB for a file of %d MiB", mib, size>>20)
	}
}

func TestLinesAreReadBackwards(t *testing.T) {
	block := strings.Repeat("b", 16<<10)
	for _, text := range []string{
		"", "\n", "\n\n", "a", "a\n", "a\nb", "\na\n\nb\n", block, block + "\n", "a\n" + block, "a\n" + block[1:], block + block + "\nc\n" + block[2:] + "\nd",
	} {
		var got []string
		for line, err := range backwards(strings.NewReader(text), int64(len(text)), 1<<20) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(line))
		}
		want := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
		slices.Reverse(want)
		if !slices.Equal(got, want) {
			t.Errorf("%.40q: got %.40q", text, got)
		}
	}
	var got []string
	for line, err := range backwards(strings.NewReader("a\nlong\nbc\nlong"), 14, 3) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(line))
	}
	if want := []string{"bc", "a"}; !slices.Equal(got, want) {
		t.Errorf("of lines that are too long: got %q, want %q", got, want)
	}
}
