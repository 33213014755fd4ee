package profiles

import (
	"encoding/json"
	"testing"
)

func TestJSONKeepsTheOrderAndTheTypes(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"order", "b: 1\na: 2\n", `{"b":1,"a":2}`},
		{"durations stay", "wait: [30s, 0, 1d]\n", `{"wait":["30s",0,"1d"]}`},
		{"texts that look like numbers", "a: '1'\nb: \"true\"\nc: 25%\nd: 2xx\n", `{"a":"1","b":"true","c":"25%","d":"2xx"}`},
		{"bools", "a: true\nb: False\nc: yes\n", `{"a":true,"b":false,"c":"yes"}`},
		{"numbers", "a: -1\nb: 1.5\nc: 0x10\nd: 1_000\ne: .inf\nf: +3\ng: 010\n", `{"a":-1,"b":1.5,"c":16,"d":1000,"e":".inf","f":3,"g":8}`},
		{"null", "a:\nb: ~\n", `{"a":null,"b":null}`},
		{"days", "a: 2026-01-02\n", `{"a":"2026-01-02"}`},
		{"empty", "a: {}\nb: []\nc: ''\n", `{"a":{},"b":[],"c":""}`},
		{"literal text", "a: |\n  {\"id\":\"{id}\"}\n", `{"a":"{\"id\":\"{id}\"}\n"}`},
		{"markup stays", "a: '<b> & c'\n", `{"a":"<b> & c"}`},
		{"what drives a terminal is escaped", `a: "\e[2J\t\0\x9b\u202e\u2028\u200f"` + "\n", `{"a":"\u001b[2J\t\u0000\u009b\u202e\u2028\u200f"}`},
		{"raw controls of direction", "a: x\u202ey\u2066\n", `{"a":"x\u202ey\u2066"}`},
		{"letters stay", "a: größe 日本 😀\n", `{"a":"größe 日本 😀"}`},
		{"a list", "- 1\n- [a]\n", `[1,["a"]]`},
	}
	for _, tt := range tests {
		got, err := JSON([]byte(tt.in))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: got %s, %v, want %s", tt.name, got, err, tt.want)
		}
		if !json.Valid(got) {
			t.Errorf("%s: %s is not JSON", tt.name, got)
		}
	}
}

func TestJSONOfWhatIsNotPlainYAMLIsAnError(t *testing.T) {
	tests := []struct{ in, want string }{
		{"a: [", "profile:1: not YAML: did not find expected node content"},
		{"a: 1\na: 2\n", `profile:2:1: repeated key "a" (first in line 1)`},
		{"a: &x 1\n", "profile:1:4: an anchor is not allowed"},
		{"", "profile:1:1: the file is empty"},
	}
	for _, tt := range tests {
		if got, err := JSON([]byte(tt.in)); text(err) != tt.want {
			t.Errorf("%q: got %s, %v, want %s", tt.in, got, err, tt.want)
		}
	}
}
