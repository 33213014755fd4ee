package sign

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/hookctl/hookctl/profiles"
)

// errNoKey refuses the zero Key.
var errNoKey = errors.New("no key to sign with")

// Signatures signs the body once with each key, in one pass, and returns the
// encoded digests in the keys' order. A placeholder of the signed text without
// a value is a *profiles.MissingError, found before the body is read. A body of
// any size is read in constant memory; nil is an empty one. An error of body is
// wrapped.
func Signatures(p *profiles.Profile, v Values, body io.Reader, keys ...*Key) ([]string, error) {
	content, cut, err := appendContent(nil, appendItem(nil, p.Signature.Content), v.append)
	if err != nil {
		return nil, err
	}
	group := make(signers, 0, len(keys))
	for _, k := range keys {
		if k == nil || k.m == nil {
			return nil, errNoKey
		}
		m := k.m()
		s := m.get()
		defer m.put(s)
		group = append(group, s)
	}
	if len(group) == 0 {
		return nil, nil
	}
	group.write(content[:cut])
	if err := group.read(body); err != nil {
		return nil, fmt.Errorf("read the body: %w", err)
	}
	group.write(content[cut:])
	out := make([]string, len(group))
	for i, s := range group {
		out[i] = string(s.digest(p.Signature.Encoding))
	}
	return out, nil
}

// AppendSignature appends the key's signature of a body in memory to dst. It
// allocates nothing where dst has room. A placeholder of the signed text
// without a value is a *profiles.MissingError.
func (k *Key) AppendSignature(dst []byte, p *profiles.Profile, v Values, body []byte) ([]byte, error) {
	if k == nil || k.m == nil {
		return dst, errNoKey
	}
	m := k.m()
	s := m.get()
	defer m.put(s)
	err := s.sign(m.planFor(p).content, body, func(dst []byte, slot int) ([]byte, bool) {
		return v.append(dst, slot)
	})
	if err != nil {
		return dst, err
	}
	return append(dst, s.digest(p.Signature.Encoding)...), nil
}

// sign hashes the signed text around a body in memory.
func (s *signer) sign(content item, body []byte, value func([]byte, int) ([]byte, bool)) error {
	buf, cut, err := appendContent(s.buf[:0], content, value)
	s.buf = buf
	if err != nil {
		return err
	}
	s.hash.Write(buf[:cut])
	s.hash.Write(body)
	if cut < len(buf) {
		s.hash.Write(buf[cut:])
	}
	return nil
}

// signers hash the same bytes, each with its own key.
type signers []*signer

func (g signers) write(b []byte) {
	for _, s := range g {
		s.hash.Write(b) // a hash never fails
	}
}

// Write implements io.Writer, for readers that hand out their bytes.
func (g signers) Write(b []byte) (int, error) {
	g.write(b)
	return len(b), nil
}

const (
	firstRead = 4 << 10   // bytes; what ends within them is hashed where it is read
	chunk     = 128 << 10 // bytes of each block of a longer stream
	blocks    = 3         // one is read while the others are hashed
)

// read hashes all of body.
func (g signers) read(body io.Reader) error {
	switch r := body.(type) {
	case nil:
		return nil
	case *bytes.Reader:
		_, err := r.WriteTo(g)
		return err
	case *bytes.Buffer:
		_, err := r.WriteTo(g)
		return err
	}
	first := make([]byte, firstRead)
	n, err := fill(body, first)
	g.write(first[:n])
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	return g.stream(body)
}

// A block is a piece of a stream and those who still hash it.
type block struct {
	data  []byte
	users sync.WaitGroup
}

// stream reads here and hashes beside it, each key in a goroutine of its own.
// They end before stream returns, also when body panics.
func (g signers) stream(body io.Reader) error {
	var hashing sync.WaitGroup
	full := make([]chan *block, len(g))
	for i, s := range g {
		full[i] = make(chan *block, blocks)
		hashing.Go(func() {
			for b := range full[i] {
				s.hash.Write(b.data)
				b.users.Done()
			}
		})
	}
	defer func() {
		for _, c := range full {
			close(c)
		}
		hashing.Wait()
	}()
	buf := make([]byte, blocks*chunk)
	var ring [blocks]block
	for i := 0; ; i = (i + 1) % blocks {
		b := &ring[i]
		b.users.Wait()
		n, err := fill(body, buf[i*chunk:][:chunk])
		b.data = buf[i*chunk:][:n]
		b.users.Add(len(g))
		for _, c := range full {
			c <- b
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// fill reads until b is full or r ends, which is io.EOF, also after some bytes.
func fill(r io.Reader, b []byte) (n int, err error) {
	for idle := 0; n < len(b); {
		k, err := r.Read(b[n:])
		n += k
		if err != nil {
			return n, err
		}
		if k > 0 {
			idle = 0
		} else if idle++; idle == 100 {
			return n, io.ErrNoProgress
		}
	}
	return n, nil
}
