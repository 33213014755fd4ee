package explain

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// samples are documents, one a line, with all that serialisers disagree on.
func samples() []string {
	return []string{
		`{"id":"evt_41","type":"invoice.paid","amount":1250}`,
		`{ "b": [1, 2.50, -3, {"z": null, "a": [true, false]}], "a": {}, "c": [] }`,
		`{"s":"é😀/<>&'=+\"\\\b\f\n\r\tx\u0001\u001f\u007f\u2028\u2029` + "`" + `"}`,
		`{"é":1,"😀":2,"～":3,"a":4,"B":5,"aa":6,"Z":7}`,
		`{"10":1,"2":2,"b":3,"01":4,"a":5,"-1":6,"4294967295":7,"4294967294":8}`,
		`{"n":[0,1,-1,1.0,1.5,-2.25,100,1e2,1E+2,1e-2,0.1,0.0001,0.00001,0.000001,0.0000001,1e-7,123456.789]}`,
		`{"n":[1e15,1e16,1e17,123456789012345680000.0,1e20,1e21,1e22,1.7976931348623157e308,5e-324,2.5e-5]}`,
		`{"n":[9007199254740993.0,1234567890123456789.0,0.30000000000000004,1e7,12345678.9,9999999.0]}`,
		`[]`, `{}`, `[[],{},[[]],{"a":[]}]`, `"text"`, `12.0`, `null`, `true`,
		`{"a":"","":"b"}`,
	}
}

// wholeSamples are documents with whole numbers that some programs cannot hold.
func wholeSamples() []string {
	return []string{`{"n":[9007199254740993,9223372036854775807,-9223372036854775808]}`}
}

// same runs a program that reads documents, one a line, and writes for each of
// them what each serialiser makes of it, as JSON lists of texts. It compares
// them with what this package writes.
func same(t *testing.T, documents []string, names []string, program string, args ...string) {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is not installed: its serialisers are not compared", program)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, path, args...)
	c.Stdin = strings.NewReader(strings.Join(documents, "\n") + "\n")
	var out, complaint bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaint
	if err := c.Run(); err != nil {
		t.Fatalf("%s: %v: %s", program, err, complaint.String())
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != len(documents) {
		t.Fatalf("%d lines for %d documents", len(lines), len(documents))
	}
	for i, line := range lines {
		var texts []string
		if err := json.Unmarshal([]byte(line), &texts); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if len(texts) != len(names) {
			t.Fatalf("%d texts for %d names", len(texts), len(names))
		}
		for j, name := range names {
			compareWriter(t, name, documents[i], texts[j])
		}
	}
}

func compareWriter(t *testing.T, name, document, want string) {
	t.Helper()
	d, ok := parse([]byte(document))
	if !ok {
		t.Fatalf("not JSON: %s", document)
	}
	for _, w := range serialisers() {
		if w.name == name {
			if got := string(w.write(nil, d)); got != want {
				t.Errorf("%s writes %s\n as   %q\n not  %q", name, document, want, got)
			}
			return
		}
	}
	t.Fatalf("no serialiser %q", name)
}

func TestPythonWritesLikeThis(t *testing.T) {
	const script = `
import json, sys
for line in sys.stdin:
    d = json.loads(line)
    print(json.dumps([
        json.dumps(d),
        json.dumps(d, separators=(",", ":")),
        json.dumps(d, ensure_ascii=False),
        json.dumps(d, separators=(",", ":"), ensure_ascii=False),
        json.dumps(d, sort_keys=True),
        json.dumps(d, sort_keys=True, separators=(",", ":")),
        json.dumps(d, sort_keys=True, ensure_ascii=False),
        json.dumps(d, indent=2),
        json.dumps(d, indent=4),
        json.dumps(d, indent=2, sort_keys=True),
    ]))
`
	documents := append(append(samples(), wholeSamples()...), `{"n":[-0,-0.0,1e400,123456789012345678901234567890]}`, `{"a":1,"b":2,"a":3}`)
	same(t, documents, []string{
		"Python's json.dumps", "Python's json.dumps with compact separators", "Python's json.dumps with ensure_ascii=False",
		"Python's json.dumps with compact separators and ensure_ascii=False", "Python's json.dumps with sort_keys",
		"Python's json.dumps with sort_keys and compact separators", "Python's json.dumps with sort_keys and ensure_ascii=False",
		"Python's json.dumps with an indent of 2", "Python's json.dumps with an indent of 4", "Python's json.dumps with an indent of 2 and sort_keys",
	}, "python3", "-c", script)
}

func TestPythonReprIsLikeThis(t *testing.T) {
	const script = `
import json, sys
for line in sys.stdin:
    print(json.dumps([repr(json.loads(line)), str(line[:-1].encode())]))
`
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed: its repr is not compared")
	}
	documents := append(samples(), `["it's", "\"", "it's \"", "\u00a0\u200b\u0085\ue000\u0378", "\ud83d\ude00"]`, `{"a":1,"a":2}`)
	c := exec.CommandContext(t.Context(), path, "-c", script)
	c.Stdin = strings.NewReader(strings.Join(documents, "\n") + "\n")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		var texts []string
		if err := json.Unmarshal([]byte(line), &texts); err != nil {
			t.Fatal(err)
		}
		d, ok := parse([]byte(documents[i]))
		if !ok || len(texts) != 2 {
			t.Fatal(documents[i])
		}
		if got := string(d.repr(nil, 0)); got != texts[0] {
			t.Errorf("repr of %s\n is   %q\n not  %q", documents[i], texts[0], got)
		}
		if got := string(bytesRepresentation(nil, []byte(documents[i]))); got != texts[1] {
			t.Errorf("repr of %s\n is   %q\n not  %q", documents[i], texts[1], got)
		}
	}
}

func TestNodeWritesLikeThis(t *testing.T) {
	const script = `
const lines = require("fs").readFileSync(0, "utf8").split("\n");
for (const line of lines.slice(0, -1)) {
  const d = JSON.parse(line);
  console.log(JSON.stringify([JSON.stringify(d), JSON.stringify(d, null, 2)]));
}
`
	documents := append(append(samples(), wholeSamples()...), `{"n":[-0,-0.0,1e400,-1e400]}`, `{"a":1,"b":2,"a":3}`, `"\ud83d"`)
	same(t, documents, []string{"JSON.stringify", "JSON.stringify with an indent of 2"}, "node", "-e", script)
}

func TestPHPWritesLikeThis(t *testing.T) {
	const script = `
while (($line = fgets(STDIN)) !== false) {
  $d = json_decode($line, true);
  $o = json_decode($line);
  echo json_encode([
    json_encode($d), json_encode($d, JSON_UNESCAPED_SLASHES), json_encode($d, JSON_UNESCAPED_UNICODE),
    json_encode($d, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE), json_encode($d, JSON_PRETTY_PRINT), json_encode($o),
  ]), "\n";
}
`
	documents := append(append(samples(), wholeSamples()...), `{"n":[-0,123456789012345678901234567890]}`, `{"a":1,"b":2,"a":3}`, `{"0":1,"1":2}`, `{"1":1,"0":2}`)
	same(t, documents, []string{
		"PHP's json_encode", "PHP's json_encode with JSON_UNESCAPED_SLASHES", "PHP's json_encode with JSON_UNESCAPED_UNICODE",
		"PHP's json_encode with JSON_UNESCAPED_SLASHES and JSON_UNESCAPED_UNICODE", "PHP's json_encode with JSON_PRETTY_PRINT", "PHP's json_encode of objects",
	}, "php", "-d", "serialize_precision=-1", "-r", script)
}

func TestRubyWritesLikeThis(t *testing.T) {
	const script = `
require "json"
STDIN.set_encoding("UTF-8")
STDIN.each_line do |line|
  d = JSON.parse(line)
  puts JSON.generate([JSON.generate(d), JSON.pretty_generate(d)])
end
`
	documents := append(append(samples(), wholeSamples()...), `{"a":1,"b":2,"a":3}`)
	pretty := "Ruby's JSON.pretty_generate"
	if out, err := exec.Command("ruby", "-rjson", "-e", "puts JSON.pretty_generate({})").Output(); err == nil && len(out) > 3 {
		pretty += ", before json 2.8"
	}
	same(t, documents, []string{"Ruby's JSON.generate", pretty}, "ruby", "-e", script)
}

func TestGoWritesLikeThis(t *testing.T) {
	for _, document := range append(append(samples(), wholeSamples()...), `{"n":[-0,-0.0]}`, `{"a":1,"b":2,"a":3}`, `"\ud83d"`) {
		var v any
		if err := json.Unmarshal([]byte(document), &v); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		compareWriter(t, "Go's encoding/json of a map", document, string(text))
		var plain bytes.Buffer
		e := json.NewEncoder(&plain)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		compareWriter(t, "Go's encoding/json of a map without HTML escapes", document, strings.TrimSuffix(plain.String(), "\n"))
		text, err = json.Marshal(json.RawMessage(document))
		if err != nil {
			t.Fatal(err)
		}
		compareWriter(t, "Go's encoding/json of a json.RawMessage", document, string(text))
	}
}
