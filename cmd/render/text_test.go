package render

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestDurationHasAtMostTwoUnitsTruncated(t *testing.T) {
	tests := []struct {
		d    time.Duration
		want string
	}{
		{0, "0 s"},
		{1, "<1 ms"},
		{400 * time.Microsecond, "<1 ms"},
		{999999, "<1 ms"},
		{time.Millisecond, "1 ms"},
		{2100 * time.Microsecond, "2 ms"},
		{31 * time.Millisecond, "31 ms"},
		{999*time.Millisecond + 999, "999 ms"},
		{time.Second, "1 s"},
		{time.Second + 1, "1.0 s"},
		{20*time.Second + 400*time.Microsecond, "20.0 s"},
		{20 * time.Second, "20 s"},
		{30 * time.Second, "30 s"},
		{31404200 * time.Microsecond, "31.4 s"},
		{59*time.Second + 999*time.Millisecond, "59.9 s"},
		{time.Minute, "1 m"},
		{time.Minute + 999*time.Millisecond, "1 m"},
		{2*time.Minute + 31*time.Second + 900*time.Millisecond, "2 m 31 s"},
		{59*time.Minute + 59*time.Second + 999*time.Millisecond, "59 m 59 s"},
		{time.Hour, "1 h"},
		{time.Hour + 59*time.Second, "1 h"},
		{time.Hour + 42*time.Minute + 30*time.Second, "1 h 42 m"},
		{23*time.Hour + 59*time.Minute + 59*time.Second, "23 h 59 m"},
		{24 * time.Hour, "1 d"},
		{55*time.Hour + 59*time.Minute, "2 d 7 h"},
		{math.MaxInt64, "106,751 d 23 h"},
		{-1500 * time.Millisecond, "-1.5 s"},
		{-1, "-<1 ms"},
		{math.MinInt64, "-106,751 d 23 h"},
	}
	for _, test := range tests {
		if got := Duration(test.d); got != test.want {
			t.Errorf("Duration(%d) = %q, want %q", test.d, got, test.want)
		}
	}
}

func TestNumberHasCommasFromAThousandOn(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 1178: "1,178", 660000: "660,000", 1293014: "1,293,014",
		-999: "-999", -1000: "-1,000", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Number(n); got != want {
			t.Errorf("Number(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestPercentHasOneDecimalAndABlank(t *testing.T) {
	for share, want := range map[float64]string{
		0: "0.0 %", 0.992: "99.2 %", 1: "100.0 %", 0.00745: "0.7 %", 0.065: "6.5 %",
	} {
		if got := percent(share); got != want {
			t.Errorf("percent(%v) = %q, want %q", share, got, want)
		}
	}
	for share, want := range map[float64]string{
		0.047: "+4.7 %", -0.121: "-12.1 %", 0: "+0.0 %", -0.0004: "+0.0 %", 0.0004: "+0.0 %", -0.25: "-25.0 %",
	} {
		if got := signedPercent(share); got != want {
			t.Errorf("signedPercent(%v) = %q, want %q", share, got, want)
		}
	}
}

func TestEscapeShowsWhatDoesNotPrint(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"upstream not ready\n", `upstream not ready\n`},
		{"\x1b[31m", `\x1b[31m`},
		{"a\tb\r\x00\a\x7f", `a\tb\r\x00\a\x7f`},
		{"\u0085\u009b", `\u0085\u009b`},
		{"\u202e\u2066\u200f\u061c\ufeff\u2028", `\u202e\u2066\u200f\u061c\ufeff\u2028`},
		{"\xff\xc3(", `\xff\xc3(`},
		{"\ufffd", "\ufffd"},
		{"\U000e0001", `\U000e0001`},
		{`{"a":"\n"}`, `{"a":"\n"}`},
		{"größe 日本 …", "größe 日本 …"},
		{"\u00a0", `\u00a0`},
	}
	for _, test := range tests {
		got := Escape(test.in)
		if got != test.want {
			t.Errorf("Escape(%q) = %q, want %q", test.in, got, test.want)
		}
		if again := Escape(got); again != got {
			t.Errorf("Escape twice of %q = %q", test.in, again)
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"\x1b[2J", "\u202e", "\xff", "a\nb", `\x1b`, "…"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Escape(s)
		if !utf8.ValidString(got) {
			t.Fatalf("Escape(%q) is not UTF-8: %q", s, got)
		}
		for _, r := range got {
			if r < ' ' || r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Fatalf("Escape(%q) holds %U", s, r)
			}
		}
		if again := Escape(got); again != got {
			t.Fatalf("Escape twice: %q, then %q", got, again)
		}
		if cut := (Style{Width: 60}).cut(got); columns(cut) > 60 {
			t.Fatalf("cut of %q has %d columns", got, columns(cut))
		}
	})
}

func TestIdOfMoreThanSixteenCharactersIsShortened(t *testing.T) {
	tests := []struct {
		style    Style
		id, want string
	}{
		{Style{}, "evt_5d2f9b6ac1e04b7f", "evt_5d2f…4b7f"},
		{Style{ASCII: true}, "evt_5d2f9b6ac1e04b7f", "evt_5d2f~4b7f"},
		{Style{Verbose: true}, "evt_5d2f9b6ac1e04b7f", "evt_5d2f9b6ac1e04b7f"},
		{Style{}, "1234567890123456", "1234567890123456"},
		{Style{}, "12345678901234567", "12345678…4567"},
		{Style{}, "éééééééééééééééé", "éééééééééééééééé"},
		{Style{}, "ééééééééééééééééé", "éééééééé…éééé"},
		{Style{}, "", ""},
	}
	for _, test := range tests {
		if got := test.style.shortID(test.id); got != test.want {
			t.Errorf("shortID(%q) = %q, want %q", test.id, got, test.want)
		}
	}
}

func TestDigestsInASignatureHeaderAreShortened(t *testing.T) {
	const (
		hex64   = "3f9e958c12958616145e0aca1735590cf13ce63315115222a3fd3b9dbb10af8b"
		hex40   = "3f9e958c12958616145e0aca1735590cf13ce633"
		base44  = "AbCd+/0123456789abcdefghijklmnopqrstuvwxyzA="
		base28  = "AbCd+/0123456789abcdefghijk="
		instant = "1767348183"
	)
	tests := []struct{ in, want string }{
		{"t=" + instant + ",v1=" + hex64 + ",v1=" + hex64, "t=" + instant + ",v1=3f9e958c…af8b,v1=3f9e958c…af8b"},
		{hex64, "3f9e958c…af8b"},
		{"sha1=" + hex40, "sha1=3f9e958c…e633"},
		{"v1," + base44 + " v1," + base44, "v1,AbCd+/01…yzA= v1,AbCd+/01…yzA="},
		{base28, "AbCd+/01…ijk="},
		{"t=" + instant + ",v1=short", "t=" + instant + ",v1=short"},
		{"===,v1==", "===,v1=="},
		{"", ""},
		{"\x1b" + hex64, `\x1b3f9e9…af8b`},
	}
	for _, test := range tests {
		if got := (Style{}).shortDigests(test.in); got != test.want {
			t.Errorf("shortDigests(%q) = %q, want %q", test.in, got, test.want)
		}
		if got := (Style{Verbose: true}).shortDigests(test.in); got != Escape(test.in) {
			t.Errorf("with -v %q became %q", test.in, got)
		}
	}
}

func TestLineIsCutAtTheWidth(t *testing.T) {
	long := strings.Repeat("x", 60)
	tests := []struct {
		style      Style
		line, want string
	}{
		{Style{Width: 60}, long, long},
		{Style{Width: 60}, long + "y", long[:59] + "…"},
		{Style{Width: 60, ASCII: true}, long + "y", long[:59] + "~"},
		{Style{Width: 60, Verbose: true}, long + "y", long + "y"},
		{Style{Width: 40}, long, long},
		{Style{}, long, long},
		{Style{}, strings.Repeat("x", 81), strings.Repeat("x", 79) + "…"},
		{Style{Width: 60}, strings.Repeat("日", 31), strings.Repeat("日", 29) + "…"},
		{Style{Width: 60}, "x" + strings.Repeat("日", 30), "x" + strings.Repeat("日", 29) + "…"},
	}
	for _, test := range tests {
		if got := test.style.cut(test.line); got != test.want {
			t.Errorf("cut(%q) at %d = %q, want %q", test.line, test.style.Width, got, test.want)
		}
	}
}

func TestProseIsWrappedBetweenWords(t *testing.T) {
	tests := []struct {
		name, text, indent, want string
	}{
		{"short", "one line", "  ", "one line"},
		{
			"two blanks in", strings.Repeat("word ", 12) + "end", "  ",
			strings.TrimSpace(strings.Repeat("word ", 12)) + "\n  end",
		},
		{
			"number and unit", strings.Repeat("x", 54) + " in 12 ms", "",
			strings.Repeat("x", 54) + " in\n12 ms",
		},
		{
			"number, unit and punctuation", strings.Repeat("x", 54) + " in (12 %), y", "",
			strings.Repeat("x", 54) + " in\n(12 %), y",
		},
		{
			"two units may part", strings.Repeat("x", 51) + " 14 m 3 s", "",
			strings.Repeat("x", 51) + " 14 m 3 s",
		},
		{
			"word that is too long", "see http://" + strings.Repeat("h", 70) + " there", " ",
			"see\n http://" + strings.Repeat("h", 70) + "\n there",
		},
		{"indent of the first line", "    * " + strings.Repeat("x", 60), "      ", "    * \n      " + strings.Repeat("x", 60)},
	}
	tests[len(tests)-1].want = "    *\n      " + strings.Repeat("x", 60)
	for _, test := range tests {
		if got := (Style{Width: 60}).wrap(test.text, test.indent); got != test.want {
			t.Errorf("%s: got\n%q\nwant\n%q", test.name, got, test.want)
		}
	}
}

func TestStyleCodesHaveNoWidth(t *testing.T) {
	s := Style{Color: true}
	for r := plain; r <= strongWarn; r++ {
		word := s.paint(r, "word")
		if columns(word) != 4 || padLeft(word, 6) != "  "+word || padRight(word, 6) != word+"  " || padLeft(word, 3) != word {
			t.Errorf("role %d: %q has %d columns", r, word, columns(word))
		}
		if stripped(word) != "word" || (r == plain) != (word == "word") {
			t.Errorf("role %d: %q", r, word)
		}
		if drawn := s.canvas().paint(r, "━━"); stripped(drawn) != "━━" || (r == plain) != (drawn == "━━") {
			t.Errorf("role %d draws %q", r, drawn)
		}
		if bare := (Style{}).paint(r, "word"); bare != "word" {
			t.Errorf("role %d without colour: %q", r, bare)
		}
	}
}

func TestColoursAreOfTheSixteen(t *testing.T) {
	s := Style{Color: true}
	for r, want := range map[role]string{
		good: "\x1b[32m", bad: "\x1b[31m", warn: "\x1b[33m", dim: "\x1b[2m", strong: "\x1b[1m",
		strongGood: "\x1b[1;32m", strongBad: "\x1b[1;31m", strongWarn: "\x1b[1;33m",
	} {
		if got := s.paint(r, "w"); !strings.HasPrefix(got, want) {
			t.Errorf("role %d: word %q, want it to begin with %q", r, got, want)
		}
		if got := s.canvas().paint(r, "w"); !strings.HasPrefix(got, want) {
			t.Errorf("role %d: part %q, want it to begin with %q", r, got, want)
		}
	}
}

func TestTwinsAreOneColumnWide(t *testing.T) {
	for _, drawing := range "─━░▁▂▃▄▅▆▇█…" {
		twin := Style{ASCII: true}.twins(string(drawing))
		if len(twin) != 1 || columns(string(drawing)) != 1 {
			t.Errorf("%c and %q", drawing, twin)
		}
	}
	s := Style{ASCII: true}
	if got := s.thin() + s.thick() + s.ellipsis() + s.plusMinus() + s.twins("░▁▃▄▆▇█"); got != "-=~+- ..::##" {
		t.Errorf("twins are %q", got)
	}
	s = Style{}
	if got := s.thin() + s.thick() + s.ellipsis() + s.plusMinus(); got != "─━…±" {
		t.Errorf("drawings are %q", got)
	}
}
