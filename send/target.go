package send

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
)

// A target is where a Sender sends to.
type target struct {
	url        *url.URL // without userinfo and fragment
	host, port string   // host without brackets
	basic      string   // the value of Authorization, or ""
	text       string   // the whole of url
	path       string   // what a request asks for
	name       string   // the value of Host
}

// A URLError says why a URL cannot be sent to. It never holds the URL, which
// may have a password in it.
type URLError struct {
	Message string
}

func (e *URLError) Error() string { return "the URL " + e.Message }

// parseTarget reads an absolute http or https URL. An error is a *URLError.
func parseTarget(text string) (*target, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, &URLError{"cannot be read"}
	}
	t := &target{url: u, host: u.Hostname(), port: u.Port()}
	switch u.Scheme {
	case "http", "https":
	case "":
		return nil, &URLError{"has no http:// or https://"}
	default:
		return nil, &URLError{"is neither http nor https"}
	}
	if t.host == "" {
		return nil, &URLError{"has no host"}
	}
	if strings.IndexFunc(t.host, func(r rune) bool { return r <= ' ' || r >= 0x7f }) >= 0 {
		return nil, &URLError{"has a host that is not ASCII; write it as xn--"}
	}
	if t.port == "" {
		t.port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	if n, err := strconv.Atoi(t.port); err != nil || n < 1 || n > 65535 {
		return nil, &URLError{"has a port that is not from 1 to 65535"}
	}
	t.basic = BasicOf(u)
	u.Host = strings.TrimSuffix(u.Host, ":")
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	t.text, t.path, t.name = u.String(), u.RequestURI(), HostOf(u)
	return t, nil
}

// BasicOf is the value of Authorization in a request for a URL: its userinfo; ""
// if it has none.
func BasicOf(u *url.URL) string {
	if u.User == nil {
		return ""
	}
	password, _ := u.User.Password()
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password))
}

// HostOf is the value of Host in a request for a URL: its host and port, without
// the zone of an IPv6 address, which means nothing to others (RFC 6874, section 1).
func HostOf(u *url.URL) string {
	host := strings.TrimSuffix(u.Host, ":")
	address, rest, ok := strings.Cut(host, "%")
	end := strings.LastIndexByte(rest, ']')
	if !ok || end < 0 {
		return host
	}
	return address + rest[end:]
}
