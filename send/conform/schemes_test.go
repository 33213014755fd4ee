package conform

import (
	"encoding/base64"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// A right receiver passes under any scheme that a profile can describe.
func TestRightReceiversPassUnderEveryScheme(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../profiles/builtin/*.yaml", "../../testdata/vectors/schemes/*.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no profiles in %s: %v", pattern, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, err := profiles.Parse(file, data)
			if err != nil {
				t.Fatal(err)
			}
			secret := "a-secret-of-some-length"
			switch p.Secret.Encoding {
			case profiles.Base64:
				secret = p.Secret.Strip + base64.StdEncoding.EncodeToString([]byte(secret))
			case profiles.Hex:
				secret = p.Secret.Strip + "00112233445566778899aabbccddeeff"
			}
			key, err := sign.NewKey(p, secret)
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Profile: p, Keys: []*sign.Key{key}, Seed: 7, Wait: noWait}
			body := []byte(`{"a":1}`)
			for _, path := range []string{p.Event.ID, p.Event.Type} {
				if path == "" {
					continue
				}
				if body, err = send.Set(nil, body, path+"=evt_1"); err != nil {
					t.Fatal(err)
				}
			}
			o.Event = send.Message{ID: "evt_1", Type: "evt_1", Body: body}
			o.URL = serve(t, func(w http.ResponseWriter, req *http.Request) { rightAt(t, &o, w, req) })
			r := check(t, o)
			if got := ids(r, Required, Fail) + ids(r, Advice, Fail) + ids(r, Required, Inconclusive); got != "" {
				t.Errorf("failed or inconclusive: %q", got)
				for _, c := range r.Results {
					if c.State == Fail {
						t.Log(c.ID, c.Finding, c.Came)
					}
				}
			}
		})
	}
}

// rightAt is a right receiver that knows the address it is called at.
func rightAt(t *testing.T, o *Options, w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	var header []sign.Header
	for name, values := range req.Header {
		for _, v := range values {
			header = append(header, sign.Header{Name: name, Value: v})
		}
	}
	address := strings.TrimSuffix(o.URL, "/hooks") + req.RequestURI
	if strings.HasSuffix(req.RequestURI, "/hooks/") {
		address = o.URL
	}
	switch result := sign.Verify(o.Profile, sign.Received{Header: header, Body: body, URL: address}, time.Now(), o.Keys...); {
	case req.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case !result.Verified:
		w.WriteHeader(http.StatusUnauthorized)
	}
}
