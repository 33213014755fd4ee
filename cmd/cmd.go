// Package cmd is the command line of hookctl: flags, files and words around the
// packages that do the work. [Main] runs one command; [Run] is Main on this
// process's own streams, environment and signals.
package cmd

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/hookctl/hookctl/cmd/render"
)

// Exit codes. They are part of the contract.
const (
	ExitOK          = 0   // delivered; verified; printed
	ExitNo          = 1   // the webhook's answer is no
	ExitUsage       = 2   // wrong use: flag, argument, profile, config
	ExitCannot      = 3   // could not run
	ExitInterrupted = 130 // after SIGINT
	ExitTerminated  = 143 // after SIGTERM
)

// Run runs the command that args name on the process's own streams and returns
// its exit code. The first SIGINT or SIGTERM ends the command in order, a second
// one at once.
func Run(args []string) int {
	signal.Ignore(syscall.SIGPIPE) // a closed stdout is an error of the write
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		cancel(stopped{<-signals})
		os.Exit(stopped{<-signals}.code())
	}()
	return Main(ctx, System(), args)
}

// stopped is the cause of a context that a signal ended.
type stopped struct{ os.Signal }

func (s stopped) Error() string { return s.String() }

func (s stopped) code() int {
	if s.Signal == syscall.SIGTERM {
		return ExitTerminated
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
	root := a.root()
	root.SetArgs(append([]string{}, args...)) // nil would mean the process's own
	err := root.ExecuteContext(ctx)
	if a.out.err != nil && !errors.Is(err, errInterrupted) {
		err = errStdout(a.out.err)
	}
	return a.report(err)
}

// app is what the commands share: the environment, the writers, the notes.
type app struct {
	Env
	ctx   context.Context
	out   *watched
	color string // --color
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
