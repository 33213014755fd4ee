package cmd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime/debug"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/send"
)

// listenOptions are the flags of listen.
type listenOptions struct {
	profile, addr, url, respond, forward string
	caCert                               string
	dedupe, fsync                        bool
	dedupeFor                            *parsed[time.Duration]
	verify, forwardAll, insecure         bool
	reject                               *parsed[int]
	maxBody                              *parsed[int64]
	readyFile                            string
	exitAfter                            *parsed[int]
	forTime                              *parsed[time.Duration]
	expect                               *parsed[string]
	tls                                  tlsFlags
	secrets                              secretFlags
	out                                  outputFlags
}

func (a *app) listenCommand() *cobra.Command {
	o := &listenOptions{reject: newCount(200, 999), maxBody: newSize(), exitAfter: newCount(1, 1_000_000_000), forTime: newDuration(0), dedupeFor: newDuration(1),
		expect: newWord("", "verified", "refused", "delivered")}
	o.expect.takes = "verified, refused or delivered"
	c := &cobra.Command{Use: "listen [flags]", Args: arguments(0)}
	f := flagsOf(c)
	f.in("Receive:")
	f.text(&o.addr, "addr", "", "HOST:PORT", "default: 4665 of 127.0.0.1 and ::1; 0 picks a port")
	f.profile(&o.profile, "whose webhooks; default: recognised by the headers")
	f.yes(&o.verify, "verify", "", "check each signature; refuse one that is wrong")
	f.text(&o.url, "url", "", "URL", "the address that senders call, where it is signed")
	f.value(o.maxBody, "max-body", "", "SIZE", "larger bodies are answered 413; default: 10MiB")
	o.tls.add(f)
	o.secrets.add(f, "")
	f.in("Answer:")
	f.text(&o.respond, "respond", "", "SCRIPT", "answer as scripted (hookctl help response-script)")
	f.value(o.reject, "reject-status", "", "N", "answer to a refused request; default: 401")
	f.text(&o.forward, "forward-to", "", "URL", "pass requests on to this application")
	f.yes(&o.forwardAll, "forward-all", "", "pass refused requests on as well")
	f.yes(&o.insecure, "insecure", "k", "accept any certificate of the application")
	f.text(&o.caCert, "cacert", "", "FILE", "trust this authority for it")
	f.yes(&o.dedupe, "dedupe", "", "answer a known event id 200, pass it on no more")
	f.value(o.dedupeFor, "dedupe-for", "", "DURATION", "how long an id is known; default: 30d")
	f.in("End:")
	f.value(o.exitAfter, "exit-after", "", "N", "end after N requests are answered")
	f.value(o.forTime, "for", "", "DURATION", "end after this time")
	f.value(o.expect, "expect", "", "WHAT", "exit 1 unless all are verified, refused, delivered")
	f.text(&o.readyFile, "ready-file", "", "PATH", "holds the URL while requests are accepted")
	f.in("Output:")
	a.addOutput(f, &o.out, "the summary only", "headers, body and answer of each request", "hookctl.ready/1, then hookctl.request/1 documents",
		func() { f.addRecord(&o.out, "request") },
		func() { f.yes(&o.fsync, "fsync", "", "each to the disk before it is answered") },
		func() { f.addSensitive(&o.out) })
	c.RunE = func(c *cobra.Command, args []string) error { return a.listen(o, lineOf(c, args)) }
	return c
}

// A listening is listen at work.
type listening struct {
	o           *listenOptions
	app         *app
	lines       *render.Listen
	tally       render.Tally
	recorder    recorder
	masked      func(header string) bool
	expect      expectation
	notes       []string
	development bool // verifying with the development secret
	url         string
	line        *commandLine
	hinted      bool
	mu          sync.Mutex
	failure     error // of writing stdout
	done        int
	stop        context.CancelCauseFunc
}

// Why listen ends of itself.
var (
	errEnough = errors.New("enough requests")
	errTime   = errors.New("the time is up")
)

func (a *app) listen(o *listenOptions, line *commandLine) error {
	a.untilStopped()
	if o.respond != "" && o.forward != "" {
		return misuse("--respond and --forward-to exclude each other")
	}
	if e := o.expect.value; !o.verify && (e == "verified" || e == "refused") {
		return misuse("--expect %s needs --verify", e)
	}
	if err := o.tls.check(); err != nil {
		return err
	}
	if err := o.checkRecord(); err != nil {
		return err
	}
	conf, err := a.config()
	if err != nil {
		return err
	}
	l := &listening{o: o, app: a, line: line, tally: render.Tally{Verify: o.verify}, masked: conf.hasHeader}
	receiver, err := l.receiver(conf, line)
	if err != nil {
		return err
	}
	if o.readyFile != "" {
		removeFile(o.readyFile) // of an earlier run
	}
	sockets, err := l.open(line)
	if err != nil {
		return err
	}
	err = l.checkForward(receiver, sockets)
	if err == nil {
		err = l.openRecord(receiver)
	}
	if err != nil {
		for _, s := range sockets {
			s.Close()
		}
		return err
	}
	defer l.recorder.close()
	return l.serve(receiver, sockets)
}

// boundMemory has garbage collected seldom while there is little, and in time
// where senders fill the memory that they may fill. It returns what undoes it.
func (l *listening) boundMemory() func() {
	const (
		bodies = 32 << 20 // the largest body that the limit has room for
		most   = 1 << 40  // for a body
	)
	limit := debug.SetMemoryLimit(96<<20 + 2*max(0, min(l.o.maxBody.value, most)-bodies))
	percent := debug.SetGCPercent(200)
	return func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	}
}

// serve says that the port is open, serves, and sums up.
func (l *listening) serve(r *listen.Receiver, sockets []net.Listener) error {
	a, o := l.app, l.o
	defer l.boundMemory()()
	ctx, stop := context.WithCancelCause(a.ctx)
	defer stop(nil)
	l.stop = stop
	if d := o.forTime.value; o.forTime.set {
		timer := time.AfterFunc(d, func() { stop(errTime) })
		defer timer.Stop()
	}
	l.lines = render.NewListen(a.out, l.style(), o.verify)
	l.lines.Sensitive, l.lines.Masked, l.lines.Known = o.out.sensitive, l.masked, r.Profiles
	secure, err := o.tls.config(o.addr, sockets)
	if err == nil {
		err = l.ready(sockets, r)
	}
	if err != nil {
		for _, s := range sockets {
			s.Close()
		}
		return err
	}
	if o.readyFile != "" {
		defer removeFile(o.readyFile)
	}
	start := time.Now()
	server := &listen.Server{Receiver: r, TLS: secure, Unsecured: l.unsecured, Garbage: func(string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.tally.Garbage++
	}}
	err = server.Serve(ctx, sockets...)
	if l.failure != nil {
		return l.failure
	}
	if err != nil {
		return cannot(err, "listening: %s", oneLine(err.Error()))
	}
	l.tally.Elapsed = time.Since(start)
	if a.ctx.Err() != nil && a.errStyle().Terminal {
		fmt.Fprintln(a.Stderr) // the terminal has echoed ^C
	}
	_ = render.Summary(a.Stderr, a.errStyle(), l.tally) // nothing can be told if stderr itself fails
	if a.ctx.Err() != nil {
		return errInterrupted
	}
	return l.verdict(context.Cause(ctx))
}

func (l *listening) style() render.Style {
	st := l.app.outStyle()
	st.Verbose = l.o.out.verbose
	return st
}

// verdict is the exit code of a run that ended of itself.
func (l *listening) verdict(cause error) error {
	if errors.Is(cause, errTime) && l.o.exitAfter.set {
		l.app.say(render.Error, fmt.Sprintf("%s in %s; --exit-after wanted %s", count(l.done, "request"),
			render.Duration(l.o.forTime.value), render.Number(l.o.exitAfter.value)), "")
		return errNo
	}
	if why := l.expect.broken(l.o.expect.value); why != "" {
		l.app.say(render.Error, "--expect "+l.o.expect.value+": "+why, "")
		return errNo
	}
	return nil
}

// seen takes a request that was answered: a line, the sums, the end.
func (l *listening) seen(r listen.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tally.Add(&r)
	if o := l.o.expect; o.set {
		l.expect.add(r, o.value == "delivered")
	}
	l.done++
	var err error
	switch {
	case l.o.out.json:
		r.Sensitive, r.Masked = l.o.out.sensitive, l.masked
		err = send.WriteDocument(l.app.out, r)
	case !l.o.out.quiet:
		err = l.lines.Request(r)
	}
	l.hint(&r)
	if err != nil && l.failure == nil {
		l.failure = errStdout(err)
		l.stop(err)
	}
	if l.o.exitAfter.set && l.done >= l.o.exitAfter.value {
		l.stop(errEnough)
	}
}
