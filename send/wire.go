package send

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hookctl/hookctl/sign"
)

// NewRequest is a request for a host: the header lines that it takes, in the
// order in which net/http writes them. Host, User-Agent and the length come first,
// then the others by their names; lines of one name keep their order. A body that
// is empty has a length where its method asks for one.
func NewRequest(method, target, host string, header []sign.Header, body []byte) *Request {
	lines := make([]sign.Header, 1, len(header)+2)
	lines[0] = sign.Header{Name: "Host", Value: host}
	for _, h := range header {
		switch {
		case sign.SameName(h.Name, "Host"):
			lines[0].Value = h.Value
		case h.Name == "User-Agent" && h.Value != "":
			lines = append(lines, h)
		}
	}
	if len(body) > 0 || method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch {
		lines = append(lines, sign.Header{Name: "Content-Length", Value: strconv.Itoa(len(body))})
	}
	first := len(lines)
	for _, h := range header {
		if h.Name != "User-Agent" && !sign.SameName(h.Name, "Host") && !sign.SameName(h.Name, "Content-Length") {
			lines = append(lines, sign.Header{Name: h.Name, Value: trimmed(h.Value)})
		}
	}
	slices.SortStableFunc(lines[first:], func(a, b sign.Header) int { return strings.Compare(a.Name, b.Name) })
	return &Request{Method: method, Target: target, Header: lines}
}

// appendTo adds the head of the request, as it stands on the wire.
func (r *Request) appendTo(dst []byte) []byte {
	dst = append(append(append(append(dst, r.Method...), ' '), r.Target...), " HTTP/1.1\r\n"...)
	for _, h := range r.Header {
		dst = append(append(append(append(dst, h.Name...), ": "...), h.Value...), "\r\n"...)
	}
	return append(dst, "\r\n"...)
}
