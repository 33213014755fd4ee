// A webhook receiver with the fault that FAULT names, to see whether a check
// finds it. The other variables: ../README.md. FAULT=none is right.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
)

const maxBody = 4 << 20

// A receiver is a right one but for its fault.
type receiver struct {
	secrets [][]byte
	header  string
	timed   bool // the scheme t-v1
	id      string
	effects string
	broken  string // while this file exists, the dependency is down
	fault   string

	mu   sync.Mutex
	done map[string]bool
	seen int // requests
	here int // of them those that are being handled
}

func main() {
	r := &receiver{
		header: os.Getenv("HEADER"), timed: os.Getenv("SCHEME") == "t-v1", id: os.Getenv("ID"), effects: os.Getenv("EFFECTS"),
		broken: os.Getenv("BROKEN"), fault: os.Getenv("FAULT"), done: map[string]bool{},
	}
	for line := range strings.SplitSeq(os.Getenv("SECRET"), "\n") {
		if line != "" {
			r.secrets = append(r.secrets, []byte(line))
		}
	}
	if len(r.secrets) == 0 || r.header == "" || !known(r.fault) {
		fmt.Fprintln(os.Stderr, "SECRET, HEADER and FAULT must be set; FAULT is one of", faults())
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
	go r.serve(l)
	<-stop
}

func known(fault string) bool {
	for _, f := range faults() {
		if f == fault {
			return true
		}
	}
	return false
}

// serve serves HTTP, or what the fault makes of it.
func (r *receiver) serve(l net.Listener) {
	switch r.fault {
	case "garbage", "close", "hang", "reset":
		r.speakNothing(l)
		return
	case "expired":
		l = expired(l)
	}
	(&http.Server{Handler: r, ConnContext: perConnection}).Serve(l)
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	defer r.leave()
	if r.loaded(w, req, r.enter()) || r.stands(w, req) {
		return
	}
	status, text := r.judge(w, req)
	if status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", "POST")
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(text)))
	w.WriteHeader(status)
	if req.Method != http.MethodHead {
		io.WriteString(w, text)
	}
}

// judge is the answer to a request: its status and its body.
func (r *receiver) judge(w http.ResponseWriter, req *http.Request) (int, string) {
	if req.Method != http.MethodPost && r.fault != "any-method" {
		return http.StatusMethodNotAllowed, ""
	}
	if req.ContentLength < 0 && r.fault == "needs-length" {
		return http.StatusLengthRequired, ""
	}
	most := int64(maxBody)
	if r.fault == "small-body" {
		most = 100 << 10
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, most))
	if err != nil {
		return http.StatusRequestEntityTooLarge, ""
	}
	if r.fault == "parse-first" && !isJSON(body) {
		return http.StatusBadRequest, ""
	}
	if status, text := r.verify(req, body); status != http.StatusOK {
		return status, text
	}
	if !isJSON(body) && r.fault == "parse-crash" {
		return http.StatusInternalServerError, ""
	}
	return r.handle(req, body), ""
}
