// Package cmd is the command line of hookctl: flags, files and words around the
// packages that do the work. [Main] runs one command; [Run] is Main on this
// process's own streams, environment and signals.
package cmd

import (
	"context"
	"errors"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hookctl/hookctl/cmd/render"
)

// Exit codes. They are part of the contract.
const (
	ExitOK          = 0   // delivered; verified; printed
	ExitNo          = 1   // the webhook's answer is no
	ExitUsage       = 2   // wrong use: flag, argument, profile, config
	ExitCannot      = 3   // could not run
	ExitHungUp      = 129 // after SIGHUP
	ExitInterrupted = 130 // after SIGINT
	ExitTerminated  = 143 // after SIGTERM
)

// Run runs the command that args name on the process's own streams and returns
// its exit code. The first SIGINT, SIGTERM or SIGHUP ends the command in order, a
// second one at once.
func Run(args []string) int {
	log.SetOutput(io.Discard)      // net/http's own log: what matters is told
	signal.Ignore(syscall.SIGPIPE) // a closed stdout is an error of the write
	return Main(context.Background(), System(), args)
}

// untilSignal is ctx until the process gets SIGINT, SIGTERM or, unless it was
// started to outlive its terminal as by nohup, SIGHUP. A second signal ends the
// process at once.
func untilSignal(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		cancel(stopped{<-signals})
		os.Exit(stopped{<-signals}.code())
	}()
	return ctx
}

// untilStopped makes the command end in order on a signal, from here on. A
// command that waits for nobody does without: watching costs a thread.
func (a *app) untilStopped() {
	if a.Signals != nil {
		a.ctx, a.Signals = a.Signals(a.ctx), nil // one watch counts the signals
	}
}

// stopped is the cause of a context that a signal ended.
type stopped struct{ os.Signal }

func (s stopped) Error() string { return s.String() }

func (s stopped) code() int {
	switch s.Signal {
	case syscall.SIGTERM:
		return ExitTerminated
	case syscall.SIGHUP:
		return ExitHungUp
	}
	return ExitInterrupted
}

// exitCode is the code for a command that the context's end cut short.
func exitCode(ctx context.Context) int {
	var s stopped
	if errors.As(context.Cause(ctx), &s) {
		return s.code()
	}
	return ExitInterrupted
}

// Main runs the command that args name in env and returns its exit code. When
// ctx ends the command ends in order.
func Main(ctx context.Context, env Env, args []string) int {
	if env.Stdin == nil {
		env.Stdin = eof{}
	}
	a := &app{Env: env, ctx: ctx}
	a.out = &watched{w: env.Stdout}
	root := a.root(args)
	root.SetArgs(append([]string{}, args...)) // nil would mean the process's own
	var err error
	if completing(args) {
		a.completions(root)
		root.SetArgs(withoutSecrets(args))
	} else {
		err = a.wrongCommand(root, args)
	}
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if a.out.err != nil && !errors.Is(err, errInterrupted) {
		err = errStdout(a.out.err)
	}
	return a.report(err)
}

// wrongCommand is the fault of a first word that is no command, or of a long flag
// with one dash. It comes before the flags are parsed: a command that does not
// exist has none, and -profile could be read as -p rofile.
func (a *app) wrongCommand(root *cobra.Command, args []string) error {
	switch {
	case len(args) == 0 || args[0] == "help":
		return nil
	case strings.HasPrefix(args[0], "-"):
		return oneDash(root.Flags(), args)
	}
	found, rest, err := root.Find(args)
	switch {
	case err != nil || found == root:
		return a.unknownCommand(root, args[0])
	case found.HasSubCommands() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-"):
		return a.unknownCommand(found, rest[0])
	}
	return oneDash(found.Flags(), rest)
}

// app is what the commands share: the environment, the writers, the notes.
type app struct {
	Env
	ctx      context.Context
	out      *watched
	color    string           // --color
	commands []*cobra.Command // in the order of help
	stdin    string           // what stdin is read for; "": nobody has read it
	quiet    bool             // -q of a command whose result line is all
}

// watched remembers the first error of a writer and writes nothing after it.
type watched struct {
	w   io.Writer
	err error
}

func (w *watched) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.w.Write(p)
	w.err = err
	return n, err
}

type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }

// outStyle and errStyle are the styles of stdout and stderr.
func (a *app) outStyle() render.Style { return a.style(a.Stdout, a.color) }
func (a *app) errStyle() render.Style { return a.style(a.Stderr, a.color) }
