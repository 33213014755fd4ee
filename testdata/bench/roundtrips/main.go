// Roundtrips is a burst without rules: it posts a file to a URL over one
// http.Transport -first times, as a provider's first attempts, and -again times
// on a new connection each, as its later ones.
//
//	roundtrips [-c N] -first N -again N FILE URL
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
)

func main() {
	workers := flag.Int("c", 32, "how many at once")
	first := flag.Int("first", 0, "requests over kept connections")
	again := flag.Int("again", 0, "requests on a new connection each")
	flag.Parse()
	body, err := os.ReadFile(flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "roundtrips:", err)
		os.Exit(1)
	}
	kept := &http.Transport{MaxIdleConnsPerHost: *workers}
	var next, failed atomic.Int64
	var wait sync.WaitGroup
	for range *workers {
		wait.Go(func() {
			for n := next.Add(1); n <= int64(*first+*again); n = next.Add(1) {
				transport := kept
				if n > int64(*first) {
					transport = new(http.Transport)
				}
				if post(transport, flag.Arg(1), body) != nil {
					failed.Add(1)
				}
				if transport != kept {
					transport.CloseIdleConnections()
				}
			}
		})
	}
	wait.Wait()
	if n := failed.Load(); n > 0 {
		fmt.Fprintf(os.Stderr, "roundtrips: %d failed\n", n)
		os.Exit(1)
	}
}

func post(transport *http.Transport, url string, body []byte) error {
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}
