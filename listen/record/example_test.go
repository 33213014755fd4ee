package record_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/listen/record"
)

// A Receiver that answers a request only once it is in the file.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "record")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	w, err := record.Open(filepath.Join(dir, "hooks.ndjson"), false)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()

	receiver := &listen.Receiver{Record: w.Request}
	for _, path := range []string{"/a", "/b"} {
		answer := httptest.NewRecorder()
		receiver.ServeHTTP(answer, httptest.NewRequest("POST", path, strings.NewReader(`{}`)))
		fmt.Println(answer.Code)
	}
	fmt.Println(w.Last())
	// Output:
	// 200
	// 200
	// 2 <nil>
}

// A line of another program is skipped; a document that does not say what it
// must is an error in its place.
func ExampleRead() {
	const file = `{"schema":"hookctl.request/1","number":1,"at":"2026-01-02T10:03:03Z","method":"POST","target":"/hooks","headers":[],"body_base64":"e30="}
a line of another program
{"schema":"hookctl.request/1","number":2}
`
	documents, skipped := record.Read(strings.NewReader(file), "hooks.ndjson")
	for d, err := range documents {
		switch {
		case err != nil:
			fmt.Println(err)
		case d.Request != nil:
			fmt.Println(d.Line, d.Request.Method, d.Request.Target, string(d.Request.Body))
		}
	}
	fmt.Println("skipped:", skipped())
	// Output:
	// 1 POST /hooks {}
	// hooks.ndjson:3: at: it is not an RFC 3339 time
	// skipped: 1
}
