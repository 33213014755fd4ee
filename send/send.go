// Package send delivers a webhook the way a provider would: its headers, its
// time limits, its verdict on each answer, its retry schedule, its ending.
//
// Fill a [Sender] and call [Sender.Deliver]; [Plan] shows the same without a
// network. The rules ([Judge], [Next]) are pure; only Deliver acts. A test of an
// endpoint needs neither sockets nor time: set Dial, and leave Wait nil.
package send

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// A Sender delivers messages under one profile to one URL. Its fields must not
// change while a delivery runs; it may run several at once.
type Sender struct {
	Profile   *profiles.Profile
	URL       string        // absolute; userinfo becomes Basic authorisation
	Keys      []*sign.Key   // they sign each attempt in one header, older first
	Header    []sign.Header // further headers, spelled as given; Host and User-Agent replace
	UserAgent string        // "" sends none
	Seed      uint64        // of jitter
	NoJitter  bool          // the bare schedule
	Timeout   time.Duration // in place of the profile's limit (of a pair: read, and connect at most this); 0: the profile's
	SignAt    time.Time     // signing time of every attempt; zero: this machine's clock
	Strict    bool          // apply the profile's rules about addresses
	Recorded  bool          // send each Message's own Header, signed by nobody here
	TLS       *tls.Config   // nil: the system's authorities

	// Wait waits between attempts for the provider's wait (RealWait,
	// ScaledWait); nil does not wait at all. It returns the context's error when
	// that ends first.
	Wait func(ctx context.Context, d time.Duration) error

	// Real says that Wait takes the real time, so that the time since the first
	// attempt is read from the wall clock (a machine that slept is late).
	Real bool

	// Started, if set, is called as each attempt begins.
	Started func(number int)

	// Connected, if set, is called as soon as a request has a connection.
	Connected func()

	// Dial, if set, makes connections in place of a net.Dialer: to host:port
	// with an address, or with a name that it resolves itself (localhost comes
	// as both of its addresses). It must give up when its context is done.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// Shortcuts, if set, lets a receiver in this process end an attempt as if
	// its time had passed.
	Shortcuts *Shortcuts
}

// A Message is one event to deliver.
type Message struct {
	ID, Type string
	Body     []byte
	Number   int           // which delivery it is, from 0; jitter depends on it
	Header   []sign.Header // with Sender.Recorded, sent as it is with every attempt
}
