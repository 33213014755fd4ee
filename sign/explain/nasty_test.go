package explain_test

import (
	"bytes"
	"compress/gzip"
	"runtime"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// nastyBodies are bodies of about a MiB, in a short run of 256 KiB, that are made
// to cost much.
func nastyBodies() map[string]string {
	size := 1 << 20
	if testing.Short() {
		size = 256 << 10
	}
	fill := func(before, item, after string) string {
		return before + strings.Repeat(item, (size-len(before)-len(after)-8)/len(item)) + after
	}
	return map[string]string{
		"deep arrays":     strings.Repeat("[", size-1),
		"deep objects":    strings.Repeat(`{"":`, size/4-1),
		"nested":          strings.Repeat("[", 255) + fill("0", ",0", "") + strings.Repeat("]", 255),
		"empty objects":   fill("[{}", ",{}", "]"),
		"repeated names":  fill(`{"a":1`, `,"a":1`, "}"),
		"escaped names":   fill(`{"\u0061":1`, `,"\u0062":1`, "}"),
		"whole numbers":   fill("[1", ",1", "]"),
		"rounded numbers": fill("[9007199254740992", ",9007199254740994", "]"),
		"one string":      fill(`"`, "é/<", `"`),
		"cut":             fill(`{"a":"`, `é"`, ``),
		"controls":        fill("", "\x00", ""),
		"percent":         fill("a=", "%41&b=", ""),
		"base64":          fill("", "QUJD", ""),
		"line ends":       fill("", "\r\n", ""),
		"not UTF-8":       fill("", "\xff", ""),
		"zeros zipped":    zippedZeros(64),
	}
}

// zippedZeros is a compressed text of so many MiB.
func zippedZeros(n int) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for range n {
		_, _ = w.Write(make([]byte, 1<<20))
	}
	_ = w.Close()
	return b.String()
}

func TestNastyBodiesStayWithinTheMemory(t *testing.T) {
	bodies := nastyBodies()
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			in := stamped(t, []byte(body), mac("another", "text"))
			in.Budget.Bytes = 64 << 20 // time is not looked at here
			e := explain.Explain(in)
			runtime.ReadMemStats(&after)
			if e == nil || e.Certainty == explain.Proven {
				t.Errorf("%+v", e)
			}
			if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 64<<20 {
				t.Errorf("the heap grew by %d MiB", grown>>20)
			}
			t.Logf("%d signatures, the heap has grown by %d MiB", e.Tried.Signatures, (int64(after.HeapSys)-int64(before.HeapSys))>>20)
		})
	}
}

func TestNastyHeadersAreBounded(t *testing.T) {
	in := stamped(t, []byte(body), mac("another", "text"))
	for _, value := range []string{
		strings.Repeat(",", 1<<16), strings.Repeat("t=1,", 1<<14), strings.Repeat("v1=", 1<<14), strings.Repeat(`"`, 1<<16),
		strings.Repeat("t=1,v1="+mac("a", "b")+",", 1<<9),
	} {
		in.Received.Header = nil
		for range 2000 {
			in.Received.Header = append(in.Received.Header, sign.Header{Name: "X-Kudos-Signature", Value: value}, sign.Header{Name: "X-Timestamp", Value: value})
		}
		if e := explain.Explain(in); e == nil || e.Certainty == explain.Proven || e.Tried.Signatures > 50_000 {
			t.Errorf("%.20s: %+v", value, e)
		}
	}
}
