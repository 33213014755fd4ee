package sign

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/profiles"
)

// parts reads a template for tests: each {word} is a placeholder.
func parts(s string) item {
	var it item
	for s != "" {
		text, rest, found := strings.Cut(s, "{")
		if text != "" {
			it = append(it, piece{profiles.Part{Text: text}, slotText})
		}
		if !found {
			break
		}
		name, after, _ := strings.Cut(rest, "}")
		it, s = append(it, piece{profiles.Part{Name: name}, slotOf(name)}), after
	}
	return it
}

func templateOf(it item) (t profiles.Template) {
	for _, p := range it {
		t.Parts = append(t.Parts, p.Part)
	}
	return t
}

// names are those of the slots.
var names = [...]string{nameID, nameType, nameTime, nameMillis, nameURL, nameAttempt, nameRetry, nameFirst, nameSignature}

func TestTemplatesAreInverted(t *testing.T) {
	digest := strings.Repeat("a", 64)
	for _, c := range []struct {
		template, text string
		want           map[string]string // nil: does not fit
	}{
		{"{signature}", "x", map[string]string{"signature": "x"}},
		{"{signature}", "", map[string]string{"signature": ""}},
		{"sha256={signature}", "sha256=x", map[string]string{"signature": "x"}},
		{"sha256={signature}", "sha1=x", nil},
		{"<{id}>", "<>", map[string]string{"id": ""}},
		{"<{id}>", "<", nil},
		{"aa{id}aa", "aaa", nil},
		{"constant", "constant", map[string]string{}},
		{"constant", "constant ", nil},
		{"", "", map[string]string{}},
		{"{id}.{signature}", "a.b." + digest, map[string]string{"id": "a.b", "signature": digest}},
		{"{id}.{signature}", "a.b.short", nil},
		{"{timestamp}.{id}", "17.1.2", map[string]string{"timestamp": "17", "id": "1.2"}},
		{"{timestamp}.{id}", ".1", nil},
		{"{type}-{timestamp}-{signature}", "a-b-17-" + digest, map[string]string{"type": "a-b", "timestamp": "17", "signature": digest}},
		{"{id}/{type}", "a/b/c", map[string]string{"id": "a", "type": "b/c"}},
		{"{id}/{attempt}/{type}", "a/2/b", map[string]string{"id": "a", "attempt": "2", "type": "b"}},
		{"{id}/{attempt}/{type}", "a/x/b", nil},
		{"{id}{type}", "ab", nil},
		{"{id}{attempt}", "a12", map[string]string{"id": "a", "attempt": "12"}},
		{"{id} {type} {url} {first_sent_at} {attempt} {retry} {timestamp} {timestamp_ms} {signature}", "i t u f 1 0 17 170 " + digest,
			map[string]string{"id": "i", "type": "t", "url": "u", "first_sent_at": "f", "attempt": "1", "retry": "0", "timestamp": "17", "timestamp_ms": "170", "signature": digest}},
		{strings.Repeat("{id},", 10), strings.Repeat("a,", 10), nil},
	} {
		var in bindings
		ok := in.invert(parts(c.template), c.text, 64)
		got := map[string]string{}
		for _, b := range in.list[:in.n] {
			got[names[b.slot]] = b.value
		}
		if ok != (c.want != nil) || ok && !reflect.DeepEqual(got, c.want) || !ok && in.n != 0 {
			t.Errorf("%s from %q: %q, %v; want %q", c.template, c.text, got, ok, c.want)
		}
	}
}

func TestItemsAreSplitAtSeparators(t *testing.T) {
	for _, c := range []struct {
		template, separator string
		want                []string
	}{
		{"t={timestamp},v1={signature}", ",", []string{"t={timestamp}", "v1={signature}"}},
		{"v1,{signature}", " ", []string{"v1,{signature}"}},
		{"{signature}", ",", []string{"{signature}"}},
		{",a,,{id},", ",", []string{"", "a", "", "{id}", ""}},
		{"a; b{id}c; d", "; ", []string{"a", "b{id}c", "d"}},
		{"", ",", []string{""}},
	} {
		var got []string
		all, spans := splitItems(templateOf(parts(c.template)), c.separator, nil, nil)
		for _, s := range spans {
			got = append(got, templateOf(all[s.from:s.to]).String())
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %q, want %q", c.template, got, c.want)
		}
	}
}

// What is made from a template is read back, and what is read makes the same
// text again.
func FuzzExpandThenInvert(f *testing.F) {
	f.Add("t={timestamp}", "evt_1", "a.b", uint32(17))
	f.Add("v1,{signature}", "", "", uint32(0))
	f.Add("{id}.{timestamp}.{signature}", "a.b", "", uint32(1700000000))
	f.Add("x{id}y{type}z", "yy", "zz", uint32(3))
	f.Add("{timestamp}{id}{signature}", "evt", "", uint32(4))
	f.Fuzz(func(t *testing.T, template, id, typ string, number uint32) {
		it := parts(template)
		v := Values{ID: id, Type: typ, Attempt: int(number % 1000)}
		digest := strings.Repeat("0f", 32)
		value := func(dst []byte, slot int) ([]byte, bool) {
			if slot == slotSignature {
				return append(dst, digest...), true
			}
			return v.append(dst, slot)
		}
		made, err := appendFilled(nil, it, value)
		if err != nil {
			return
		}
		var in bindings
		if !in.invert(it, string(made), len(digest)) {
			if it.placeholders() <= 1 {
				t.Fatalf("%q does not read %q", template, made)
			}
			return
		}
		read := map[string][]string{}
		for _, b := range in.list[:in.n] {
			read[names[b.slot]] = append(read[names[b.slot]], b.value)
		}
		if it.placeholders() == 1 && len(read[nameID]) == 1 && read[nameID][0] != id {
			t.Fatalf("%q from %q: %q", template, made, read)
		}
		for _, values := range read {
			if len(values) > 1 {
				return // one name twice may be read as two values
			}
		}
		again, err := appendFilled(nil, it, func(dst []byte, slot int) ([]byte, bool) {
			return append(dst, read[names[slot]][0]...), true
		})
		if err != nil || string(again) != string(made) {
			t.Fatalf("%q: %q, then %q", template, made, again)
		}
	})
}
