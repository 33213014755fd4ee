// Load puts the same load on two receivers in turn and prints how they compare:
//
//	load [flags] A [ARG…] -- B [ARG…]
//
// Each command must serve on the address that stands for ADDR in its arguments.
// The requests are signed before: -events events of -size bytes under the
// profile, with the secret in BENCH_SECRET, over -c connections that are kept
// alive. Both run at the same time, and -rounds times each gets -for of load
// alone, so that the machine's own load touches both alike. The line has the
// median of the ratios of neighbouring rounds, of requests a second and of the
// 99th percentile of the latency. On Linux it ends with the time that the
// processor spent on each request of A and of B, which other load hardly changes,
// and the most memory that each process had.
package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

type options struct {
	profile, name               string
	size, events, conns, rounds int
	each                        time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.profile, "p", "", "profile that signs the requests")
	flag.StringVar(&o.name, "name", "A / B", "what the line begins with")
	flag.IntVar(&o.size, "size", 1<<10, "bytes of each body")
	flag.IntVar(&o.events, "events", 512, "events, of different ids")
	flag.IntVar(&o.conns, "c", 32, "connections")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds of each")
	flag.DurationVar(&o.each, "for", time.Second, "time of a round")
	flag.Parse()
	if err := compare(o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func compare(o options, args []string) error {
	cut := slices.Index(args, "--")
	if cut < 1 || cut == len(args)-1 || o.rounds < 1 || o.conns < 1 || o.events < 1 {
		return errors.New("usage: load [flags] A [ARG…] -- B [ARG…]")
	}
	requests, err := o.requests()
	if err != nil {
		return err
	}
	var both [2]*program
	for i, command := range [][]string{args[:cut], args[cut+1:]} {
		if both[i], err = start(command); err != nil {
			return err
		}
		defer both[i].stop()
	}
	var rates, tails, spent [2][]float64
	var rate, tail []float64
	for round := range o.rounds + 1 {
		order := []int{0, 1}
		if round%2 == 1 { // neither is always the one that runs second
			order = []int{1, 0}
		}
		var got [2]figures
		for _, i := range order {
			before := both[i].spent()
			if got[i], err = run(both[i].addr, requests, o.conns, o.each); err != nil {
				return fmt.Errorf("%s: %w", both[i].Path, err)
			}
			got[i].spent = (both[i].spent() - before) / float64(got[i].requests)
		}
		if round == 0 { // to warm up
			continue
		}
		for i, g := range got {
			rates[i], tails[i], spent[i] = append(rates[i], g.rate), append(tails[i], g.p99), append(spent[i], g.spent)
		}
		rate, tail = append(rate, got[0].rate/got[1].rate), append(tail, got[0].p99/got[1].p99)
	}
	fmt.Printf("%-48s %6.2f   p99 %.2f   (%.0f/s / %.0f/s, p99 %.2f ms / %.2f ms, %.1f µs / %.1f µs each, %s / %s; medians of %d)\n", o.name,
		median(rate), median(tail), median(rates[0]), median(rates[1]), median(tails[0]), median(tails[1]),
		median(spent[0]), median(spent[1]), both[0].memory(), both[1].memory(), o.rounds)
	return nil
}

// A program is a receiver at work.
type program struct {
	*exec.Cmd
	addr string
}

// start starts a receiver on a free port and waits until it accepts connections.
func start(command []string) (*program, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &program{addr: l.Addr().String()}
	l.Close()
	for i, arg := range command {
		command[i] = strings.ReplaceAll(arg, "ADDR", p.addr)
	}
	p.Cmd = exec.Command(command[0], command[1:]...)
	p.Stderr = os.Stderr
	if err := p.Start(); err != nil {
		return nil, err
	}
	for range 500 {
		if c, err := net.Dial("tcp", p.addr); err == nil {
			c.Close()
			return p, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	p.stop()
	return nil, fmt.Errorf("%s does not accept connections", strings.Join(command, " "))
}

func (p *program) stop() {
	p.Process.Kill()
	p.Wait()
}

// spent is the time that the processor has spent on the process, in
// microseconds.
func (p *program) spent() float64 {
	var ns float64
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.Process.Pid))
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		var one float64
		fmt.Sscan(string(text), &one)
		ns += one
	}
	return ns / 1000
}

// memory is the most resident memory that the process had.
func (p *program) memory() string {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	_, rest, ok := strings.Cut(string(status), "VmHWM:")
	var kib int
	if _, err := fmt.Sscan(rest, &kib); !ok || err != nil {
		return "? MB"
	}
	return fmt.Sprintf("%.0f MB", float64(kib)/1024)
}

func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
