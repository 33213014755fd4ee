// A small webhook receiver. What the variables mean: ../README.md.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	maxBody = 4 << 20
	window  = 300 * time.Second // both ways
)

type receiver struct {
	secrets [][]byte
	header  string
	verify  func(r *receiver, header string, body []byte) bool
	id      string     // the member that is the event's id; "": events are not looked at
	effects string     // a file with the id of each event that had its effect; "": none
	out     sync.Mutex // one line at a time
	work    sync.Mutex // one event at a time
	done    map[string]bool
}

func main() {
	r, err := fromEnvironment()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	stop := make(chan os.Signal, 2)
	signal.Notify(stop, syscall.SIGTERM)
	go func() {
		io.Copy(io.Discard, os.Stdin)
		stop <- syscall.SIGTERM
	}()
	fmt.Println("listening", l.Addr().(*net.TCPAddr).Port)
	go http.Serve(l, r)
	<-stop
}

func fromEnvironment() (*receiver, error) {
	r := &receiver{header: os.Getenv("HEADER"), id: os.Getenv("ID"), effects: os.Getenv("EFFECTS"), done: map[string]bool{}}
	for line := range strings.SplitSeq(os.Getenv("SECRET"), "\n") {
		if line != "" {
			r.secrets = append(r.secrets, []byte(line))
		}
	}
	switch os.Getenv("SCHEME") {
	case "t-v1":
		r.verify = (*receiver).verifyTimed
	case "hex":
		r.verify = (*receiver).verifyHex
	}
	if len(r.secrets) < 1 || len(r.secrets) > 2 || r.verify == nil || r.header == "" {
		return nil, errors.New("SECRET (one or two lines), SCHEME (t-v1 or hex) and HEADER must be set")
	}
	return r, nil
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	status := r.judge(w, req)
	if status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", "POST")
	}
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(status)
	r.out.Lock()
	defer r.out.Unlock()
	path, _, _ := strings.Cut(req.RequestURI, "?")
	fmt.Println(req.Method, path, status)
}

func (r *receiver) judge(w http.ResponseWriter, req *http.Request) int {
	if req.Method != http.MethodPost {
		return http.StatusMethodNotAllowed
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return http.StatusRequestEntityTooLarge
	case err != nil:
		return http.StatusBadRequest
	}
	lines := req.Header.Values(r.header)
	if len(lines) != 1 || !r.verify(r, lines[0], body) {
		return http.StatusUnauthorized
	}
	if r.id == "" {
		return http.StatusOK
	}
	return r.handle(body)
}

// handle has an event's effect once. A repeated event is accepted again.
func (r *receiver) handle(body []byte) int {
	var event map[string]any
	if json.Unmarshal(body, &event) != nil {
		return http.StatusBadRequest
	}
	id, ok := event[r.id].(string)
	if !ok {
		return http.StatusBadRequest
	}
	r.work.Lock()
	defer r.work.Unlock()
	if r.done[id] {
		return http.StatusOK
	}
	if err := r.effect(id); err != nil {
		return http.StatusServiceUnavailable // it comes again
	}
	r.done[id] = true
	return http.StatusOK
}

func (r *receiver) effect(id string) error {
	if r.effects == "" {
		return nil
	}
	f, err := os.OpenFile(r.effects, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, id)
	return errors.Join(err, f.Close())
}

func (r *receiver) verifyHex(header string, body []byte) bool {
	return r.matches(header, body)
}

func (r *receiver) verifyTimed(header string, body []byte) bool {
	var times []string
	var digests []string
	for item := range strings.SplitSeq(header, ",") {
		if t, ok := strings.CutPrefix(item, "t="); ok {
			times = append(times, t)
		}
		if v, ok := strings.CutPrefix(item, "v1="); ok {
			digests = append(digests, v)
		}
	}
	if len(times) != 1 {
		return false
	}
	t, err := strconv.ParseInt(times[0], 10, 64)
	if err != nil || t < 0 || strconv.FormatInt(t, 10) != times[0] {
		return false
	}
	found := false
	for _, digest := range digests {
		if r.matches(digest, []byte(times[0]), []byte("."), body) {
			found = true
		}
	}
	age := time.Now().Unix() - t
	return found && age <= int64(window/time.Second) && -age <= int64(window/time.Second)
}

// matches says whether value is the signature of the parts under any secret.
func (r *receiver) matches(value string, parts ...[]byte) bool {
	found := false
	for _, secret := range r.secrets {
		mac := hmac.New(sha256.New, secret)
		for _, part := range parts {
			mac.Write(part)
		}
		want := hex.EncodeToString(mac.Sum(nil))
		if hmac.Equal([]byte(want), []byte(value)) {
			found = true
		}
	}
	return found
}
