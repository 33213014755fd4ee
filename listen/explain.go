package listen

import (
	"bytes"
	"strconv"
	"sync"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// The bounds of explanations: how many are made at once, and how many requests
// of how many bytes are kept to find a signature that belongs to another one.
const (
	mostExplanations = 4
	mostRecent       = 16
	mostRecentBytes  = 1 << 20
)

// explain says why a request was refused, unless enough others are being
// explained.
func (r *Receiver) explain(q *Request) {
	if r.Explain == nil || r.Keys == nil || !explainable(q) {
		return
	}
	var secrets []explain.Secret
	if keys, err := r.Keys(q.Profile); err == nil {
		for _, k := range keys {
			secrets = append(secrets, explain.Secret{Text: k.Reveal()})
		}
	}
	if len(secrets) == 0 {
		return
	}
	defer r.explaining.Add(-1)
	if r.explaining.Add(1) > mostExplanations {
		q.Unexplained = true
		return
	}
	in := explain.Input{
		Profile: q.Profile, Received: sign.Received{Header: q.Header, Body: q.Body, URL: r.URL}, Now: q.At,
		Secrets: secrets, Known: r.Profiles,
	}
	for _, other := range r.recent.others(q) {
		in.Others = append(in.Others, sign.Received{Header: other.header, Body: other.body, URL: r.URL})
		in.Names = append(in.Names, "#"+strconv.Itoa(other.number))
	}
	q.Explanation = r.Explain(in)
}

// explainable reports whether there is a signature to explain.
func explainable(q *Request) bool {
	if q.Profile == nil || !q.BodyRead || q.Result == nil || q.Result.Verified {
		return false
	}
	return q.Result.Reason != "" && q.Result.Reason != sign.NoSecret
}

// recent are the latest requests whose bodies may explain the signature of
// another. Its zero value is ready for use.
type recent struct {
	mu     sync.Mutex
	kept   [mostRecent]captured // a ring
	oldest int
	n      int // how many there are
	size   int // bytes of their headers and bodies
}

// A captured is a request that is kept.
type captured struct {
	number  int
	profile *profiles.Profile
	header  []sign.Header
	text    string // the head, if header is nil
	body    []byte
	room    room // of the body, where its memory is used again
	size    int
}

// remember keeps a request, where explanations are made: with memory that is used
// again, only one that nobody works on any longer.
func (x *exchange) remember() {
	r, q := x.r, &x.request
	if r.Explain == nil || q.Profile == nil || !q.BodyRead || q.Result == nil {
		return
	}
	c := captured{number: q.Number, profile: q.Profile, header: q.Header, text: x.text, body: q.Body, size: cap(q.Body)}
	for i := range q.Header {
		c.size += len(q.Header[i].Name) + len(q.Header[i].Value)
	}
	if c.text != "" {
		c.header = nil
	}
	if x.room.pooled && c.size <= mostRecentBytes {
		c.room, x.room = x.room, room{}
	}
	r.recent.add(c)
}

// add keeps a request and drops the oldest beyond the bounds. One that alone is
// beyond them is not kept.
func (n *recent) add(c captured) {
	if c.size > mostRecentBytes {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for n.n == mostRecent || n.size+c.size > mostRecentBytes {
		n.drop()
	}
	*n.at(n.n) = c
	n.n++
	n.size += c.size
}

// at is the place of the i-th, from 0 for the oldest.
func (n *recent) at(i int) *captured { return &n.kept[(n.oldest+i)%mostRecent] }

// drop drops the oldest.
func (n *recent) drop() {
	c := n.at(0)
	c.room.free(c.body)
	n.size -= c.size
	*c = captured{}
	n.oldest = (n.oldest + 1) % mostRecent
	n.n--
}

// others are the kept requests under the profile of q, but for q itself; the
// latest first.
func (n *recent) others(q *Request) []captured {
	n.mu.Lock()
	defer n.mu.Unlock()
	var all []captured
	for i := n.n - 1; i >= 0; i-- {
		if c := *n.at(i); c.number != q.Number && c.profile == q.Profile {
			if c.room.pooled {
				c.body = bytes.Clone(c.body)
			}
			if c.text != "" {
				_, c.header = send.AppendHead(nil, c.text)
			}
			all = append(all, c)
		}
	}
	return all
}
