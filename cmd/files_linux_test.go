package cmd_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// However few files hookctl may open: that is its own affair, no verdict on the
// endpoint. With fewer than Go itself needs it cannot even start.
func TestTooFewFilesAreNobodysFaultButHookctls(t *testing.T) {
	spent := regexp.MustCompile(`(?m)^hookctl: error: .*too many open files$`)
	for args, whole := range map[string]string{
		"send -p kudos --respond 200 -q --count 100 --concurrency 50":                 "delivered: 100 of 100 events",
		"send -p kudos --respond 200 -q":                                              "delivered: 200 at attempt 1",
		"send -p kudos --secret s http://127.0.0.1:1/ -q":                             "failed: refused at attempt 6",
		"send -p kudos --secret s http://127.0.0.1:1/ -q --count 20 --concurrency 20": "failed: 20 of 20 events",
		"check -p kudos --secret s http://127.0.0.1:1/":                               "refused: 127.0.0.1:1",
	} {
		cannot := 0
		for files := 7; files < 24; files++ {
			c := exec.Command("sh", "-c", "ulimit -n "+strconv.Itoa(files)+`; exec hookctl "$@"`, "sh")
			c.Args = append(c.Args, strings.Fields(args)...)
			c.Env = append(os.Environ(), "HOOKCTL_CONFIG=", "HOME="+t.TempDir(), "GORACE=atexit_sleep_ms=0")
			out, err := c.CombinedOutput()
			code := c.ProcessState.ExitCode()
			switch {
			case code == 2 && strings.Contains(string(out), "fatal error: "): // of Go
			case code == 3 && spent.Match(out):
				cannot++
			case !strings.Contains(string(out), whole) || strings.Contains(string(out), "too many"):
				t.Errorf("%s with %d files: %v: %s", args, files, err, out)
			}
		}
		if cannot == 0 {
			t.Errorf("%s: no number of files was too small", args)
		}
	}
}
