package render

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// pythonBody is kudosBody as json.dumps(json.loads(body)) writes it.
const pythonBody = `{"event_id": "evt_5d2f9b6ac1e04b7f", "event_type": "payment.succeeded", "data": {"amount": 1200, "currency": "EUR"}}`

// longURL is wider than a line.
const longURL = hooksURL + "/a/path/that/is/long/enough/to/pass/the/width/of/every/picture/in/the/contract/and/then/a/little/more/of/it"

const signatureHeader = "X-Kudos-Signature"

// A capture is a request to judge: its body, the value of its signature header,
// how long after signing it is judged, and the secrets.
type capture struct {
	body, value string
	age         time.Duration
	secrets     []string
	change      func(*explain.Input)
}

// judged is the verdict on a capture, and its explanation, as verify finds them.
func judged(t *testing.T, c capture) VerifyReport {
	t.Helper()
	p := builtin(t, "kudos")
	in := explain.Input{Profile: p, Now: time.Unix(signingTime, 0).Add(c.age), Received: sign.Received{Body: []byte(c.body)}}
	if c.value != "" {
		in.Received.Header = []sign.Header{{Name: signatureHeader, Value: c.value}}
	}
	if c.change != nil {
		c.change(&in)
	}
	var keys []*sign.Key
	for _, text := range c.secrets {
		key, err := sign.NewKey(p, text)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
		in.Secrets = append(in.Secrets, explain.Secret{Text: text})
	}
	report := VerifyReport{
		Profile: p, Secrets: len(keys), Took: 12 * time.Millisecond,
		Result: sign.Verify(p, in.Received, in.Now, keys...),
	}
	if in.App != "" {
		report.App = explain.Explain(in)
		in.App = ""
	}
	report.Explanation = explain.Explain(in)
	return report
}

// nothingFound is a capture that no secret explains, with the counts of the
// contract's picture.
func nothingFound(t *testing.T) VerifyReport {
	t.Helper()
	v := judged(t, capture{kudosBody, signature(signingTime, kudosBody, "unknown-secret-000"), 0, []string{newSecret}, func(in *explain.Input) {
		in.Received.URL = hooksURL // so the address is no help
	}})
	v.Explanation.Tried = explain.Tried{Secrets: 33, Bodies: 59, Times: 2200, Layouts: 14, Combined: 33 * 59, Signatures: 4253}
	return v
}

func drawVerify(t *testing.T, s Style, v VerifyReport) string {
	t.Helper()
	var b bytes.Buffer
	if err := Verify(&b, s, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestVerdictsLookLikeTheirPictures(t *testing.T) {
	one, two := []string{newSecret}, []string{oldSecret, newSecret}
	right := signature(signingTime, kudosBody, newSecret)
	for _, test := range []struct {
		name  string
		v     VerifyReport
		wider string // a line that may be: a URL
	}{
		{"verified", judged(t, capture{kudosBody, right, 4 * time.Second, two, nil}), ""},
		{"stale", judged(t, capture{kudosBody, right, 843 * time.Second, one, nil}), ""},
		{"future", judged(t, capture{kudosBody, right, -301 * time.Second, two, nil}), ""},
		{"mismatch", judged(t, capture{pythonBody, right, 0, one, nil}), ""},
		{"nothing-found", nothingFound(t), ""},
		{"newline", judged(t, capture{kudosBody, signature(signingTime, kudosBody+"\n", newSecret), 0, one, nil}), ""},
		{"two-faults", judged(t, capture{pythonBody, right, 0, []string{newSecret + " "}, nil}), ""},
		{"missing", judged(t, capture{kudosBody, "", 0, one, nil}), ""},
		{"forgeable", judged(t, capture{kudosBody, signature(signingTime, kudosBody, ""), 0, one, nil}), ""},
		{"perhaps", judged(t, capture{kudosBody, right, 0, []string{"sk_live_0000000000000000"}, nil}), ""},
		{"app", judged(t, capture{pythonBody, signature(signingTime, pythonBody, newSecret), 0, one, func(in *explain.Input) {
			in.App = signature(signingTime, kudosBody, newSecret)
		}}), ""},
		{"bytes", judged(t, capture{"\x1b[2J\u202e\x9b\x00\xff" + kudosBody + "\n", signature(signingTime, "\x1b[2J\u202e\x9b\x00\xff"+kudosBody, newSecret), 0, one, nil}), ""},
		{"value", judged(t, capture{kudosBody, "\x1b[2J\u202e\x9b\xff" + strings.Repeat("x", 200), 0, one, nil}), ""},
		{"address", judged(t, capture{kudosBody, bareSignature(longURL+kudosBody, newSecret), 0, one, func(in *explain.Input) {
			in.Received.URL = longURL
		}}), "://"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, width := range []int{60, 80, 120} {
				s := Style{Width: width}
				got := drawVerify(t, s, test.v)
				golden(t, "verify-"+test.name+"-"+Number(width), []byte(got))
				_, prose, _ := strings.Cut(got, "\n") // the first line is a result line
				if line := firstWide(prose, width, test.wider); line != "" {
					t.Errorf("a line is wider: %q", line)
				}
				if bad := firstControl(got); bad != "" {
					t.Errorf("%s reaches the terminal:\n%q", bad, got)
				}
				if ascii := drawVerify(t, Style{Width: width, ASCII: true}, test.v); ascii != asciiTwins(got) {
					t.Errorf("in ASCII:\n%s\nwant the same with each drawing replaced:\n%s", ascii, got)
				}
				s.Color = true
				if coloured := drawVerify(t, s, test.v); stripped(coloured) != got || coloured == got {
					t.Errorf("the colours do not only add:\n%s", coloured)
				}
			}
		})
	}
}

// bareSignature is the value of a signature header over a content.
func bareSignature(content, secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(content))
	return "t=1767348183,v1=" + hex.EncodeToString(mac.Sum(nil))
}

func TestColoursOfAnExplanationAreThoseOfThePictures(t *testing.T) {
	one := []string{newSecret}
	const bold, strongRed, yellow, end = "\x1b[1m", "\x1b[1;31m", "\x1b[33m", "\x1b["
	for _, test := range []struct {
		name string
		v    VerifyReport
		want []string
	}{
		{"proven", judged(t, capture{pythonBody, signature(signingTime, kudosBody, newSecret), 0, one, nil}),
			[]string{strongRed + "refused" + end, bold + "proven" + end, strongRed + "^" + end, "\nfix       Check"}},
		{"certain", judged(t, capture{kudosBody, "", 0, one, nil}), []string{bold + "certain" + end}},
		{"unknown", nothingFound(t), []string{bold + "unknown" + end, "\ntried     33 forms", "\nhelps     the secret"}},
		{"perhaps", judged(t, capture{kudosBody, signature(signingTime, kudosBody, newSecret), 0, []string{"sk_live_0000000000000000"}, nil}),
			[]string{bold + "perhaps" + end}},
		{"a forger", judged(t, capture{kudosBody, signature(signingTime, kudosBody, ""), 0, one, nil}),
			[]string{bold + "proven" + end, "\n" + yellow + "warning" + end}},
	} {
		got := drawVerify(t, Style{Width: 80, Color: true}, test.v)
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%q", test.name, want, got)
			}
		}
	}
}

func TestForgeableKindsWarnInPlaceOfAFix(t *testing.T) {
	got := drawVerify(t, Style{Width: 80}, judged(t, capture{kudosBody, signature(signingTime, kudosBody, ""), 0, []string{newSecret}, nil}))
	if !strings.Contains(got, "\nwarning   There is no secret") || strings.Contains(got, "\nfix ") {
		t.Errorf("no warning, or a fix:\n%s", got)
	}
}

// TestExplanationStandsBelowWhatItExplains draws one in each place: on its own,
// below a row of listen, below an attempt of send.
func TestExplanationStandsBelowWhatItExplains(t *testing.T) {
	mismatch := judged(t, capture{pythonBody, signature(signingTime, kudosBody, newSecret), 0, []string{newSecret}, nil})
	unknown := nothingFound(t)
	for _, verbose := range []bool{false, true} {
		s := Style{Width: 80, Verbose: verbose}
		for _, indent := range []int{0, 5, 6} {
			want := strings.Join(s.explanation(0, mismatch.Explanation), "\n")
			got := strings.Join(s.explanation(indent, mismatch.Explanation), "\n")
			if first, _, _ := strings.Cut(got, " The"); first != blanks(indent)+"proven   " || len(got) < len(want) {
				t.Errorf("at %d:\n%s", indent, got)
			}
		}
		for _, e := range []*explain.Explanation{mismatch.Explanation, unknown.Explanation} {
			var b bytes.Buffer
			timeline := NewTimeline(&b, s, kudosHead(builtin(t, "kudos"), 1))
			if err := errors.Join(timeline.Explanation(e), timeline.Explanation(nil)); err != nil {
				t.Fatal(err)
			}
			name := "explained-" + string(e.Kind)
			if verbose {
				name += "-verbose"
			} else if line := firstWide(b.String(), 80); line != "" {
				t.Errorf("a line is wider: %q", line)
			}
			golden(t, name+"-send-80", b.Bytes())
			r := sevenRequests(t)[5]
			r.Explanation = e
			golden(t, name+"-listen-80", []byte(drawRequests(t, s, true, r)))
		}
	}
}

func TestCaretStandsUnderTheFirstDifference(t *testing.T) {
	for _, test := range []struct {
		name             string
		received, signed string
		offset, start    int
		width, column    int // of the caret, from 0
		line             string
	}{
		{"at the start", "abc", "xbc", 0, 0, 80, 10, "received  abc"},
		{"after escapes", "\x00\nabc", "\x00\nxbc", 2, 0, 80, 16, `received  \x00\nabc`},
		{"at the end of one", "abc\n", "abc", 3, 0, 80, 13, `received  abc\n`},
		{"in a later window", "abc", "abx", 102, 100, 80, 13, "received  …abc"},
		{"inside a character", "é!", "è!", 1, 0, 80, 10, "received  é!"},
		{"inside a character of one", "\xc3(", "é", 1, 0, 80, 10, `received  \xc3(`},
		{"of wide characters", "日本a", "日本b", 6, 0, 80, 14, "received  日本a"},
		{"bytes that are no characters", "\x80\x80\x80\x80\x80a", "\x80\x80\x80\x80\x80b", 5, 0, 80, 30, `received  \x80\x80\x80\x80\x80a`},
		{"escapes that fill the line", strings.Repeat("\x00", 24) + "a", strings.Repeat("\x00", 24) + "b", 24, 0, 60, 47,
			`received  …` + strings.Repeat(`\x00`, 9) + "a"},
		{"nothing in common", "", "b", 0, 0, 80, 10, "received  "},
	} {
		s := Style{Width: test.width}
		lines := s.difference(0, bySender, &explain.Difference{Offset: test.offset, Start: test.start, Received: test.received, Signed: test.signed})
		if got := columns(strings.TrimSuffix(lines[3], "^")); got != test.column || lines[1] != test.line {
			t.Errorf("%s: the caret stands at %d under %q, want %d under %q", test.name, got, lines[1], test.column, test.line)
		}
	}
}

func TestVerdictNamesWhatIsKnown(t *testing.T) {
	kustomer, kudos := builtin(t, "kustomer"), builtin(t, "kudos")
	for _, test := range []struct {
		name string
		v    VerifyReport
		want string
	}{
		{"no time, no type", VerifyReport{Profile: kustomer, Secrets: 1, Result: sign.Result{Verified: true, Secret: 1, Event: sign.Event{ID: "a"}}},
			"verified  kustomer  secret 1 of 1  a\n"},
		{"ahead of the clock", VerifyReport{Profile: kudos, Secrets: 1, Result: sign.Result{Verified: true, Secret: 1, Time: time.Unix(9, 0), Age: -2 * time.Second}},
			"verified  kudos  secret 1 of 1  2 s ahead of the clock\n"},
		{"too old without a limit to name", VerifyReport{Profile: kustomer, Secrets: 1, Result: sign.Result{Reason: sign.TooOld, Secret: 1}},
			"refused  kustomer  too old\n"},
		{"no event", VerifyReport{Profile: kudos, Secrets: 1, Result: sign.Result{Reason: sign.MissingHeader}},
			"refused  kudos  missing header\n"},
		{"what would be right", VerifyReport{Profile: kudos, Secrets: 1, Result: sign.Result{Reason: sign.NoMatchingSignature}, Expected: []string{"t=1,v1=00"}},
			"refused  kudos  no matching signature\n\nexpected  t=1,v1=00\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := drawVerify(t, Style{Width: 80}, test.v); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestVerdictEscapesTheEvent(t *testing.T) {
	const evil = "a\x1b[2J\n\u202e\x9b\xff"
	for _, verified := range []bool{true, false} {
		for _, event := range []sign.Event{{ID: evil}, {Type: evil}} {
			got := drawVerify(t, Style{Width: 80}, VerifyReport{
				Profile: builtin(t, "kudos"), Secrets: 1, Result: sign.Result{Verified: verified, Secret: 1, Reason: sign.TooOld, Event: event},
			})
			if bad := firstControl(got); bad != "" {
				t.Errorf("%s reaches the terminal:\n%q", bad, got)
			}
		}
	}
}

func TestVerifyReturnsTheWritersError(t *testing.T) {
	v := VerifyReport{Profile: builtin(t, "kudos"), Secrets: 1, Result: sign.Result{Verified: true}}
	if err := Verify(failing{}, Style{}, v); !errors.Is(err, errFull) {
		t.Errorf("got %v, want %v", err, errFull)
	}
}
