package profiles

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestNewProfileParsesAndIsCalledAsAsked(t *testing.T) {
	data, err := New("acme-pay", "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse("acme-pay.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "acme-pay" || p.Title != "Acme Pay" {
		t.Errorf("got %q, %q", p.Name, p.Title)
	}
}

func TestNewProfileNamesEveryKey(t *testing.T) {
	data, err := New("acme", "")
	if err != nil {
		t.Fatal(err)
	}
	var look func(f *form, path string)
	look = func(f *form, path string) {
		for _, k := range f.keys {
			if !strings.Contains(string(data), k.name+":") {
				t.Errorf("%s is not in it", join(path, k.name))
			}
			look(k.form, join(path, k.name))
		}
		for _, below := range []*form{f.item, f.or} {
			if below != nil {
				look(below, path)
			}
		}
	}
	look(fileForm(), "")
}

func TestCommentedKeysOfANewProfileHoldWhenUsed(t *testing.T) {
	data, err := New("acme", "")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, change := range [][2]string{
		{"# url: https", "url: https"}, {"# strip: ", "strip: "}, {"# retry_headers:\n#   Webhook", "retry_headers:\n  Example"},
		{"# object: ", "object: "}, {"# updated: ", "updated: "}, {"# url: {", "url: {"}, {"# warn: a", "warn: a"}, {"# assumed: what", "assumed: what"},
		{"# retry_after: ", "retry_after: "}, {"# assumed: how", "assumed: how"}, {"# order: ", "order: "}, {"# not_emulated:\n#   -", "not_emulated:\n  -"},
		{"# replay: {", "replay: {"}, {"events:\n  invoice", "events:\n  replay.started: '{\"n\":{count}}'\n  replay.completed: '{}'\n  invoice"},
	} {
		if !strings.Contains(text, change[0]) {
			t.Errorf("%q is not in it", change[0])
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	p, err := Parse("acme.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if p.Secret.Strip != "whsec_" || len(p.RetryHeaders) != 1 || p.Event.Updated == "" || !p.Delivery.HTTPSOnly || p.Retry.RetryAfter == nil || p.Promises.Order != "type" || len(p.NotEmulated) != 1 || p.Replay == nil {
		t.Errorf("got %+v", p)
	}
}

func TestNewFromABuiltinChangesNameAndTitleOnly(t *testing.T) {
	for _, e := range all(t) {
		data, err := New("acme-pay", e.Profile.Name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Parse("acme-pay.yaml", data)
		if err != nil {
			t.Fatal(err)
		}
		want := *e.Profile
		want.Name, want.Title = "acme-pay", "Acme Pay"
		if !reflect.DeepEqual(*p, want) {
			t.Errorf("from %s: got %+v", e.Profile.Name, p)
		}
		text := strings.NewReplacer("name: acme-pay\n", "name: "+e.Profile.Name+"\n", "title: Acme Pay\n", "title: "+e.Profile.Title+"\n").Replace(string(data))
		if text != string(e.Source()) {
			t.Errorf("from %s: more than the name was changed", e.Profile.Name)
		}
	}
}

func TestRenameFindsTheNameWhereverItStands(t *testing.T) {
	tests := []struct{ in, want string }{
		{"name: a\n", "name: b-2\n"},
		{"title: 'It''s A' # x\nname: \"a\" # y\n", "title: B 2 # x\nname: b-2 # y\n"},
		{"{name: a, title: A, schema: 1}\n", "{name: b-2, title: B 2, schema: 1}\n"},
		{"# größe\r\nname: größe\r\ntitle: \"A\\\"\"\r\n", "# größe\r\nname: b-2\r\ntitle: B 2\r\n"},
	}
	for _, tt := range tests {
		got, err := rename([]byte(tt.in), "b-2")
		if err != nil || string(got) != tt.want {
			t.Errorf("%q: got %q, %v, want %q", tt.in, got, err, tt.want)
		}
	}
}

func TestNewRefusesBadNames(t *testing.T) {
	for _, name := range []string{"", "Acme", "acme pay", "-a", "../a", "a.yaml", "größe", "a\nb"} {
		if _, err := New(name, ""); err == nil || !strings.HasSuffix(err.Error(), " is not a profile name (small letters, digits, dashes)") {
			t.Errorf("%q: got %v", name, err)
		}
	}
	_, err := New("acme", "kudoz")
	var unknown *NotFoundError
	if !errors.As(err, &unknown) || unknown.Near != "kudos" {
		t.Errorf("got %v", err)
	}
}
