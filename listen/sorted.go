package listen

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hookctl/hookctl/sign"
)

// sortedHeader is the header as net/http kept it, for a Receiver on another
// server: Host first, then by name.
func sortedHeader(req *http.Request) []sign.Header {
	header := make([]sign.Header, 0, len(req.Header)+1)
	if req.Host != "" {
		header = append(header, sign.Header{Name: "Host", Value: req.Host})
	}
	return append(header, sorted(req.Header)...)
}

// sorted lists a header by name.
func sorted(h http.Header) []sign.Header {
	list := make([]sign.Header, 0, len(h))
	for name, values := range h {
		for _, v := range values {
			list = append(list, sign.Header{Name: name, Value: v})
		}
	}
	slices.SortStableFunc(list, func(a, b sign.Header) int { return strings.Compare(a.Name, b.Name) })
	return list
}
