package listen

import (
	"net/http"
	"strings"

	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// hopByHop reports whether a header is for one connection only, by its
// canonical name.
func hopByHop(name string) bool {
	switch name {
	case "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection",
		"Te", "Trailer", "Transfer-Encoding", "Upgrade":
		return true
	}
	return false
}

// connectionNames are the headers that Connection names as hop-by-hop.
func connectionNames(values []string) map[string]bool {
	var names map[string]bool
	for _, v := range values {
		for name := range strings.SplitSeq(v, ",") {
			if name = http.CanonicalHeaderKey(strings.TrimSpace(name)); name != "" {
				if names == nil {
					names = make(map[string]bool)
				}
				names[name] = true
			}
		}
	}
	return names
}

// request is the request for the application: its header is what was received,
// spelled as received, without what was for this connection only. Expect was met
// here.
func (f *forwarder) request(q *Request) *send.Request {
	header := make([]sign.Header, 0, len(q.Header)+1)
	dropped := connectionNames(sign.All(q.Header, "Connection"))
	for _, l := range q.Header {
		switch c := http.CanonicalHeaderKey(l.Name); {
		case hopByHop(c), dropped[c], c == "Host", c == "Expect":
		case c == "Authorization" && f.basic != "":
		case c == "User-Agent":
			header = append(header, sign.Header{Name: c, Value: l.Value})
		default:
			header = append(header, l)
		}
	}
	if f.basic != "" {
		header = append(header, sign.Header{Name: "Authorization", Value: f.basic})
	}
	return send.NewRequest(q.Method, f.path(q.Target), f.host, header, q.Body)
}

// answerHeader puts the application's header into h: spelled as on the wire,
// without what was for that connection only. Nothing is added to it.
func answerHeader(h http.Header, head []byte, canonical http.Header) {
	h["Content-Type"], h["Date"] = nil, nil
	_, list := send.ParseHead(head)
	dropped := connectionNames(sign.All(list, "Connection"))
	for _, l := range list {
		c := http.CanonicalHeaderKey(l.Name)
		if hopByHop(c) || dropped[c] || c == "Content-Length" {
			continue
		}
		name := spelled(l.Name)
		h[name] = append(h[name], l.Value)
	}
	if length := canonical["Content-Length"]; len(length) > 0 {
		h["Content-Length"] = length[:1]
	}
}
