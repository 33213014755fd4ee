//go:build !windows

package cmd_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/hookctl/hookctl/listen"
)

// listenAt starts listen with more flags and returns it with its address.
func listenAt(t *testing.T, args ...string) (*process, string) {
	t.Helper()
	p := start(t, append([]string{"listen", "--addr", "127.0.0.1:0", "--json"}, args...)...)
	line, err := p.stdout.ReadString('\n')
	var ready struct{ URL string }
	if err == nil {
		err = json.Unmarshal([]byte(line), &ready)
	}
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return p, strings.TrimSuffix(strings.TrimPrefix(ready.URL, "http://"), "/")
}

const oneRequest = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}"

func TestASignalAtAnyMomentLeavesWholeRecordsAndASummary(t *testing.T) {
	for i := range 12 {
		signal, want := syscall.SIGINT, 130
		if i%2 == 1 {
			signal, want = syscall.SIGTERM, 143
		}
		record := filepath.Join(t.TempDir(), "record.jsonl")
		p, address := listenAt(t, "--record", record)
		for n := range 4 {
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			go func() {
				text := strings.Repeat(oneRequest, 200)
				_, _ = io.WriteString(c, text[:len(text)-n]) // some end in half a request
				_, _ = io.Copy(io.Discard, c)
			}()
		}
		for range i * 20 { // so many requests later
			if _, err := p.stdout.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		if code, _ := p.end(t, signal); code != want {
			t.Errorf("%v after %d requests: exit code %d, want %d", signal, i*20, code, want)
		}
		if !regexp.MustCompile(`(?m)^[0-9]+ requests? in `).MatchString(p.stderr.String()) {
			t.Errorf("%v after %d requests: no summary: %s", signal, i*20, &p.stderr)
		}
		data, err := os.ReadFile(record)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			if !json.Valid(line) || line[len(line)-1] != '\n' {
				t.Errorf("%v after %d requests: a record is not whole: %q", signal, i*20, line)
			}
		}
	}
}

func TestASecondSignalEndsListenAtOnce(t *testing.T) {
	for signal, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		p, address := listenAt(t, "--respond", "200:delay=1h")
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, oneRequest+oneRequest); err != nil {
			t.Fatal(err)
		}
		if err := p.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		for { // the first has been taken: nobody is let in any more
			other, err := net.Dial("tcp", address)
			if err != nil {
				break
			}
			other.Close()
		}
		if code, _ := p.end(t, signal); code != want {
			t.Errorf("%v: exit code %d, want %d", signal, code, want)
		}
	}
}

func TestListenWithoutAReaderAnswersAndRecordsWhatIsInFlight(t *testing.T) {
	const inFlight = 5
	came, release := make(chan string, inFlight+1), make(chan struct{})
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if came <- req.URL.Path; req.URL.Path != "/last" {
			<-release
		}
		w.WriteHeader(http.StatusAccepted)
	}))
	defer app.Close()
	path := filepath.Join(t.TempDir(), "record.jsonl")
	p, address := listenAt(t, "--record", path, "--forward-to", app.URL)
	answers := make(chan int, inFlight+1)
	post := func(target string) {
		res, err := http.Post("http://"+address+target, "text/plain", strings.NewReader("x"))
		if err != nil {
			t.Errorf("%s: %v", target, err)
			answers <- 0
			return
		}
		res.Body.Close()
		answers <- res.StatusCode
	}
	for range inFlight {
		go post("/")
		<-came
	}
	if err := p.pipe.Close(); err != nil { // the reader leaves
		t.Fatal(err)
	}
	post("/last") // which cannot be shown
	for {         // until nobody is let in any more
		c, err := net.Dial("tcp", address)
		if err != nil {
			break
		}
		c.Close()
	}
	close(release)
	for range inFlight + 1 {
		if got := <-answers; got != http.StatusAccepted {
			t.Errorf("answered %d", got)
		}
	}
	_ = p.Wait()
	if code := p.ProcessState.ExitCode(); code != 3 || strings.Contains(p.stderr.String(), "error") {
		t.Errorf("exit code %d, stderr %q; want 3 and no error", code, &p.stderr)
	}
	requests, _, torn := kept(t, path)
	for _, q := range requests {
		if q.Answer != (listen.Answer{Status: http.StatusAccepted, By: listen.ByForward}) {
			t.Errorf("request %d is recorded with %+v", q.Number, q.Answer)
		}
	}
	if len(requests) != inFlight+1 || torn != 0 {
		t.Errorf("%d requests and %d torn lines are recorded, want %d and 0", len(requests), torn, inFlight+1)
	}
}
