package cmd

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/hookctl/hookctl/send"
)

// listenPort is the port of listen, and so the one that send tries: "HOOK" on a
// phone.
const listenPort = "4665"

// defaultTarget is where send delivers if nothing says otherwise.
const defaultTarget = "http://localhost:" + listenPort + "/"

// parseTarget makes a URL of http(s)://..., host:port/path, :3000/path or 3000. An
// error shows no password, wherever it stands.
func parseTarget(s string) (*url.URL, error) {
	full := s
	scheme, _, _ := strings.Cut(s, "://")
	switch {
	case strings.EqualFold(scheme, "http") && scheme != s, strings.EqualFold(scheme, "https") && scheme != s:
	case strings.Contains(s, "://"):
		return nil, misuse("the URL must begin with http:// or https://")
	case strings.HasPrefix(s, ":"):
		full = "http://localhost" + s
	case isPort(s):
		full = "http://localhost:" + s
	default:
		full = "http://" + s
	}
	if port, path, ok := strings.Cut(s, "/"); ok && isPort(port) {
		return nil, misuse("%s names no host", quoted(s)).with("did you mean :"+port+"/"+oneLine(path)+"?", "")
	}
	no := misuse("%s is not a URL", quoted(unparsed(s))).with("a URL, host:port/path, :3000/path or a port", "")
	u, err := url.Parse(full)
	if err != nil || u.Hostname() == "" || u.Opaque != "" {
		return nil, no
	}
	if host := strings.ToLower(u.Hostname()); full != s && (host == "http" || host == "https") { // http//host, http:host
		return nil, no
	}
	if p := u.Port(); p != "" && !isPort(p) {
		return nil, misuse("%s has no port from 1 to 65535", quoted(shownTarget(s)))
	}
	if full != s && u.Port() == "" && !send.Local(u.Hostname()) && !strings.ContainsAny(s, "./") {
		return nil, no
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// unparsed is what is no URL as it may be shown: of what stands before its last @
// no more than the scheme and a name.
func unparsed(s string) string {
	at := strings.LastIndexByte(s, '@')
	if at < 0 {
		return s
	}
	scheme, user, ok := strings.Cut(s[:at], "//")
	if ok {
		scheme += "//"
	} else {
		scheme, user = "", s[:at]
	}
	user, _, _ = strings.Cut(user, ":")
	return scheme + user + ":***" + s[at:]
}

// isPort reports whether s is a port, from 1 to 65535.
func isPort(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n > 0 && n < 1<<16 && s[0] != '+'
}

// loopbackHost reports whether a host is this machine's loopback.
func loopbackHost(host string) bool {
	if send.Local(host) {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// developmentTarget reports whether the development secret may be used for a
// URL: loopback and the port of listen.
func developmentTarget(u *url.URL) bool {
	return loopbackHost(u.Hostname()) && u.Port() == listenPort
}

// hostPort is a URL's host and port, the port of its scheme if it names none.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443"}[u.Scheme]
		if port == "" {
			port = "80"
		}
	}
	return net.JoinHostPort(u.Hostname(), port)
}
