package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/send/conform"
)

const (
	commandTime   = 10 * time.Second // of --probe, --break and --heal
	commandOutput = 4 << 10          // bytes of output that are kept
)

// checkCommands are the commands of the user that tell of effects.
func (a *app) checkCommands(o *checkOptions, options *conform.Options) {
	if o.probe != "" {
		options.Probe = func(ctx context.Context, id string) (int, error) {
			out, err := a.shell(ctx, o.probe, "HOOKCTL_EVENT_ID="+id)
			if err != nil {
				return 0, err
			}
			n, err := strconv.Atoi(strings.TrimSpace(out))
			if err != nil {
				return 0, errors.New("it did not print one whole number")
			}
			return n, nil
		}
	}
	if o.breaks != "" {
		options.Break = func(ctx context.Context) error { _, err := a.shell(ctx, o.breaks); return err }
		options.Heal = func(ctx context.Context) error { _, err := a.shell(ctx, o.heal); return err }
	}
}

// shell runs a command in the user's shell, for 10 s at most; then its whole
// process group is ended. It sees the environment, but no secret.
func (a *app) shell(ctx context.Context, command string, more ...string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, commandTime, errors.New("it ran for more than 10 s"))
	defer cancel()
	c := shellCommand(ctx, command)
	for _, v := range c.Environ() {
		if !strings.HasPrefix(v, "HOOKCTL_SECRET=") && !strings.HasPrefix(v, "HOOKCTL_EVENT_ID=") {
			c.Env = append(c.Env, v)
		}
	}
	c.Env = append(c.Env, more...)
	out := &bounded{}
	c.Stdout = out
	c.WaitDelay = time.Second
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.As(err, &exit):
		return "", fmt.Errorf("it ended with %s", oneLine(exit.Error()))
	case err != nil:
		return "", fmt.Errorf("it could not be run: %s", oneLine(err.Error()))
	case out.cut:
		return "", errors.New("it printed too much")
	}
	return out.String(), nil
}

// bounded keeps the beginning of what is written.
type bounded struct {
	bytes.Buffer
	cut bool
}

func (b *bounded) Write(p []byte) (int, error) {
	keep := min(len(p), commandOutput-b.Len())
	b.cut = b.cut || keep < len(p)
	b.Buffer.Write(p[:keep])
	return len(p), nil
}
