package send

import (
	"net/netip"
	"testing"
)

func TestPrivate(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1":                "loopback",
		"127.255.255.255":          "loopback",
		"::1":                      "loopback",
		"10.0.0.1":                 "private",
		"172.16.0.1":               "private",
		"172.31.255.255":           "private",
		"172.32.0.1":               "",
		"192.168.0.1":              "private",
		"169.254.169.254":          "link-local",
		"fe80::1%eth0":             "link-local",
		"fc00::1":                  "unique-local",
		"fdff::1":                  "unique-local",
		"0.0.0.0":                  "unspecified",
		"0.1.2.3":                  "unspecified",
		"::":                       "unspecified",
		"100.64.0.0":               "shared",
		"100.127.255.255":          "shared",
		"100.63.255.255":           "",
		"100.128.0.0":              "",
		"224.0.0.1":                "multicast",
		"239.255.255.255":          "multicast",
		"ff02::1":                  "multicast",
		"255.255.255.255":          "broadcast",
		"255.255.255.254":          "",
		"8.8.8.8":                  "",
		"2606:4700::1111":          "",
		"::ffff:127.0.0.1":         "loopback",
		"::ffff:8.8.8.8":           "",
		"::10.0.0.1":               "private",
		"::8.8.8.8":                "",
		"64:ff9b::169.254.169.254": "link-local",
		"64:ff9b::8.8.8.8":         "",
		"64:ff9b:1::10.0.0.1":      "",
		"2002:7f00:1::":            "loopback",
		"2002:808:808::1":          "",
	} {
		if got := Private(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %q, want %q", addr, got, want)
		}
	}
	if got := Private(netip.Addr{}); got != "" {
		t.Errorf("the zero address: %q", got)
	}
}
