// App is an application behind a receiver: it reads the body and answers 200, or
// another status.
//
//	app -addr HOST:PORT [-status N]
package main

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "address to listen on")
	status := flag.Int("status", http.StatusOK, "the status of each answer")
	flag.Parse()
	fmt.Fprintln(os.Stderr, http.ListenAndServe(*addr, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		io.Copy(io.Discard, req.Body)
		w.WriteHeader(*status)
		io.WriteString(w, "{\"ok\":true}\n")
	})))
	os.Exit(1)
}
