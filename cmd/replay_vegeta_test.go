package cmd

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// vegetaVersion is what the export is tried with.
const vegetaVersion = "github.com/tsenart/vegeta/v12@v12.13.0"

// A load that outgrows hookctl goes on in vegeta: its requests verify.
func TestVegetaAttacksWithAnExport(t *testing.T) {
	vegeta := filepath.Join(t.TempDir(), "vegeta.exe")
	install := exec.Command("go", "install", vegetaVersion)
	install.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOBIN="+filepath.Dir(vegeta))
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("%s cannot be had here: %s", vegetaVersion, out)
	}
	if found, err := filepath.Glob(filepath.Join(filepath.Dir(vegeta), "vegeta*")); err == nil && len(found) == 1 {
		vegeta = found[0]
	}
	kudos, err := profiles.Builtin().Get("kudos")
	if err != nil {
		t.Fatal(err)
	}
	key, err := sign.NewKey(kudos.Profile, "new-kudos-secret")
	if err != nil {
		t.Fatal(err)
	}
	var verified, refused int
	server := httptest.NewServer(&listen.Receiver{
		Profiles: []*profiles.Profile{kudos.Profile}, Verify: true,
		Keys: func(*profiles.Profile) ([]*sign.Key, error) { return []*sign.Key{key}, nil },
		Seen: func(r listen.Request) {
			if r.Result != nil && r.Result.Verified && r.Event.ID == "evt_5d2f9b6ac1e04b7f" {
				verified++
			} else {
				refused++
			}
		},
	})
	record := filepath.Join(t.TempDir(), "request.txt")
	const request = "POST / HTTP/1.1\nX-Kudos-Signature: t=1,v1=00\n\n" +
		`{"event_id":"evt_5d2f9b6ac1e04b7f","event_type":"payment.succeeded","text":"it's \u00e9"}`
	if err := os.WriteFile(record, []byte(request), 0o600); err != nil {
		t.Fatal(err)
	}
	r := world{}.run("replay", record, server.URL+"/hooks?x=1", "--secret", "new-kudos-secret", "--export", "vegeta")
	r.want(t, 0, `^hookctl: note: signed as of `)
	attack := exec.Command(vegeta, "attack", "-format=json", "-rate=20/s", "-duration=1s")
	attack.Stdin = strings.NewReader(r.stdout)
	if out, err := attack.Output(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	server.Close()
	if verified == 0 || refused != 0 { // how many it sends depends on how busy the machine is
		t.Errorf("%d verified, %d refused; want some and none", verified, refused)
	}
}
