package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// faults are the values of FAULT.
func faults() []string {
	return strings.Fields(`none no-header log-only any-signature empty-secret placeholder rewrite-any rewrite-raw throws crash
		conflict no-dedupe race race-error forgets slow pool crowd drops pushes idle redirect www login basic csrf page missing no-clock no-future loose-clock
		small-body first last one-secret known-items fixed-order older-scheme sha1 unknown-type parse-first parse-crash older
		needs-length expired leak trace gone accepts-broken prefix content-dedupe any-method garbage close hang reset`)
}

// stands answers for what stands before the receiver; true if it did.
func (r *receiver) stands(w http.ResponseWriter, req *http.Request) bool {
	header := w.Header()
	switch r.fault {
	case "redirect":
		if !strings.HasSuffix(req.URL.Path, "/") {
			http.Redirect(w, req, req.URL.Path+"/", http.StatusTemporaryRedirect)
			return true
		}
	case "www":
		http.Redirect(w, req, "https://www.example.com"+req.URL.Path, http.StatusMovedPermanently)
		return true
	case "login":
		http.Redirect(w, req, "/login?next="+req.URL.Path, http.StatusFound)
		return true
	case "basic":
		header.Set("WWW-Authenticate", `Basic realm="staging"`)
		http.Error(w, "unauthorized", http.StatusUnauthorized)
		return true
	case "csrf":
		http.Error(w, "CSRF verification failed", http.StatusForbidden)
		return true
	case "page":
		header.Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>app</title>")
		return true
	case "missing":
		http.NotFound(w, req)
		return true
	}
	return false
}

// handle has the effect of a verified event.
func (r *receiver) handle(req *http.Request, body []byte) int {
	var event map[string]any
	if json.Unmarshal(body, &event) != nil {
		return http.StatusBadRequest
	}
	id, ok := event[r.id].(string)
	if !ok {
		return http.StatusBadRequest
	}
	switch {
	case r.fault == "unknown-type" && strings.Contains(string(body), "hookctl.unknown"):
		return http.StatusNotFound
	case r.fault == "older" && r.older(event):
		return http.StatusInternalServerError
	}
	if _, err := os.Stat(r.broken); r.broken != "" && err == nil {
		if r.fault == "accepts-broken" {
			return http.StatusOK
		}
		return http.StatusServiceUnavailable
	}
	key := id
	if r.fault == "content-dedupe" {
		delete(event, r.id)
		text, _ := json.Marshal(event)
		key = string(text)
	}
	return r.once(req, key, id)
}

// once has an effect unless the key is known.
func (r *receiver) once(req *http.Request, key, id string) int {
	if r.fault == "race" || r.fault == "race-error" {
		r.mu.Lock()
		known := r.done[key]
		r.mu.Unlock()
		if known {
			return http.StatusOK
		}
		time.Sleep(2 * time.Millisecond)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.done[key]
	r.done[key] = true
	switch {
	case known && r.fault == "conflict":
		return http.StatusConflict
	case known && r.fault == "race-error":
		return http.StatusInternalServerError
	case known && r.fault != "no-dedupe" && r.fault != "race":
		return http.StatusOK
	}
	if r.fault == "forgets" { // recorded, but not done when the sender has left
		r.mu.Unlock()
		select {
		case <-req.Context().Done():
			r.mu.Lock()
			return http.StatusOK
		case <-time.After(80 * time.Millisecond):
		}
		r.mu.Lock()
	}
	if r.effects != "" {
		f, err := os.OpenFile(r.effects, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return http.StatusServiceUnavailable
		}
		defer f.Close()
		fmt.Fprintln(f, id)
	}
	return http.StatusOK
}

// older reports whether the event is older than the newest that came.
func (r *receiver) older(event map[string]any) bool {
	when, _ := event["updated_at"].(string)
	if data, ok := event["data"].(map[string]any); ok && when == "" {
		attributes, _ := data["attributes"].(map[string]any)
		when, _ = attributes["updatedAt"].(string)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if when == "" {
		return false
	}
	for newest := range r.done {
		if at, ok := strings.CutPrefix(newest, "updated "); ok && when < at {
			return true
		}
	}
	r.done["updated "+when] = true
	return false
}

// speakNothing accepts connections and does not speak HTTP on them.
func (r *receiver) speakNothing(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			buffer := make([]byte, 64<<10)
			c.Read(buffer)
			switch r.fault {
			case "garbage":
				fmt.Fprint(c, "220 mail.example.com ready\r\n")
			case "hang":
				c.Read(buffer) // until the sender leaves
			case "reset":
				c.(*net.TCPConn).SetLinger(0)
			}
		}()
	}
}

// expired speaks TLS with a certificate of last year.
func expired(l net.Listener) net.Listener {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotBefore: time.Now().AddDate(-1, 0, 0), NotAfter: time.Now().AddDate(0, 0, -1),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	return tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}})
}
