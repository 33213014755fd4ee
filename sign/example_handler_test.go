package sign_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// An endpoint judges the body as it came, before anything reads it as JSON.
func ExampleVerify_handler() {
	entry, err := profiles.Builtin().Get("stripe")
	if err != nil {
		fmt.Println(err)
		return
	}
	stripe := entry.Profile
	key, err := sign.NewKey(stripe, "whsec_of-this-endpoint")
	if err != nil {
		fmt.Println(err)
		return
	}
	endpoint := func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, 1<<20))
		if err != nil {
			http.Error(w, "the body is too large", http.StatusRequestEntityTooLarge)
			return
		}
		received := sign.Received{Body: body}
		for name, values := range req.Header {
			for _, value := range values {
				received.Header = append(received.Header, sign.Header{Name: name, Value: value})
			}
		}
		result := sign.Verify(stripe, received, time.Now(), key)
		if !result.Verified {
			http.Error(w, string(result.Reason), http.StatusUnauthorized)
			return
		}
		fmt.Fprintln(w, "received", result.Event.Type, result.Event.ID)
	}

	// What the provider sends, and the same with another amount.
	body := `{"id":"evt_1","type":"invoice.paid","amount":12}`
	values := sign.Values{ID: "evt_1", Type: "invoice.paid", Time: time.Now()}
	signatures, err := sign.Signatures(stripe, values, strings.NewReader(body), key)
	if err != nil {
		fmt.Println(err)
		return
	}
	headers, err := sign.Headers(stripe, values, signatures)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, sent := range []string{body, strings.Replace(body, "12", "99", 1)} {
		req := httptest.NewRequest("POST", "/hooks", strings.NewReader(sent))
		for _, h := range headers {
			req.Header.Add(h.Name, h.Value)
		}
		answer := httptest.NewRecorder()
		endpoint(answer, req)
		fmt.Print(answer.Code, " ", answer.Body)
	}
	// Output:
	// 200 received invoice.paid evt_1
	// 401 no matching signature
}
