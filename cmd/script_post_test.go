package cmd_test

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// post posts a body with one header and wants a status:
// post STATUS URL 'NAME: VALUE' BODY.
func post(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: post STATUS URL 'NAME: VALUE' BODY")
	}
	req, err := http.NewRequest(http.MethodPost, args[1], strings.NewReader(args[3]))
	ts.Check(err)
	name, value, _ := strings.Cut(args[2], ": ")
	req.Header[name] = []string{value}
	res, err := http.DefaultClient.Do(req)
	ts.Check(err)
	res.Body.Close()
	if got := strconv.Itoa(res.StatusCode); got != args[0] {
		ts.Fatalf("answered %s, want %s", got, args[0])
	}
}

// capture puts the last output, without its line end, into a variable:
// capture VARIABLE.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: capture VARIABLE")
	}
	ts.Setenv(args[0], strings.TrimSuffix(ts.ReadFile("stdout"), "\n"))
}
