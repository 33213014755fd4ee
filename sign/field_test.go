package sign_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/sign"
)

func TestValuesAreFoundWhereTheyStand(t *testing.T) {
	for _, c := range []struct {
		body, path string
		value      string // "": not found
		kind       byte
	}{
		{`{"id":"a"}`, "id", `"a"`, '"'},
		{" \r\n\t{ \"id\" : \"a\" } ", "id", `"a"`, '"'},
		{`{"a":1,"id":-1.5e3,"b":2}`, "id", `-1.5e3`, '0'},
		{`{"id":true}`, "id", `true`, 't'},
		{`{"id":false}`, "id", `false`, 't'},
		{`{"id":null}`, "id", `null`, 'n'},
		{`{"id":{"x":[1,"}"]}}`, "id", `{"x":[1,"}"]}`, '{'},
		{`{"id":[]}`, "id", `[]`, '['},
		{`{"":"a"}`, ".", "", 0},
		{`{"":{"":"a"}}`, ".", `"a"`, '"'},
		{`{"data":{"items":[{"id":"x"},{"id":"y"}]}}`, "data.items.1.id", `"y"`, '"'},
		{`[["a"],"b"]`, "0.0", `"a"`, '"'},
		{`["a"]`, "1", "", 0},
		{`["a"]`, "00", "", 0},
		{`["a"]`, "-1", "", 0},
		{`{"0":"a"}`, "0", `"a"`, '"'},
		{`{"a.b":{"c\\d":1}}`, `a\.b.c\\d`, `1`, '0'},
		{`{"a\\b":1}`, `a\b`, `1`, '0'},
		{`{"\u0069d":"a"}`, "id", `"a"`, '"'},
		{`{"\ud83d\ude00":"a"}`, "😀", `"a"`, '"'},
		{`{"i\"d":1,"id":2}`, `i"d`, `1`, '0'},
		{`{"id":1,"id":2}`, "id", `2`, '0'},
		{`{"id":1,"\u0069d":2}`, "id", `2`, '0'},
		{`{"aa":1,"b":2,"aa":3}`, "aa", `3`, '0'},
		{`{"a_b":1,"_":2,"a_b":3}`, "a_b", `3`, '0'},
		{`{"_id":1,"x":"__________________","_id":3}`, "_id", `3`, '0'},
		{`{"":1,"":2}`, "", "", 0},
		{`{"x":{"":1,"":2}}`, "x.", `2`, '0'},
		{`{"id":1,"x":{"id":3},"\u0069\u0064":2}`, "id", `2`, '0'},
		{`{"d":{"id":1},"d":{"x":2}}`, "d.id", "", 0},
		{`{"d":{"id":1},"d":{"id":2}}`, "d.id", `2`, '0'},
		{`{"d":{"id":1},"d":7}`, "d.id", "", 0},
		{`{"x":{"id":1}}`, "id", "", 0},
		{`{"id":"a"}`, "id.x", "", 0},
		{`{"id":"a"}`, "", "", 0},
		{`{"id":"a"} tail`, "id", `"a"`, '"'},
		{`{"s":"\\","id":1}`, "id", `1`, '0'},
		{`{"s":"\\\"","id":1}`, "id", `1`, '0'},
		{`{"s":"` + strings.Repeat(`\\`, 40) + `","id":1}`, "id", `1`, '0'},
		{`{"s":"` + strings.Repeat(`x`, 22) + `\"\\","id":1}`, "id", `1`, '0'},
		{`{"s":"` + strings.Repeat(`x`, 23) + `\"\\","id":1}`, "id", `1`, '0'},
		{`{"s":"` + strings.Repeat(`x`, 24) + `\"\\","id":1}`, "id", `1`, '0'},
		// not JSON
		{``, "id", "", 0},
		{`id`, "id", "", 0},
		{`"id"`, "id", "", 0},
		{`{'id':'a'}`, "id", "", 0},
		{`{"id"="a"}`, "id", "", 0},
		{`{"x":1 "id":"a"}`, "id", "", 0},
		{`{"x":tru,"id":"a"}`, "id", "", 0},
		{`{"x":[},"id":"a"}`, "id", "", 0},
		{`{"x":,"id":"a"}`, "id", "", 0},
		{`{"id":"a"]`, "id", "", 0},
		{"\ufeff" + `{"id":"a"}`, "id", "", 0},
		{`{"x":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `,"id":"a"}`, "id", "", 0},
		{`{"x":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `,"id":"a"}`, "id", `"a"`, '"'},
		// cut
		{`{"id":"a","x":{"y":[1,2`, "id", `"a"`, '"'},
		{`{"data":{"id":"a","x":"`, "data.id", `"a"`, '"'},
		{`{"data":[{"id":"a"},`, "data.0.id", `"a"`, '"'},
		{`{"id":"a`, "id", "", 0},
		{`{"id":"a\"`, "id", "", 0},
		{`{"id":12`, "id", "", 0},
		{`{"id":tru`, "id", "", 0},
		{`{"id":{"x":1}`, "id", `{"x":1}`, '{'},
		{`{"id":{"x":1`, "id", "", 0},
		{`{"id":1,"id":2`, "id", "", 0},
		{`{"id"`, "id", "", 0},
		{`{"id":`, "id", "", 0},
		{`{`, "id", "", 0},
	} {
		f, ok := sign.Find([]byte(c.body), c.path)
		got := ""
		if ok {
			got = c.body[f.Start:f.End]
		}
		if got != c.value || f.Kind != c.kind || ok != (c.value != "") {
			t.Errorf("%s in %.60s: %q, %q, %v; want %q, %q", c.path, c.body, got, f.Kind, ok, c.value, c.kind)
		}
	}
}

func TestStringsAreDecodedAndNumbersKeptAsText(t *testing.T) {
	for body, want := range map[string]string{
		`{"id":"evt_1"}`:           "evt_1",
		`{"id":"a\u00e9\n\/\"\\"}`: "aé\n/\"\\",
		`{"id":"\ud83d\ude00"}`:    "😀",
		`{"id":"é"}`:               "é",
		"{\"id\":\"\xff\"}":        "\ufffd",
		`{"id":9007199254740993}`:  "9007199254740993",
		`{"id":1.50}`:              "1.50",
		`{"id":""}`:                "",
	} {
		got, ok := sign.FindString([]byte(body), "id")
		if !ok || got != want {
			t.Errorf("%s: %q, %v; want %q", body, got, ok, want)
		}
	}
	for _, body := range []string{
		`{"id":true}`, `{"id":null}`, `{"id":{}}`, `{"id":[]}`, `{"id":1-2}`, `{"id":01}`, `{"id":-}`,
		`{"id":"\x"}`, "{\"id\":\"a\nb\"}", `{}`,
	} {
		if got, ok := sign.FindString([]byte(body), "id"); ok || got != "" {
			t.Errorf("%s: %q, %v", body, got, ok)
		}
	}
}

func FuzzFindAgreesWithADecoder(f *testing.F) {
	for _, body := range []string{`{"a":{"b":[1,"x",{"c":null}]},"a":2}`, `{"\u0061":"\\"}`, `[[]]`, `{"a":1e5}`, `{"a":`, "{\"a\":\"\xff\"}"} {
		f.Add([]byte(body), "a")
		f.Add([]byte(body), "a.b.1")
	}
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		field, ok := sign.Find(body, path)
		if ok != (field.Kind != 0) || ok && (field.Start < 0 || field.Start >= field.End || field.End > len(body)) {
			t.Fatalf("%+v, %v", field, ok)
		}
		text, is := sign.FindString(body, path)
		if is && !ok {
			t.Fatalf("%q without a field", text)
		}
		if strings.ContainsAny(path, `.\`) || path == "" {
			return
		}
		var object map[string]json.RawMessage
		if json.Unmarshal(body, &object) != nil || object == nil {
			return
		}
		want, there := object[path]
		// A decoder turns what is not UTF-8 in a name into U+FFFD.
		if strings.Contains(path, "\ufffd") || deep(body) {
			return
		}
		if there != ok || ok && string(body[field.Start:field.End]) != string(want) {
			t.Fatalf("%q in %q: %+v, %v; a decoder finds %q, %v", path, body, field, ok, want, there)
		}
	})
}

func deep(body []byte) bool {
	return strings.Count(string(body), "[")+strings.Count(string(body), "{") > 1000
}
