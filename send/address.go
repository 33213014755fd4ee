package send

import "net/netip"

// Private says what kind of address no public host has: "loopback", "private",
// "link-local" (with 169.254.169.254), "unique-local", "unspecified", "shared"
// (100.64.0.0/10), "multicast" or "broadcast"; "" for any other. An IPv4 address
// inside IPv6 (mapped, compatible, NAT64, 6to4) is judged as the IPv4 address.
func Private(a netip.Addr) string {
	a = a.WithZone("").Unmap()
	switch {
	case a.IsLoopback():
		return "loopback"
	case a.IsUnspecified():
		return "unspecified"
	case a.IsLinkLocalUnicast():
		return "link-local"
	case a.IsMulticast():
		return "multicast"
	case a.IsPrivate() && a.Is4():
		return "private"
	case a.IsPrivate():
		return "unique-local"
	case a.Is4():
		return privateIPv4(a.As4())
	case a.Is6():
		if inner, ok := embedded(a.As16()); ok {
			return Private(inner)
		}
	}
	return ""
}

// privateIPv4 knows the ranges that netip has no method for.
func privateIPv4(b [4]byte) string {
	switch {
	case b[0] == 0:
		return "unspecified"
	case b[0] == 100 && b[1]&0xc0 == 64:
		return "shared"
	case b == [4]byte{255, 255, 255, 255}:
		return "broadcast"
	}
	return ""
}

// embedded is the IPv4 address that an IPv6 address carries.
func embedded(b [16]byte) (netip.Addr, bool) {
	prefix, last := [12]byte(b[:12]), [4]byte(b[12:])
	switch {
	case prefix == [12]byte{}: // compatible, ::/96
	case prefix == [12]byte{1: 0x64, 2: 0xff, 3: 0x9b}: // NAT64, 64:ff9b::/96
	case b[0] == 0x20 && b[1] == 0x02: // 6to4, 2002::/16
		last = [4]byte(b[2:6])
	default:
		return netip.Addr{}, false
	}
	return netip.AddrFrom4(last), true
}

// kindOf is the kind of address that s begins with, of the form of
// Failure.Tried, and the address alone.
func kindOf(s string) (addr, kind string) {
	ap, err := netip.ParseAddrPort(s)
	if err != nil {
		return "", ""
	}
	return ap.Addr().String(), Private(ap.Addr())
}

// article puts a or an before a kind of address.
func article(kind string) string {
	if kind == "unspecified" {
		return "an " + kind
	}
	return "a " + kind
}
