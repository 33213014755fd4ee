package cmd

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hookctl/hookctl/cmd/render"
)

// Nothing is said of what is over within pendingAfter, and "sent" of nothing that
// has no connection.
func TestThePendingLineIsTrueAtEachStep(t *testing.T) {
	const (
		connecting = " 1        0 s  connecting (5 s at most)"
		sent       = " 1        0 s  sent, waiting for the answer (20 s at most)"
	)
	for _, test := range []struct {
		name             string
		connects, answer time.Duration // after the start
		want             []string
	}{
		{"quick", 10 * time.Millisecond, 90 * time.Millisecond, nil},
		{"slow to answer", 10 * time.Millisecond, time.Second, []string{sent, ""}},
		{"slow to connect", time.Second, time.Second + time.Millisecond, []string{connecting, sent, ""}},
		{"never connected", time.Hour, 5 * time.Second, []string{connecting, ""}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var drawn bytes.Buffer
			style := render.Style{Width: 80, Terminal: true}
			p := &pendingLine{connect: 5 * time.Second, answer: 20 * time.Second, line: render.NewPending(&drawn, style, style)}
			p.started(1)
			if test.connects < test.answer {
				time.Sleep(test.connects)
				p.connected()
				test.answer -= test.connects
			}
			time.Sleep(test.answer)
			p.clear()
			p.connected() // of an attempt that has no line
			time.Sleep(time.Minute)
			got := strings.Split(drawn.String(), "\r\x1b[K")[1:]
			if strings.Join(got, "|") != strings.Join(test.want, "|") {
				t.Errorf("%s: %q, want %q", test.name, got, test.want)
			}
		})
	}
}
