package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/hookctl/hookctl/send"
)

// The limits of listen are for strangers.
func TestTheInnerReceiverAnswersABurstAsScripted(t *testing.T) {
	folder(t, map[string]string{"p.yaml": strings.Replace(bare, "then: retry", "then: failed", 1)})
	for _, test := range []struct {
		n    int
		args string
	}{
		{300, "--respond 200:delay=300ms --speed real"}, // so many are answered at a time
		{1500, "--respond 200"},                         // so many are connected
	} {
		n := strconv.Itoa(test.n)
		r := world{}.run(append(strings.Fields(test.args), "send", "-p", "./p.yaml", "--json", "--count", n, "--concurrency", n)...)
		r.want(t, ExitOK)
		lines := strings.Split(strings.TrimSpace(r.stdout), "\n")
		var sum struct{ Answers map[string]int }
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &sum); err != nil {
			t.Fatal(err)
		}
		if sum.Answers["200"] != test.n || len(sum.Answers) != 1 {
			t.Errorf("%s at once: answers %v", n, sum.Answers)
		}
	}
}

func TestDialsWaitUntilOthersAreAccepted(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	q := &queue{Listener: l, waiting: make(chan struct{}, 2)}
	dial := func(ctx context.Context) error {
		c, err := q.dial(ctx, "tcp", l.Addr().String())
		if err == nil {
			t.Cleanup(func() { c.Close() })
		}
		return err
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for i, ctx := range []context.Context{t.Context(), t.Context(), over} {
		err := dial(ctx)
		var dialled *net.OpError // it did not wait
		if (err != nil) != (i == 2) || err != nil && (!errors.Is(err, context.Canceled) || errors.As(err, &dialled)) {
			t.Errorf("dial %d: %v", i+1, err)
		}
	}
	c, err := q.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := dial(t.Context()); err != nil {
		t.Errorf("one was accepted: %v", err)
	}
}

// A spent is a listener of a process that may open no more files.
type spent struct{ net.Listener }

func (spent) Accept() (net.Conn, error) {
	return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
}

func TestAReceiverThatCanAcceptNothingEndsWhatIsSent(t *testing.T) {
	ctx, fail := context.WithCancelCause(t.Context())
	in := &innerReceiver{ctx: ctx, queue: &queue{Listener: spent{}, fail: fail}}
	if err := in.failed(); err != nil {
		t.Errorf("failed before: %v", err)
	}
	_, _ = in.queue.Accept()
	var local *send.LocalError
	if err := in.failed(); !errors.As(err, &local) || in.deliveries(context.Background()).Err() == nil {
		t.Errorf("%v; want a LocalError and the end of the deliveries", err)
	}
}

func TestConcurrencyIsCutToTheFiles(t *testing.T) {
	for _, test := range []struct{ files, asked, want int }{
		{20_000, 10_000, 9968}, {20_000, 9968, 9968}, {1024, 1000, 480}, {1024, 480, 480}, {100, 50, 18}, {15, 50, 1}, {3, 1, 1},
	} {
		a, _, errs := world{}.app()
		o := &sendOptions{burst: newBurst()}
		o.burst.concurrency.value = test.asked
		b := &burst{sending: &sending{o: o}, app: a}
		b.limit(test.files)
		if said := strings.Contains(errs.String(), "may open"); b.atOnce != test.want || said != (test.asked > test.want) || len(b.notes) > 0 != said {
			t.Errorf("%d at once with %d files: %d, %q", test.asked, test.files, b.atOnce, errs)
		}
	}
}
