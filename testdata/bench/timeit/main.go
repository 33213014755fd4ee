// Timeit runs two commands in turn, many times, and prints how their times
// compare:
//
//	timeit [-n RUNS] [-name TEXT] [-more] A [ARG…] -- B [ARG…]
//
// The line has the median of the ratios of neighbouring runs, A's time to B's,
// the median time of each, and the most memory that each had. With -more it
// begins with the median of A's time less B's, in milliseconds. The machine's
// load touches both alike.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

const warmUp = 2

func main() {
	runs := flag.Int("n", 200, "measured runs of each command, from 1")
	name := flag.String("name", "A / B", "what the line begins with")
	more := flag.Bool("more", false, "milliseconds that A takes more, in place of the ratio")
	flag.Parse()
	if err := compare(*name, *runs, *more, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "timeit:", err)
		os.Exit(1)
	}
}

// A run is what one run of a command took.
type run struct {
	time   time.Duration
	memory int64 // the most resident, in bytes
}

func compare(name string, runs int, more bool, args []string) error {
	cut := slices.Index(args, "--")
	if cut < 1 || cut == len(args)-1 || runs < 1 {
		return errors.New("usage: timeit [-n RUNS] [-name TEXT] [-more] A [ARG…] -- B [ARG…]")
	}
	commands := [2][]string{args[:cut], args[cut+1:]}
	var times [2][]float64
	var memory [2]int64
	var compared []float64
	for i := range warmUp + runs {
		var got [2]run
		for _, k := range []int{i % 2, 1 - i%2} { // neither is always the one that runs second
			var err error
			if got[k], err = once(commands[k]); err != nil {
				return err
			}
		}
		if i < warmUp {
			continue
		}
		for k, r := range got {
			times[k] = append(times[k], milliseconds(r.time))
			memory[k] = max(memory[k], r.memory)
		}
		if a, b := milliseconds(got[0].time), milliseconds(got[1].time); more {
			compared = append(compared, a-b)
		} else {
			compared = append(compared, a/b)
		}
	}
	fmt.Printf("%-48s %6.2f   (%.2f ms / %.2f ms, %.1f MB / %.1f MB; medians of %d)\n",
		name, median(compared), median(times[0]), median(times[1]), megabytes(memory[0]), megabytes(memory[1]), runs)
	return nil
}

// once runs a command. Its output is dropped.
func once(command []string) (run, error) {
	c := exec.Command(command[0], command[1:]...)
	start := time.Now()
	if err := c.Run(); err != nil {
		return run{}, fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	}
	r := run{time: time.Since(start)}
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.memory = int64(usage.Maxrss) // of this process, too, until it was replaced
		if runtime.GOOS != "darwin" {
			r.memory *= 1024
		}
	}
	return r, nil
}

func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func megabytes(n int64) float64 { return float64(n) / 1e6 }
