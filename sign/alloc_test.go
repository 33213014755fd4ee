//go:build !race

package sign_test

import (
	"testing"

	"github.com/hookctl/hookctl/sign"
)

// Under the race detector a pool drops what it is given, so this file is not
// built there.

func TestSignatureOfBytesAllocatesNothing(t *testing.T) {
	p := timed()
	key, body, dst := mustKey(t, p, benchSecret), oneKiB(), make([]byte, 0, 64)
	v := sign.Values{Time: benchTime}
	n := testing.AllocsPerRun(200, func() {
		var err error
		if dst, err = key.AppendSignature(dst[:0], p, v, body); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func TestVerifyAllocatesLittle(t *testing.T) {
	p := timed()
	key := mustKey(t, p, benchSecret)
	r := received(t, oneKiB(), benchTime, key)
	n := testing.AllocsPerRun(200, func() {
		if res := sign.Verify(p, r, benchTime, key); !res.Verified {
			t.Fatal(res.Reason)
		}
	})
	if n > 6 {
		t.Errorf("%v allocations, want at most 6", n)
	}
}
