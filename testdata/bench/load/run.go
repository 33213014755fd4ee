package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// requests are the signed requests as they stand on the wire.
func (o options) requests() ([][]byte, error) {
	entry, err := profiles.Builtin().Get(o.profile)
	if err != nil {
		return nil, err
	}
	key, err := sign.NewKey(entry.Profile, os.Getenv("BENCH_SECRET"))
	if err != nil {
		return nil, err
	}
	all := make([][]byte, o.events)
	for i := range all {
		v := sign.Values{ID: fmt.Sprintf("evt_%016x", i), Type: "payment.succeeded", Time: time.Now(), Attempt: 1, FirstSent: time.Now()}
		body := fmt.Sprintf(`{"event_id":"%s","event_type":"%s","data":{"lines":[`, v.ID, v.Type)
		const line = `{"sku":"A-17","amount":1200,"currency":"EUR"},`
		body += strings.Repeat(line, max(0, (o.size-len(body)-40)/len(line))) + `{}],"note":"`
		body += strings.Repeat("x", max(0, o.size-len(body)-3)) + `"}}`
		signatures, err := sign.Signatures(entry.Profile, v, strings.NewReader(body), key)
		if err != nil {
			return nil, err
		}
		header, err := sign.Headers(entry.Profile, v, signatures)
		if err != nil {
			return nil, err
		}
		text := "POST /hooks HTTP/1.1\r\nHost: localhost\r\nUser-Agent: load\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n"
		for _, h := range header {
			text += h.Name + ": " + h.Value + "\r\n"
		}
		all[i] = []byte(text + "\r\n" + body)
	}
	return all, nil
}

// figures are what one round gave.
type figures struct {
	requests int
	rate     float64 // requests a second
	p99      float64 // milliseconds
	spent    float64 // microseconds of the processor for a request
}

// run loads a receiver for a time.
func run(addr string, requests [][]byte, conns int, each time.Duration) (figures, error) {
	var wait sync.WaitGroup
	took := make([][]time.Duration, conns)
	failed := make([]error, conns)
	start := time.Now()
	for i := range conns {
		wait.Go(func() { took[i], failed[i] = talk(addr, requests, i, start.Add(each)) })
	}
	wait.Wait()
	elapsed := time.Since(start)
	if err := errors.Join(failed...); err != nil {
		return figures{}, err
	}
	all := slices.Sorted(slices.Values(slices.Concat(took...)))
	if len(all) == 0 {
		return figures{}, fmt.Errorf("nothing was answered in %v", each)
	}
	return figures{
		requests: len(all),
		rate:     float64(len(all)) / elapsed.Seconds(),
		p99:      float64(all[len(all)*99/100]) / float64(time.Millisecond),
	}, nil
}

// talk sends one request after the other on a connection and wants a 200 for
// each.
func talk(addr string, requests [][]byte, from int, until time.Time) ([]time.Duration, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	r := bufio.NewReader(c)
	var took []time.Duration
	for n := from; ; n++ {
		begin := time.Now()
		if begin.After(until) {
			return took, nil
		}
		if _, err := c.Write(requests[n%len(requests)]); err != nil {
			return nil, err
		}
		if err := answer(r); err != nil {
			return nil, err
		}
		took = append(took, time.Since(begin))
	}
}

// answer reads one answer, whose length is announced.
func answer(r *bufio.Reader) error {
	length := 0
	for first := true; ; first = false {
		line, err := r.ReadSlice('\n')
		switch {
		case err != nil:
			return err
		case first && !strings.HasPrefix(string(line), "HTTP/1.1 200 "):
			return fmt.Errorf("answered %q", line)
		case len(line) <= 2:
			_, err := r.Discard(length)
			return err
		}
		if name, value, ok := strings.Cut(string(line), ":"); ok && strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return err
			}
		}
	}
}
