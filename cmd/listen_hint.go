package cmd

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/listen"
)

// hint names, once, the command that tells why the application refuses what
// verifies here.
func (l *listening) hint(r *listen.Request) {
	if l.hinted || r.Answer.By != listen.ByForward || r.Result == nil || !r.Result.Verified || r.Profile == nil {
		return
	}
	if s := r.Answer.Status; s != http.StatusUnauthorized && s != http.StatusForbidden {
		return
	}
	l.hinted = true
	text := fmt.Sprintf("the signature of #%d is right, and the application answered %d", r.Number, r.Answer.Status)
	if path := l.o.out.record; path != "" {
		line := l.line.only(programName+" verify", "--secret-env", "--secret-file", "--url").with("-p", r.Profile.Name).
			with("--from", path).with("--number", strconv.Itoa(r.Number)).with("--app-computed", "HEX")
		l.app.say(render.Hint, text+"; with the digest that it computes:", render.Escape(line.String()))
		return
	}
	to, err := parseTarget(l.o.forward)
	if err != nil {
		return
	}
	if asked, err := url.ParseRequestURI(r.Target); err == nil && to.Path == "/" {
		to.Path, to.RawPath, to.RawQuery = asked.Path, asked.RawPath, asked.RawQuery
	}
	line := l.line.only(programName+" check", "--secret-env", "--secret-file", "-k", "--cacert").with("-p", r.Profile.Name)
	l.app.say(render.Hint, text+"; what its check takes and refuses:", render.Escape(line.with("--only", "raw-bytes,wall").to(to.String()).String()))
}
