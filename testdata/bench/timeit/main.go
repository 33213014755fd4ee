// Timeit runs two commands in turn, many times, and prints how their times
// compare:
//
//	timeit [-n RUNS] [-name TEXT] A [ARG…] -- B [ARG…]
//
// The line has the median of the ratios of neighbouring runs, A's time to B's,
// and the median time of each. The machine's load touches both alike.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

const warmUp = 5

func main() {
	runs := flag.Int("n", 200, "measured runs of each command, from 1")
	name := flag.String("name", "A / B", "what the line begins with")
	flag.Parse()
	if err := compare(*name, *runs, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "timeit:", err)
		os.Exit(1)
	}
}

func compare(name string, runs int, args []string) error {
	cut := slices.Index(args, "--")
	if cut < 1 || cut == len(args)-1 || runs < 1 {
		return errors.New("usage: timeit [-n RUNS] [-name TEXT] A [ARG…] -- B [ARG…]")
	}
	a, b := args[:cut], args[cut+1:]
	var as, bs []time.Duration
	var ratios []float64
	for i := range warmUp + runs {
		first, second := a, b
		if i%2 == 1 { // neither is always the one that runs second
			first, second = b, a
		}
		x, err := once(first)
		if err != nil {
			return err
		}
		y, err := once(second)
		if err != nil {
			return err
		}
		if i%2 == 1 {
			x, y = y, x
		}
		if i >= warmUp {
			as, bs = append(as, x), append(bs, y)
			ratios = append(ratios, float64(x)/float64(y))
		}
	}
	fmt.Printf("%-36s %6.2f   (%.2f ms / %.2f ms, medians of %d)\n",
		name, median(ratios), milliseconds(median(as)), milliseconds(median(bs)), runs)
	return nil
}

// once is the time from starting a command to its end. Its output is dropped.
func once(command []string) (time.Duration, error) {
	c := exec.Command(command[0], command[1:]...)
	start := time.Now()
	if err := c.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	}
	return time.Since(start), nil
}

func median[T time.Duration | float64](values []T) T {
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
