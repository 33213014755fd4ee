package listen

import (
	"net/http"
	"net/url"
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

// forwardHeader is the header for the application: what was received, spelled
// as received, without what was for this connection only. net/http writes Host
// and the length of the body; Expect was met here.
func forwardHeader(received []sign.Header, user *url.Userinfo) http.Header {
	h := make(http.Header, len(received))
	h["User-Agent"] = []string{""} // none of net/http's own
	dropped := connectionNames(sign.All(received, "Connection"))
	for _, l := range received {
		switch c := http.CanonicalHeaderKey(l.Name); {
		case hopByHop(c), dropped[c], c == "Host", c == "Content-Length", c == "Expect":
		case c == "User-Agent":
			h[c] = []string{l.Value} // net/http writes one, and that name as it is
		case c == "Authorization" && user != nil:
		default:
			h[l.Name] = append(h[l.Name], l.Value)
		}
	}
	if user != nil {
		password, _ := user.Password()
		basic := http.Request{Header: make(http.Header)}
		basic.SetBasicAuth(user.Username(), password)
		h["Authorization"] = basic.Header["Authorization"]
	}
	return h
}

// answerHeader puts the application's header into h: spelled as on the wire,
// where that is known, without what was for that connection only. Nothing is
// added to it.
func answerHeader(h http.Header, head []byte, canonical http.Header) {
	h["Content-Type"], h["Date"] = nil, nil
	list := sorted(canonical)
	if head != nil {
		_, list = send.ParseHead(head)
	}
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
