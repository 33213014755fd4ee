package cmd

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// What a script passes on is quoted escaped where it is wrong: arguments, values
// of flags and of the environment, names of files.
func TestNoArgumentDrivesTheTerminal(t *testing.T) {
	folder(t, map[string]string{"body": "{}"})
	var places []place
	for _, args := range [][]string{
		{"EVIL"}, {"--EVIL"}, {"-EVIL"}, {"help", "EVIL"}, {"profiles", "EVIL"}, {"send", "--EVIL=EVIL"}, {"send", "-EVIL"}, {"profiles", "list", "EVIL"},
		{"profiles", "show", "EVIL"}, {"profiles", "show", "./EVIL.yaml"}, {"profiles", "check", "EVIL"}, {"profiles", "new", "EVIL"}, {"profiles", "new", "x", "--from", "EVIL"},
		{"send", "-p", "EVIL", ":1"}, {"send", "-p", "kudos", "EVIL"}, {"send", "-p", "kudos", "http://127.0.0.1:1/EVIL"}, {"send", "-p", "kudos", "http://EVIL:1/"},
		{"send", "-p", "kudos", "http://EVIL:EVIL@127.0.0.1:1/"}, {"send", "-p", "kudos", "EVIL://h"}, {"send", "-p", "kudos", ":1/?EVIL#EVIL"},
		{"send", "-p", "kudos", "-H", "EVIL", ":1"}, {"send", "-p", "kudos", "-H", "EVIL: 1", ":1"}, {"send", "-p", "kudos", "-H", "X: EVIL", ":1"},
		{"send", "-p", "kudos", "--id", "EVIL", ":1"}, {"send", "-p", "kudos", "-e", "EVIL", ":1"}, {"send", "-p", "kudos", "-d", "EVIL", ":1"}, {"send", "-p", "kudos", "-d", "@EVIL", ":1"},
		{"send", "-p", "kustomer", "-d", "{}", "-e", "EVIL", ":1"}, {"send", "-p", "kudos", "-d", `{"event_id":"EVIL","event_type":"EVIL"}`, ":1"},
		{"send", "-p", "kudos", "--set", "EVIL", ":1"}, {"send", "-p", "kudos", "--set", "data.EVIL=EVIL", ":1"}, {"send", "-p", "kudos", "--set", "data.EVIL:=EVIL", ":1"},
		{"send", "-p", "kudos", "--respond", "EVIL"}, {"send", "-p", "kudos", "--respond", "200:EVIL=1"}, {"send", "-p", "kudos", "--respond", "404:body=@EVIL"},
		{"send", "-p", "kudos", "--respond", `404:body="EVIL"`}, {"send", "-p", "kudos", "--respond", `302:location="EVIL"`}, {"send", "-p", "kudos", "--respond", `429:retry-after="EVIL"`},
		{"send", "-p", "kudos", "--respond", "refused:EVIL"}, {"plan", "-p", "kudos", "--respond", `404:body="EVIL"`}, {"plan", "-p", "EVIL"}, {"plan", "--respond", `404:header="EVIL=EVIL",200`},
		{"send", "-p", "kudos", "--cacert", "EVIL", ":1"}, {"send", "-p", "kudos", "--secret-file", "EVIL", ":1"}, {"send", "-p", "kudos", "--secret-env", "EVIL", ":1"},
		{"send", "-p", "kudos", "--timeout", "EVIL", ":1"}, {"send", "-p", "kudos", "--seed", "EVIL", ":1"}, {"send", "-p", "kudos", "--speed", "EVIL", ":1"}, {"send", "--color", "EVIL"},
		{"sign", "-p", "kudos", "-d", "@EVIL"}, {"sign", "-p", "kudos", "-d", "x", "-o", "EVIL"}, {"sign", "-p", "kudos", "-d", "x", "--url", "EVIL", "-o", "value"},
		{"sign", "-p", "kustomer", "--id", "EVIL", "-d", `{"id":"x","name":"y"}`, "-o", "value"}, {"sign", "-p", "kudos", "--id", "EVIL", "-d", `{"event_id":"x"}`, "-o", "value"},
		{"verify", "--request", "EVIL"}, {"verify", "-p", "kudos", "-d", "x", "-H", "EVIL"}, {"verify", "-d", "x", "-H", "X-Kudos-Signature: EVIL"}, {"verify", "-p", "kudos", "-d", "x", "--other-request", "EVIL"},
		{"verify", "-p", "kudos", "-d", "x", "--at", "EVIL"}, {"verify", "-p", "kudos", "-d", "x", "--tolerance", "EVIL"}, {"verify", "-p", "kudos", "-d", "x", "--app-computed", "EVIL"},
		{"verify", "-p", "kudos", "-d", "x", "--try", "EVIL"}, {"verify", "-p", "kudos", "-d", "x", "--try", "EVIL=@EVIL"}, {"verify", "-p", "kudos", "-d", "x", "--try", "EVIL=env:EVIL"}, {"verify", "-p", "kudos", "-d", "x", "--try", "EVIL="},
		{"verify", "-p", "kudos", "-d", "x", "--url", "EVIL"}, {"listen", "--addr", "EVIL"}, {"listen", "--addr", "EVIL:1"}, {"listen", "--respond", "EVIL"}, {"listen", "--forward-to", "EVIL"},
		{"listen", "--for", "1ms", "--addr", "127.0.0.1:0", "--forward-to", "http://EVIL:EVIL@127.0.0.1:1/EVIL"}, {"listen", "--ready-file", "none/EVIL", "--addr", "127.0.0.1:0", "--for", "1ms"},
		{"listen", "--expect", "EVIL"}, {"listen", "--max-body", "EVIL"}, {"check", "-p", "kudos", "--only", "EVIL", ":1"}, {"check", "-p", "kudos", "--skip", "EVIL", ":1"},
		{"check", "-p", "kudos", "--baseline", "EVIL", ":1"}, {"check", "-p", "kudos", "--junit", "none/EVIL", ":1"}, {"check", "-p", "kudos", "http://EVIL/"}, {"check", "--list", "EVIL"},
	} {
		places = append(places, place{strings.Join(args, " "), func(t *testing.T, evil string, form []string) ran {
			if runtime.GOOS == "windows" && strings.Contains(strings.Join(args, " "), "EVIL") {
				evil = strings.ReplaceAll(evil, ":", "") // of a volume, of a stream of a file
			}
			var words []string
			for _, a := range args {
				words = append(words, strings.ReplaceAll(a, "EVIL", evil))
			}
			return secretWorld.run(append(words, form...)...)
		}})
	}
	attack(t, places, "", "--json")
}

// So are the environment's values, and a config file's.
func TestNoConfigDrivesTheTerminal(t *testing.T) {
	folder(t, nil)
	var places []place
	for _, name := range []string{"HOOKCTL_PROFILE", "HOOKCTL_URL", "HOOKCTL_SECRET", "HOOKCTL_CONFIG", "XDG_CONFIG_HOME", "TERM", "LANG"} {
		places = append(places, place{name, func(_ *testing.T, evil string, form []string) ran {
			w := world{env: map[string]string{"HOOKCTL_PROFILE": "kudos", "HOOKCTL_URL": ":1"}}
			w.env[name] = evil
			return w.run(append([]string{"send"}, form...)...)
		}})
	}
	for _, text := range []string{
		"EVIL", "profile: EVIL", "EVIL: x", "profile: QUOTED", "QUOTED: x", "profiles: { QUOTED: { url: QUOTED } }", "profiles: { kudos: { url: QUOTED } }",
		"profiles: { kudos: { url: 'http://127.0.0.1:1/', headers: { QUOTED: QUOTED } } }", "profiles: { kudos: { headers: { X: QUOTED } } }", "profiles: { kudos: { QUOTED: x } }",
		"profiles: { kudos: { secrets: [{ file: QUOTED }] } }", "profiles: { kudos: { secrets: [{ env: QUOTED }] } }", "profiles: { kudos: { secrets: [{ value: QUOTED }] } }",
		"profiles: { kudos: { secrets: [{ QUOTED: x }] } }", "profiles: { kudos: { secrets: &EVIL [] } }", "a: [", "profile: !EVIL x",
	} {
		places = append(places, place{text, func(t *testing.T, evil string, form []string) ran {
			written(t, "c.yaml", strings.NewReplacer("QUOTED", yamlText(t, evil), "EVIL", evil).Replace(text))
			w := world{env: map[string]string{"HOOKCTL_PROFILE": "kudos", "HOOKCTL_URL": ":1", "HOOKCTL_CONFIG": "c.yaml"}}
			if strings.Contains(text, "url:") {
				delete(w.env, "HOOKCTL_URL")
			}
			return w.run(append([]string{"send"}, form...)...)
		}})
	}
	attack(t, places, "", "-v", "--json")
}

// Files may have any name: those that hookctl finds, and those it is given.
func TestNoFileNameDrivesTheTerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("names of files have no such characters there")
	}
	builtin := world{}.run("profiles", "new", "acme").stdout
	var places []place
	for _, args := range []string{
		"profiles check ./FILE.yaml", "profiles show ./FILE.yaml", "profiles list", "send -p ./FILE.yaml --respond 404", "plan", "listen --for 1ms --addr 127.0.0.1:0",
		"sign -p kudos -d @FILE.yaml -o value", "verify -p kudos --request FILE.yaml", "check -p kudos --baseline FILE.yaml :1", "send -p kudos --secret-file FILE.yaml :1",
		"send -p kudos --cacert FILE.yaml :1",
	} {
		for _, text := range []string{builtin, "broken: ["} {
			places = append(places, place{args, func(t *testing.T, evil string, form []string) ran {
				folder(t, nil)
				if err := os.MkdirAll(localProfiles, 0o700); err != nil {
					t.Fatal(err)
				}
				name := strings.NewReplacer("/", "", "\x00", "").Replace(evil)
				name = name[:min(len(name), 200)]
				for _, at := range []string{name + ".yaml", localProfiles + "/" + name + ".yaml"} {
					if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
						t.Skip(err) // not every file system takes every name
					}
				}
				var words []string
				for _, a := range strings.Fields(args) {
					words = append(words, strings.ReplaceAll(a, "FILE", name))
				}
				return secretWorld.run(append(words, form...)...)
			}})
		}
	}
	attack(t, places, "", "--json")
}

// What sign prints is for other programs, byte for byte. Only a terminal is shown
// it escaped.
func TestSignIsExactInAPipeAndEscapedOnATerminal(t *testing.T) {
	folder(t, nil)
	for name, evil := range attacks() {
		t.Run(name, func(t *testing.T) { // the line ends of a body stay
			ran{stdout: escapedLines(strings.ReplaceAll(evil, forged, "x"))}.isSafe(t, "-v")
		})
	}
	const id = "evt_\u202e\u009b2J"
	want := "X-Kudos-Event-Id: " + id + "\n"
	if r := secretWorld.run("sign", "-p", "kudos", "--all-headers", "--id", id, "-d", "{}"); !strings.Contains(r.stdout, want) {
		t.Errorf("%q has no %q", r.stdout, want)
	}
}

// The names in a certificate are whatever the server says.
func TestNoCertificateDrivesTheTerminal(t *testing.T) {
	folder(t, nil)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	run := func(t *testing.T, evil string, c *x509.Certificate, args ...string) ran {
		c.SerialNumber, c.NotBefore = big.NewInt(1), time.Now().Add(-time.Hour)
		c.Subject = pkix.Name{CommonName: evil, Organization: []string{evil}}
		c.IsCA, c.BasicConstraintsValid, c.KeyUsage = true, true, x509.KeyUsageCertSign|x509.KeyUsageDigitalSignature
		der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
		if err != nil {
			t.Skip(err) // no certificate can hold it
		}
		s := httptest.NewUnstartedServer(http.NotFoundHandler())
		s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		s.StartTLS()
		defer s.Close()
		return secretWorld.run(append(append([]string{"send", "-p", "clodo"}, args...), s.URL)...)
	}
	attack(t, []place{
		{"names", func(t *testing.T, evil string, form []string) ran {
			return run(t, evil, &x509.Certificate{DNSNames: []string{evil, "x." + evil}, NotAfter: time.Now().Add(time.Hour)}, form...)
		}},
		{"names, any accepted", func(t *testing.T, evil string, form []string) ran {
			return run(t, evil, &x509.Certificate{DNSNames: []string{evil}, NotAfter: time.Now().Add(time.Hour)}, append(form, "-k")...)
		}},
		{"expired", func(t *testing.T, evil string, form []string) ran {
			return run(t, evil, &x509.Certificate{IPAddresses: []net.IP{{127, 0, 0, 1}}, NotAfter: time.Now().Add(-time.Minute)}, form...)
		}},
	}, "", "-v", "--json")
}
