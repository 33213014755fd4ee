package send

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/profiles"
)

const setBody = ` {"id":"a", "n" : 1200,"t":true,"z":null,"s":"x","o":{ },"a.b":1,"items":[ {"id":1}, 2 ],"e":[],"m":{"k":"v"
 }} `

func TestSetChangesOneValueAndKeepsAllOtherBytes(t *testing.T) {
	tests := []struct{ assignment, old, new string }{
		{`s=y`, `"s":"x"`, `"s":"y"`},
		{`s=`, `"s":"x"`, `"s":""`},
		{`s=12`, `"s":"x"`, `"s":"12"`},
		{`s=a=b:=c`, `"s":"x"`, `"s":"a=b:=c"`},
		{`s=<"\é` + "\n\u202e", `"s":"x"`, `"s":"<\"\\é\n\u202e"`},
		{`s:=12`, `"s":"x"`, `"s":12`},
		{`s:={"a": [1, "<"]}`, `"s":"x"`, `"s":{"a": [1, "<"]}`},
		{`s:= null `, `"s":"x"`, `"s":null`},
		{`n=-1.5e3`, `"n" : 1200`, `"n" : -1.5e3`},
		{`n=00`, ``, `n is a number and "00" is not; n:=JSON sets any JSON`},
		{`n=`, ``, `n is a number and "" is not; n:=JSON sets any JSON`},
		{`n= 1`, ``, `n is a number and " 1" is not; n:=JSON sets any JSON`},
		{`n=-`, ``, `n is a number and "-" is not; n:=JSON sets any JSON`},
		{`n=NaN`, ``, `n is a number and "NaN" is not; n:=JSON sets any JSON`},
		{`n:="1"`, `"n" : 1200`, `"n" : "1"`},
		{`t=false`, `"t":true`, `"t":false`},
		{`t=yes`, ``, `t is true or false and "yes" is not; t:=JSON sets any JSON`},
		{`z=null`, ``, ``},
		{`z=text`, `"z":null`, `"z":"text"`},
		{`o=x`, ``, `o is an object; o:=JSON sets it`},
		{`items=x`, ``, `items is an array; items:=JSON sets it`},
		{`o:=1`, `"o":{ }`, `"o":1`},
		{`o.new=1`, `"o":{ }`, `"o":{"new":"1" }`},
		{`m.new=1`, `{"k":"v"`, `{"k":"v","new":"1"`},
		{`new=1`, ` }} `, " },\"new\":\"1\"} "},
		{`new.x.y:=1`, ` }} `, " },\"new\":{\"x\":{\"y\":1}}} "},
		{`o.a\.b.c=1`, `"o":{ }`, `"o":{"a.b":{"c":"1"} }`},
		{`a\.b=2`, `"a.b":1`, `"a.b":2`},
		{`items.0.id=7`, `{"id":1}`, `{"id":7}`},
		{`items.0.x=7`, `{"id":1}`, `{"id":1,"x":"7"}`},
		{`items.1=3`, `, 2 ]`, `, 3 ]`},
		{`items.2:=3`, `, 2 ]`, `, 2,3 ]`},
		{`items.2.x=3`, `, 2 ]`, `, 2,{"x":"3"} ]`},
		{`e.0=a`, `"e":[]`, `"e":["a"]`},
		{`items.3=3`, ``, `items is an array that ends before index 3`},
		{`e.1=3`, ``, `e is an array that ends before index 1`},
		{`items.x=3`, ``, `items is an array and "x" is no index`},
		{`items.-1=3`, ``, `items is an array and "-1" is no index`},
		{`items.02=3`, ``, `items is an array and "02" is no index`},
		{`s.x=3`, ``, `s is a string and has no "x"`},
		{`n.x.y=3`, ``, `n is a number and has no "x"`},
		{`z.x=3`, ``, `z is null and has no "x"`},
		{`s`, ``, `no = in s: PATH=VALUE or PATH:=JSON`},
		{`=1`, ``, `an empty name in the path ""`},
		{`:=1`, ``, `an empty name in the path ""`},
		{`a..b=1`, ``, `an empty name in the path "a..b"`},
		{`a.=1`, ``, `an empty name in the path "a."`},
		{`s:=`, ``, `s:=: what follows := is not JSON`},
		{`s:={`, ``, `s:={: what follows := is not JSON`},
		{`s:=1 2`, ``, `s:=1 2: what follows := is not JSON`},
		{"s=\xff", ``, `the text for s is not UTF-8`},
		{"\xff=1", ``, `the path "\xff" is not UTF-8`},
		{`id=b`, ``, `id is the event's id, which cannot be set like this`},
		{`id:="b"`, ``, `id is the event's id, which cannot be set like this`},
	}
	p := &profiles.Profile{Event: profiles.Event{ID: "id"}}
	for _, tt := range tests {
		got, err := Set(p, []byte(setBody), tt.assignment)
		if tt.old == "" && tt.new != "" {
			if err == nil || err.Error() != tt.new {
				t.Errorf("%s: %s, %v, want error %s", tt.assignment, got, err, tt.new)
			}
			continue
		}
		if tt.old != "" && strings.Count(setBody, tt.old) != 1 {
			t.Fatalf("%s: %s does not stand once in the body", tt.assignment, tt.old)
		}
		if want := strings.Replace(setBody, tt.old, tt.new, 1); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", tt.assignment, got, err, want)
		}
		if err == nil && !json.Valid(got) {
			t.Errorf("%s: %s is not JSON", tt.assignment, got)
		}
	}
}

func TestSetKeepsTheIDInsideOthers(t *testing.T) {
	p := &profiles.Profile{Event: profiles.Event{ID: `data.a\.b`}}
	body := []byte(`{"data":{"a.b":"1","c":2}}`)
	for assignment, refused := range map[string]bool{
		`data:={}`: true, `data.a\.b=2`: true, `data.c=3`: false, `data.a=3`: false, `data.a\.b.c=1`: false,
	} {
		_, err := Set(p, body, assignment)
		if got := err != nil && strings.Contains(err.Error(), "is the event's id"); got != refused {
			t.Errorf("%s: %v, refused: want %v", assignment, err, refused)
		}
	}
	if got, err := Set(nil, []byte(`{"id":"1"}`), "id=2"); err != nil || string(got) != `{"id":"2"}` {
		t.Errorf("without a profile: %s, %v", got, err)
	}
}

func TestSetNeedsJSON(t *testing.T) {
	for body, want := range map[string]string{
		"":        "cannot set a: the body is not JSON",
		`{"a":`:   "cannot set a: the body is not JSON",
		`[1]`:     `the body is an array and "a" is no index`,
		` "text"`: `the body is a string and has no "a"`,
		`-1`:      `the body is a number and has no "a"`,
		`false`:   `the body is true or false and has no "a"`,
		`null`:    `the body is null and has no "a"`,
	} {
		if got, err := Set(nil, []byte(body), "a=1"); err == nil || err.Error() != want {
			t.Errorf("%s: %s, %v, want error %s", body, got, err, want)
		}
	}
	if got, err := Set(nil, []byte(`[1]`), "1=2"); err != nil || string(got) != `[1,"2"]` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestSetQuotesALongPathInWholeCharacters(t *testing.T) {
	_, err := Set(nil, []byte(`{}`), "a"+strings.Repeat("é", 40))
	if want := "no = in a" + strings.Repeat("é", 29) + "...: PATH=VALUE or PATH:=JSON"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestSetDoesNotChangeTheBodyGiven(t *testing.T) {
	body := []byte(`{"a":"1","b":"2"}`)
	if _, err := Set(nil, body, "a=9"); err != nil {
		t.Fatal(err)
	}
	if got := string(body); got != `{"a":"1","b":"2"}` {
		t.Errorf("the body became %s", got)
	}
}

func FuzzSet(f *testing.F) {
	for _, a := range []string{"s=y", `o.a\.b.c=1`, "items.2:=3", "items.0.id=7", "new.x:={}", "n=1"} {
		f.Add(setBody, a)
	}
	f.Fuzz(func(t *testing.T, body, assignment string) {
		got, err := Set(&profiles.Profile{Event: profiles.Event{ID: "id"}}, []byte(body), assignment)
		if err == nil && !json.Valid(got) {
			t.Errorf("%q with %q: %q is not JSON", body, assignment, got)
		}
	})
}
