//go:build !windows

package cmd_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/listen/record"
)

// listening starts hookctl listen on any port and returns its URL.
func listening(t *testing.T, args ...string) (*process, string) {
	t.Helper()
	ready := filepath.Join(t.TempDir(), "ready")
	p := start(t, append([]string{"listen", "--addr", "127.0.0.1:0", "-q", "--ready-file", ready}, args...)...)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); <-tick.C {
		if b, err := os.ReadFile(ready); err == nil && len(b) > 0 {
			return p, strings.TrimSpace(string(b))
		}
	}
	t.Fatal("listen is not ready")
	return nil, ""
}

// kill kills the process, as nothing can be caught.
func (p *process) kill() {
	_ = p.Process.Kill()
	_ = p.Wait()
}

// sender posts events; it has connections of its own.
func sender() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}, Timeout: 30 * time.Second}
}

// deliver posts an event with that id and reports whether it was answered 2xx.
func deliver(c *http.Client, url, id string) bool {
	body := `{"event_id":"` + id + `","event_type":"a.b","data":{}}`
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return false
	}
	req.Header["X-Kudos-Event-Id"] = []string{id}
	res, err := c.Do(req)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, res.Body)
	res.Body.Close()
	return err == nil && res.StatusCode/100 == 2
}

// kept reads a record. All but torn lines must be documents; end is where each
// line of a request ends.
func kept(t *testing.T, path string) (requests []listen.Request, end []int64, torn int) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var ends []int64 // of all lines
	for i, c := range b {
		if c == '\n' {
			ends = append(ends, int64(i+1))
		}
	}
	ends = append(ends, int64(len(b)))
	documents, skipped := record.Read(bytes.NewReader(b), path)
	for d, err := range documents {
		if err != nil {
			t.Fatal(err)
		}
		requests, end = append(requests, *d.Request), append(end, ends[d.Line-1])
	}
	return requests, end, skipped()
}

func TestWhatWasAnsweredIsRecordedWheneverListenIsKilled(t *testing.T) {
	const senders, seed = 4, 11
	kills := 50
	if testing.Short() {
		kills = 10
	}
	dice := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "r")
	c := sender()
	answered := make(map[string]bool)
	var mu sync.Mutex
	for round := range kills {
		p, url := listening(t, "--record", path, "--fsync", "-p", "kudos")
		after := 1 + dice.IntN(40)
		var all sync.WaitGroup
		for s := range senders {
			all.Go(func() {
				for n := 0; ; n++ {
					id := fmt.Sprintf("evt_%d_%d_%d", round, s, n)
					if !deliver(c, url, id) {
						return
					}
					mu.Lock()
					answered[id] = true
					if after--; after == 0 {
						_ = p.Process.Signal(syscall.SIGKILL)
					}
					mu.Unlock()
				}
			})
		}
		all.Wait()
		p.kill()
	}
	requests, _, torn := kept(t, path)
	if torn > kills {
		t.Errorf("%d torn lines after %d kills", torn, kills)
	}
	numbers := map[int]bool{}
	for _, q := range requests {
		delete(answered, q.Event.ID)
		if numbers[q.Number] {
			t.Errorf("request %d is there twice", q.Number)
		}
		numbers[q.Number] = true
	}
	if len(answered) > 0 {
		t.Errorf("%d requests were answered 2xx and are not in the record", len(answered))
	}
	t.Logf("%d requests recorded, %d torn lines, seed %d", len(requests), torn, seed)
}

// An application counts how often each event had its effect.
type application struct {
	mu      sync.Mutex
	effects map[string]int
	tries   map[string]int
	total   int
	done    func(total int) // after each effect
}

// ServeHTTP fails each fifth event once: that one has no effect then.
func (a *application) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	id := req.Header.Get("X-Kudos-Event-Id")
	a.mu.Lock()
	a.tries[id]++
	fails := a.tries[id] == 1 && strings.HasSuffix(id, "5")
	if !fails {
		a.effects[id]++
		a.total++
	}
	total := a.total
	a.mu.Unlock()
	if fails {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusNoContent)
	a.done(total)
}

func TestNoEventIsLostOrHandledTwice(t *testing.T) {
	for _, test := range []struct {
		name          string
		events, kills int
	}{{"with kills", 1000, 12}, {"without kills", 200, 0}} {
		t.Run(test.name, func(t *testing.T) { handled(t, test.events, test.kills) })
	}
}

// handled sends events, each from up to five senders at once, and kills listen
// now and then.
func handled(t *testing.T, events, kills int) {
	const senders, seed = 15, 12
	dice := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "r")
	app := &application{effects: map[string]int{}, tries: map[string]int{}}
	killAt := map[int]bool{}
	for range kills {
		killAt[dice.IntN(events-50)+25] = true
	}
	var running atomic.Pointer[process]
	app.done = func(total int) {
		if killAt[total] {
			_ = running.Load().Process.Signal(syscall.SIGKILL)
		}
	}
	server := httptest.NewServer(app)
	defer server.Close()

	var url atomic.Pointer[string]
	run := func() {
		p, at := listening(t, "-p", "kudos", "--dedupe", "--forward-to", server.URL, "--record", path, "--fsync")
		running.Store(p)
		url.Store(&at)
	}
	run()
	var stopped atomic.Bool
	var keeper sync.WaitGroup
	keeper.Go(func() { // starts it again whenever it was killed
		for {
			_ = running.Load().Wait()
			if stopped.Load() {
				return
			}
			run()
			if stopped.Load() {
				running.Load().kill()
				return
			}
		}
	})

	sizes := make([]int64, events) // of the record when an event's first 2xx came
	jobs := make(chan int)
	var all sync.WaitGroup
	var mu sync.Mutex
	c := sender()
	for range senders {
		all.Go(func() {
			for e := range jobs {
				for !t.Failed() && !deliver(c, *url.Load(), fmt.Sprintf("evt_%d", e)) {
				}
				info, err := os.Stat(path)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				if sizes[e] == 0 || info.Size() < sizes[e] {
					sizes[e] = info.Size()
				}
				mu.Unlock()
			}
		})
	}
	for e := range events {
		for range 1 + e%5 {
			jobs <- e
		}
	}
	close(jobs)
	all.Wait()
	stopped.Store(true)
	_ = running.Load().Process.Signal(syscall.SIGKILL)
	keeper.Wait()

	requests, end, torn := kept(t, path)
	successes := map[string]int{}
	first := map[string]int64{}
	for i, q := range requests {
		if q.Answer.By == listen.ByForward && q.Answer.Status/100 == 2 {
			if successes[q.Event.ID]++; successes[q.Event.ID] == 1 {
				first[q.Event.ID] = end[i]
			}
		}
	}
	twice := 0
	for e := range events {
		id := fmt.Sprintf("evt_%d", e)
		if successes[id] != 1 {
			t.Errorf("%s: %d successes of the application are recorded", id, successes[id])
		}
		if first[id] > sizes[e] {
			t.Errorf("%s: answered 2xx at %d bytes, but recorded at %d", id, sizes[e], first[id])
		}
		twice += app.effects[id] - 1
	}
	if most := len(killAt) * senders; twice > most {
		t.Errorf("%d effects too many, after %d kills of %d requests in flight", twice, len(killAt), senders)
	}
	if torn > len(killAt)+1 {
		t.Errorf("%d torn lines after %d kills", torn, len(killAt))
	}
	t.Logf("%d events, %d kills: %d handled twice, %d torn lines, seed %d", events, len(killAt), twice, torn, seed)
}
