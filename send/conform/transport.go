package conform

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hookctl/hookctl/sign"
)

// expectTime is how long a request with Expect: 100-continue may take.
const expectTime = 1500 * time.Millisecond

// transport sends the event in other ways that HTTP allows.
func transport(ctx context.Context, r *run, t *tried) {
	t.Asked = "the event in chunks, with Expect: 100-continue, in three writes, with lower-case header names, with a charset"
	plain := func() request { return r.genuine(r.event()) }
	chunked := plain()
	chunked.chunked = true
	expecting := plain()
	expecting.expect = true
	pieces := r.pieces()
	small := plain()
	for i, h := range small.header {
		small.header[i] = sign.Header{Name: strings.ToLower(h.Name), Value: h.Value}
	}
	trials := []trial{{"in chunks, without a length", chunked}, {"with Expect: 100-continue", expecting}, {"in three writes", pieces}, {"with lower-case header names", small}}
	for _, h := range plain().header {
		if strings.EqualFold(h.Name, "Content-Type") && !strings.Contains(h.Value, ";") {
			trials = append(trials, trial{"with " + h.Value + "; charset=utf-8", plain().withHeader(h.Name, h.Value+"; charset=utf-8")})
		}
	}
	all := t.each(ctx, trials)
	if r.url.Scheme == "https" && !t.stopped && ctx.Err() == nil {
		if a, offered := r.http2(ctx); offered {
			t.add("over HTTP/2", plain(), a)
			all = append(all, said{"over HTTP/2", a})
		}
	}
	t.Came = inWords(all)
	for _, s := range all {
		switch {
		case !s.accepted():
			t.fail("an event "+s.name+" "+s.met(), r.transportFix(s))
		case strings.Contains(s.name, "Expect") && s.took > expectTime:
			t.fail("an event with Expect: 100-continue takes "+spell(s.took), "answer 100 Continue as soon as the head is read, or ignore the header")
		}
	}
}

// transportFix says what to change for what was refused.
func (r *run) transportFix(s said) string {
	switch {
	case r.refused(s.answer) && strings.Contains(s.name, "chunks"):
		return "read the body to its end before the signature is checked, whether it has a length or not"
	case r.refused(s.answer) && strings.Contains(s.name, "writes"):
		return "collect all bytes of the body before the check, and decode none of them piece by piece"
	case strings.Contains(s.name, "lower-case"):
		return "look up header names without regard to case"
	case strings.Contains(s.name, "charset"):
		return "compare the media type without its parameters"
	}
	return "take requests as HTTP/1.1 allows them: with a length or in chunks, in any number of pieces"
}

// pieces is an event whose body is written in three pieces, cut inside a
// character of more than one byte.
func (r *run) pieces() request {
	e := r.event()
	if raw := r.result("raw-bytes"); r.object && raw.State != Fail {
		e = e.with(extra, `"é"`)
	}
	q := r.genuine(e)
	cut := len(q.body) / 2
	for i, b := range q.body {
		if b >= utf8.RuneSelf {
			cut = i + 1
			break
		}
	}
	if len(q.body) > 3 {
		q.cuts = []int{min(cut/2, cut), cut}
	}
	return q
}

// http2 sends the event over HTTP/2, where the receiver offers it. The connection
// is made before the request: a dial of a transport's own may outlive its request.
func (r *run) http2(ctx context.Context) (answer, bool) {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	q := r.genuine(r.event())
	conn, err := r.dial(ctx, "")
	if err != nil {
		return answer{}, false
	}
	config := r.tlsConfig()
	config.NextProtos = []string{"h2", "http/1.1"}
	secure := tls.Client(conn, config)
	defer func() { _ = secure.Close() }()
	if secure.HandshakeContext(ctx) != nil || secure.ConnectionState().NegotiatedProtocol != "h2" {
		return answer{}, false
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP2(true)
	transport := &http.Transport{Protocols: protocols, DisableCompression: true, MaxResponseHeaderBytes: maxHead}
	transport.DialTLSContext = func(context.Context, string, string) (net.Conn, error) { return secure, nil }
	defer transport.CloseIdleConnections()
	request := &http.Request{Method: http.MethodPost, URL: r.url, Host: r.url.Host, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(q.body))), ContentLength: int64(len(q.body))}
	for _, h := range q.header {
		request.Header.Add(h.Name, h.Value)
	}
	response, err := transport.RoundTrip(request.WithContext(ctx))
	if err != nil {
		return r.failed(ctx, nil, err, start, r.limit), true
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxBody)) // an answer is judged by its head
	return answer{response: responseOf(response, body), took: time.Since(start), limit: r.limit}, true
}
