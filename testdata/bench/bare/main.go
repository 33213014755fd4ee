// Bare is the receiver that somebody writes by hand: net/http, a pooled buffer
// for the body, a pooled HMAC-SHA256 over "t.body", 200 or 401, and nothing
// else. With -to it passes what it has verified on to that URL over one
// http.Transport.
//
//	bare -addr HOST:PORT -header NAME [-to URL]
//
// The secret is in BENCH_SECRET; the header reads t=TIME,v1=HEX.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "address to listen on")
	header := flag.String("header", "", "name of the signature header")
	to := flag.String("to", "", "URL of the application")
	flag.Parse()
	r := &receiver{header: *header, to: *to, transport: &http.Transport{MaxIdleConnsPerHost: 256}}
	r.bodies.New = func() any { return new(bytes.Buffer) }
	r.hashes.New = func() any { return hmac.New(sha256.New, []byte(os.Getenv("BENCH_SECRET"))) }
	fmt.Fprintln(os.Stderr, http.ListenAndServe(*addr, r))
	os.Exit(1)
}

type receiver struct {
	header, to     string
	bodies, hashes sync.Pool
	transport      *http.Transport
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body := r.bodies.Get().(*bytes.Buffer)
	defer r.bodies.Put(body)
	body.Reset()
	if _, err := body.ReadFrom(http.MaxBytesReader(w, req.Body, 10<<20)); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	t, digest, _ := strings.Cut(strings.TrimPrefix(req.Header.Get(r.header), "t="), ",v1=")
	if !r.made(t, digest, body.Bytes()) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if r.to != "" {
		r.pass(w, req, body.Bytes())
	}
}

func (r *receiver) made(t, digest string, body []byte) bool {
	h := r.hashes.Get().(hash.Hash)
	defer r.hashes.Put(h)
	h.Reset()
	io.WriteString(h, t)
	h.Write([]byte{'.'})
	h.Write(body)
	var sum [sha256.Size]byte
	got, err := hex.DecodeString(digest)
	return err == nil && hmac.Equal(h.Sum(sum[:0]), got)
}

func (r *receiver) pass(w http.ResponseWriter, req *http.Request, body []byte) {
	out, err := http.NewRequestWithContext(req.Context(), req.Method, r.to, bytes.NewReader(body))
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	out.Header = req.Header
	answer, err := r.transport.RoundTrip(out)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	for name, values := range answer.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.StatusCode)
	io.Copy(w, answer.Body)
}
