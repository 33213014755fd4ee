package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func isJSON(body []byte) bool { return json.Valid(body) }

// verify checks the signature: 200, or the refusal.
func (r *receiver) verify(req *http.Request, body []byte) (int, string) {
	lines := req.Header.Values(r.header)
	value := strings.Join(lines, ",")
	if r.fault == "no-header" && value == "" {
		return http.StatusOK, ""
	}
	if r.fault == "log-only" {
		return http.StatusOK, ""
	}
	if len(lines) != 1 || value == "" {
		return http.StatusUnauthorized, ""
	}
	t, digests := "", []string{value}
	if r.timed {
		var ok bool
		if t, digests, ok = r.items(value); !ok {
			return http.StatusUnauthorized, ""
		}
	}
	if r.fault == "any-signature" {
		return http.StatusOK, ""
	}
	signed := r.rewritten(body)
	found, expected := r.matches(digests, t, signed)
	if r.fault == "crash" || r.fault == "throws" {
		for _, d := range digests {
			if len(d) != 2*sha256.Size {
				if r.fault == "crash" {
					os.Exit(1)
				}
				return http.StatusInternalServerError, "lengths differ"
			}
		}
	}
	switch {
	case !found && r.fault == "leak":
		return http.StatusUnauthorized, "expected " + expected
	case !found && r.fault == "trace":
		return http.StatusUnauthorized, "Error: signature\n    at verify (/app/src/hooks.js:12:9)\n"
	case !found && r.fault == "gone":
		return http.StatusGone, ""
	case !found:
		return http.StatusUnauthorized, ""
	case r.timed && !r.inTime(t):
		return http.StatusUnauthorized, ""
	}
	return http.StatusOK, ""
}

// items are the time and the digests of a header.
func (r *receiver) items(value string) (t string, digests []string, ok bool) {
	times := 0
	items := strings.Split(value, ",")
	for i, item := range items {
		if rest, found := strings.CutPrefix(item, "t="); found {
			t = rest
			times++
			if r.fault == "fixed-order" && i != 0 {
				return "", nil, false
			}
		}
		if rest, found := strings.CutPrefix(item, "v1="); found {
			digests = append(digests, rest)
		} else if rest, found := strings.CutPrefix(item, "v0="); found && r.fault == "older-scheme" {
			digests = append(digests, rest)
		} else if r.fault == "known-items" && !strings.HasPrefix(item, "t=") {
			return "", nil, false
		}
	}
	switch {
	case r.fault == "first" && len(digests) > 1:
		digests = digests[:1]
	case r.fault == "last" && len(digests) > 1:
		digests = digests[len(digests)-1:]
	}
	n, err := strconv.ParseInt(t, 10, 64)
	strict := err == nil && n >= 0 && strconv.FormatInt(n, 10) == t
	return t, digests, times == 1 && (strict || r.fault == "no-clock" || r.fault == "loose-clock")
}

func (r *receiver) inTime(t string) bool {
	n, err := strconv.ParseInt(t, 10, 64)
	age := time.Now().Unix() - n
	switch r.fault {
	case "no-clock":
		return true
	case "no-future":
		return age <= 300
	case "loose-clock": // what is no number compares with nothing
		return err != nil || age <= 300 && age >= -300
	}
	return age <= 300 && age >= -300
}

// matches tells whether a digest is right, and which would be.
func (r *receiver) matches(digests []string, t string, body []byte) (found bool, expected string) {
	secrets := r.secrets
	switch r.fault {
	case "empty-secret":
		secrets = append(secrets, nil)
	case "placeholder":
		secrets = append(secrets, []byte("changeme"))
	case "one-secret":
		secrets = secrets[:1]
	}
	signed := body
	if r.timed {
		signed = append([]byte(t+"."), body...)
	}
	sum := func(h func() hash.Hash, secret []byte) string {
		m := hmac.New(h, secret)
		m.Write(signed)
		return hex.EncodeToString(m.Sum(nil))
	}
	for _, secret := range secrets {
		expected = sum(sha256.New, secret)
		for _, d := range digests {
			if r.fault == "older-scheme" {
				d = strings.TrimPrefix(d, "v0=")
			}
			found = found || hmac.Equal([]byte(d), []byte(expected))
			found = found || r.fault == "prefix" && len(d) == len(expected) && d[:16] == expected[:16]
			found = found || r.fault == "sha1" && d == sum(sha1.New, secret)
		}
	}
	return found, expected
}

// rewritten is the body, parsed and written again.
func (r *receiver) rewritten(body []byte) []byte {
	var again []byte
	var err error
	switch r.fault {
	case "rewrite-any":
		var v any
		if err = json.Unmarshal(body, &v); err == nil {
			again, err = json.Marshal(v)
		}
	case "rewrite-raw":
		var v json.RawMessage
		if err = json.Unmarshal(body, &v); err == nil {
			again, err = json.Marshal(map[string]json.RawMessage{"a": v})
			again = bytes.TrimSuffix(bytes.TrimPrefix(again, []byte(`{"a":`)), []byte("}"))
		}
	default:
		return body
	}
	if err != nil {
		return body
	}
	return again
}
