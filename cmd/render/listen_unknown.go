package render

import (
	"slices"
	"strings"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// mostNames is how many headers are listed.
const mostNames = 12

// unknown says what came in place of one known signature header, and what to do.
func (l *Listen) unknown(p *printer, r listen.Request) {
	if len(l.Known) == 0 {
		return
	}
	arrived, fix := "No known signature header: ", "Say whose it is with -p NAME."
	if fitting := sign.Recognise(l.Known, r.Header); len(fitting) > 1 {
		var names []string
		for _, p := range fitting {
			names = append(names, p.Name)
		}
		arrived = "The headers of several profiles, " + strings.Join(names, ", ") + ": "
	} else if name, p := l.near(r.Header); p != nil {
		fix = "Is " + name + " the " + sign.SignatureHeader(p).Name + " of " + p.Name + "? Compare it with what the sender sets, or say whose it is with -p " + p.Name + "."
	}
	p.line(l.style.gutter(listenNote, plain, "arrived", arrived+headerNames(r.Header)+"."))
	p.line(l.style.gutter(listenNote, plain, "fix", fix))
}

// near is a header whose name may be meant for a signature header, and whose
// that is; nil: none.
func (l *Listen) near(header []sign.Header) (string, *profiles.Profile) {
	known, of := []string{}, map[string]*profiles.Profile{}
	for _, p := range l.Known {
		if name := strings.ToLower(sign.SignatureHeader(p).Name); name != "" && of[name] == nil {
			known, of[name] = append(known, name), p
		}
	}
	for _, h := range header[:min(len(header), 10*mostNames)] {
		name := strings.TrimPrefix(strings.ToLower(strings.ReplaceAll(h.Name, "_", "-")), "http-")
		found := name // as CGI writes it
		if of[name] == nil {
			found = profiles.Near(name, known)
		}
		if found != "" {
			return Escape(h.Name), of[found]
		}
	}
	return "", nil
}

// headerNames lists the headers, each once.
func headerNames(header []sign.Header) string {
	var names []string
	for _, h := range header {
		name := Escape(h.Name)
		if slices.Contains(names, name) {
			continue
		}
		if len(names) == mostNames {
			names = append(names, "and more")
			break
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return "no header at all"
	}
	return strings.Join(names, ", ")
}
