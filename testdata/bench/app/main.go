// App is an application behind a receiver: it reads the body and answers 200.
//
//	app -addr HOST:PORT
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
	flag.Parse()
	fmt.Fprintln(os.Stderr, http.ListenAndServe(*addr, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		io.Copy(io.Discard, req.Body)
		io.WriteString(w, "{\"ok\":true}\n")
	})))
	os.Exit(1)
}
