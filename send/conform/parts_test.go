package conform

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

func TestLayoutsAreTheSameEvent(t *testing.T) {
	e := event{id: "evt_1", body: []byte(`{ "type" : "paid", "id":"evt_1", "data":{"b":[1,{}],"a":[]} }`)}
	seen := map[string]bool{}
	for _, l := range layouts() {
		body := l.body(e)
		var got map[string]any
		if err := json.Unmarshal(body, &got); err != nil {
			t.Errorf("%s: %v in %s", l.letter, err, body)
			continue
		}
		if seen[string(body)] {
			t.Errorf("%s is written like one before", l.letter)
		}
		seen[string(body)] = true
		if len(got) != 4 || got["id"] != "evt_1" || got["type"] != "paid" {
			t.Errorf("%s: %s", l.letter, body)
		}
	}
	want := map[string]string{
		"a": `{"data":{"a":[],"b":[1,{}]},"hookctl_check":"a","id":"evt_1","type":"paid"}`,
		"c": "{\r\n  \"data\": {\r\n    \"a\": [],\r\n    \"b\": [\r\n      1,\r\n      {}\r\n    ]\r\n  },\r\n  \"hookctl_check\": \"c\",\r\n  \"id\": \"evt_1\",\r\n  \"type\": \"paid\"\r\n}",
		"d": `{"data": {"a": [], "b": [1, {}]}, "hookctl_check": "d", "id": "evt_1", "type": "paid"}`,
		"e": `{"type":"paid","id":"evt_1","hookctl_check":"e","data":{"b":[1,{}],"a":[]}}`,
		"o": `{"data":{"a":[],"b":[1,{}]},"hookctl_check":{"10":1,"9":2},"id":"evt_1","type":"paid"}`,
	}
	for _, l := range layouts() {
		if w := want[l.letter]; w != "" && string(l.body(e)) != w {
			t.Errorf("%s: %s, want %s", l.letter, l.body(e), w)
		}
	}
}

// The bytes of numbers, escapes and names stay as they are written.
func TestJSONKeepsItsWords(t *testing.T) {
	for _, text := range []string{
		`{"a":1.0,"b":1e2,"c":9007199254740993,"d":1e999,"e":"\u00e9\/é","\u0061":null}`, `[]`, `{}`, `"a"`, `-0`, `[[],{},true,false]`,
	} {
		if got := parseJSON([]byte(text)).text(compact()); string(got) != text {
			t.Errorf("%s became %s", text, got)
		}
	}
	for _, text := range []string{"", "{", "not json", `{"a":}`, "\xff"} {
		if parseJSON([]byte(text)) != nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestOneByteChangesOneByte(t *testing.T) {
	for _, text := range []string{`{"id":"evt_1","n":12}`, `{"a":"b"}`, `{"a":"\u0041\n"}`, `[]`, `{}`, "x", "", `{"a":true}`} {
		got := oneByte([]byte(text))
		differ := 0
		for i := range got {
			if i >= len(text) || got[i] != text[i] {
				differ++
			}
		}
		if differ != 1 {
			t.Errorf("%q became %q", text, got)
		}
		if json.Valid([]byte(text)) && len(text) > 2 && !json.Valid(got) {
			t.Errorf("%q became %q, which is no JSON", text, got)
		}
	}
}

func TestPaddedEventsHaveTheSize(t *testing.T) {
	o := options(t, profile(t), "http://127.0.0.1:1/", newSecret)
	r, err := prepare(&o)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int64{200, 99 << 10, 1 << 20} {
		if e := r.padded(n); int64(len(e.body)) != n || !json.Valid(e.body) {
			t.Errorf("%d bytes, want %d", len(e.body), n)
		}
	}
}

func TestTracesAndPathsAreSeen(t *testing.T) {
	tests := []struct {
		text, path string
		trace      bool
	}{
		{"unauthorized", "", false},
		{`{"error":"invalid signature"}`, "", false},
		{"Error: bad\n    at verify (/app/src/hooks.js:12:9)", "", true},
		{`{"stack":"Error: x\n    at Object.<anonymous> (/srv/a.js:1:2)"}`, "", true},
		{"Traceback (most recent call last):\n  File \"/app/x.py\", line 3, in f", "", true},
		{"goroutine 7 [running]:\nmain.main()", "", true},
		{"at com.acme.Hooks.verify(Hooks.java:42)", "", true},
		{"hooks.rb:12:in `verify'", "", true},
		{"#0 /var/www/html/index.php(12): verify()", "", true},
		{"cannot read /home/deploy/app/secret", "/home/deploy/app/secret", false},
		{"error in /var/www/app/index.php", "/var/www/app/index.php", false},
		{`<script src="/static/app.js"></script><link href="/app/style.css">`, "", false},
		{"see https://example.com/docs/webhooks.html at 12:30", "", false},
		{"try again at 10:03:13", "", false},
		{"Cannot GET /hooks", "", false},
	}
	for _, test := range tests {
		if got := trace(test.text); got != test.trace {
			t.Errorf("%q: trace %v", test.text, got)
		}
		if got := filePath(test.text); !test.trace && got != test.path {
			t.Errorf("%q: path %q, want %q", test.text, got, test.path)
		}
	}
}

func TestALeakIsSeenInEverySpelling(t *testing.T) {
	o := options(t, profile(t), "http://127.0.0.1:1/", newSecret)
	r, err := prepare(&o)
	if err != nil {
		t.Fatal(err)
	}
	e, at := r.event(), now()
	q := r.signed(e, at, r.wrong)
	digest := r.sign(o.Keys[0], e, at)
	refusal := func(text string) answer { return answer{response: &send.Response{Status: 401, Body: []byte(text)}} }
	for _, text := range append(spellings(digest), strings.ToUpper(digest), "expected t=1,v1="+digest) {
		if got := r.told(q, refusal(text)); len(got) != 1 || got[0] != "the signature that it expected" {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := r.told(q, refusal("secret "+newSecret)); len(got) != 1 || got[0] != "the secret" {
		t.Errorf("%q", got)
	}
	// What was sent may come back: it tells nothing.
	if got := r.told(r.signed(e, at, o.Keys[0]), refusal("received "+digest)); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

func TestRedirectsToALoginAreWalls(t *testing.T) {
	tests := []struct {
		status   int
		location string
		want     bool
	}{
		{301, "/hooks/", false}, {307, "https://localhost/hooks", false}, {308, "http://www.example.com/hooks/", false}, {302, "/hooks/", false},
		{302, "/login", true}, {303, "/start", true}, {307, "https://sso.example.com/authorize?next=/hooks", true}, {301, "/v2/hooks", false}, {302, "", false},
	}
	u, err := url.Parse("http://localhost:3000/hooks")
	if err != nil {
		t.Fatal(err)
	}
	r := &run{url: u}
	for _, test := range tests {
		a := answer{response: &send.Response{Status: test.status, Header: []sign.Header{{Name: "Location", Value: test.location}}}}
		if test.location == "" {
			a.response.Header = nil
		}
		if got := r.elsewhere(a); got != test.want {
			t.Errorf("%d to %q: %v, want %v", test.status, test.location, got, test.want)
		}
	}
}

func TestAnswersInWords(t *testing.T) {
	status := func(n int) answer { return answer{response: &send.Response{Status: n}} }
	tests := []struct {
		all  []said
		want string
	}{
		{nil, "nothing"},
		{[]said{{"a", status(200)}}, "200"},
		{[]said{{"a", status(200)}, {"b", status(200)}}, "200 for both"},
		{[]said{{"a", status(200)}, {"b", status(200)}, {"c", status(200)}}, "200 for all 3"},
		{[]said{{"a", status(200)}, {"b", status(401)}}, "200 for a, 401 for b"},
		{[]said{{"a", status(401)}, {"b", status(401)}, {"c", status(200)}, {"d", status(401)}, {"e", status(401)}}, "200 for c, 401 for the others"},
	}
	for _, test := range tests {
		if got := inWords(test.all); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestHeadersAreWrittenAsTheyAre(t *testing.T) {
	o := options(t, profile(t), "http://user:pass@127.0.0.1:1/hooks?x=1", newSecret)
	o.UserAgent = "hookctl/0.1.0"
	o.Header = []sign.Header{{Name: "x-odd-CASE", Value: "a"}, {Name: "Host", Value: "example.com"}}
	r, err := prepare(&o)
	if err != nil {
		t.Fatal(err)
	}
	e := r.withID("evt_9")
	q := r.request(e, moment{at: time.Unix(1700000000, 0)}, "one", "two")
	q = q.withHeader("X-Acme-Signature", r.signatureOf(q), "second\xff")
	want := "POST /hooks?x=1 HTTP/1.1\r\nHost: example.com\r\nUser-Agent: hookctl/0.1.0\r\nContent-Type: application/json\r\n" +
		"X-Acme-Signature: t=1700000000,v1=one,v1=two\r\nX-Acme-Signature: second\xff\r\nAuthorization: Basic dXNlcjpwYXNz\r\nx-odd-CASE: a\r\nContent-Length: 68\r\n\r\n"
	if got := string(r.head(q)); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
	if !bytes.Contains(q.body, []byte(`"id":"evt_9"`)) {
		t.Errorf("%s", q.body)
	}
}
