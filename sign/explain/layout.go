package explain

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// A layoutForm is another signed text around the body.
type layoutForm struct {
	reading       *reading
	before, after []byte
	bare          bool // the body is not in it
	fault         fault
}

func (l *layoutForm) body(s *search) []byte {
	if l.bare {
		return nil
	}
	return s.body
}

// A layout is a form of signed text: {t} time, {b} body, {i} id, {u} address,
// {h} hex SHA-256 of the body, {g} the same in base64, {r} its bytes.
type layout struct {
	kind Kind
	form string
}

func layoutList() []layout {
	list := []layout{{timestampNotSigned, "{b}"}}
	for _, sep := range [...]string{"", ":", "\n", ",", ".\n", "-", "_", " ", "|", "/", ";", "&", "=", "+", "..", "\r\n", "\t", "\x00", `\n`} {
		list = append(list, layout{separatorWrong, "{t}" + sep + "{b}"})
	}
	for _, form := range [...]string{
		"{t}.{b}", "v0:{t}:{b}", "v1:{t}:{b}", "v1.{t}.{b}", "v0.{t}.{b}", "t={t}.{b}", "t={t},{b}", "t={t}{b}", "t={t}&{b}", "{t}.{b}.",
		"{i}.{t}.{b}", "{i}:{t}:{b}", "{i}{t}{b}", "{i}.{b}",
	} {
		list = append(list, layout{separatorWrong, form})
	}
	list = append(list, layout{separatorWrong, "{b}"})
	for _, form := range [...]string{"{b}.{t}", "{b}{t}", "{b}:{t}", "{b},{t}", "{b}\n{t}", "{b}|{t}", "{t}.{i}.{b}", "{i}.{b}.{t}"} {
		list = append(list, layout{signedContentOrder, form})
	}
	for _, form := range [...]string{"{t}.{h}", "{h}", "{t}{h}", "{t}:{h}", "{h}.{t}", "{t}.{g}", "{g}", "{i}.{t}.{h}", "{t}.{r}", "{t}{r}", "{r}"} {
		list = append(list, layout{bodyHashSigned, form})
	}
	for _, form := range [...]string{"{u}{b}", "{u}.{b}", "{u}:{b}", "{u}\n{b}", "{t}.{u}.{b}", "{t}{u}{b}", "{u}.{t}.{b}", "{u}{t}{b}", "{t}.{u}{b}", "{u}{t}.{b}", "POST{u}{b}{t}", "POST{u}{b}", "POST\n{u}\n{b}", "{b}{u}"} {
		list = append(list, layout{urlSigned, form})
	}
	return list
}

// layouts tries the other signed texts.
func (s *search) layouts() bool {
	forms := s.layoutForms()
	s.tried.Layouts += len(forms)
	for i := range forms {
		l := &forms[i]
		for _, k := range s.keys {
			if s.try(l.reading, k, l.before, l.body(s), l.after, &l.fault) {
				return true
			}
		}
	}
	return false
}

// layoutForms are the signed texts of all layouts that differ from the
// documented one.
func (s *search) layoutForms() []layoutForm {
	var all []layoutForm
	sum := sha256.Sum256(s.body)
	digest, digest64 := hex.EncodeToString(sum[:]), base64.StdEncoding.EncodeToString(sum[:])
	for _, r := range s.main() {
		if len(r.targets) > 0 && s.timed() && r.time == "" {
			continue // the body alone was tried, and there is no time
		}
		id, _ := r.parts.Value("id")
		old := newSeen()
		old.add(marked(r.before, r.after))
		for _, l := range layoutList() {
			if strings.Contains(l.form, "{t}") && r.time == "" || strings.Contains(l.form, "{i}") && id == "" ||
				l.kind == timestampNotSigned && !s.timed() {
				continue
			}
			for _, address := range addresses(s.in.Received.URL, l.form) {
				filled := strings.NewReplacer("{t}", r.time, "{i}", id, "{h}", digest, "{g}", digest64, "{r}", string(sum[:]), "{u}", address).Replace(l.form)
				before, after, found := strings.Cut(filled, "{b}")
				if !old.add(marked([]byte(before), []byte(after))) {
					continue
				}
				all = append(all, layoutForm{
					reading: r, before: []byte(before), after: []byte(after), bare: !found,
					fault: fault{kind: l.kind, detail: s.shown(l.form, address)},
				})
			}
		}
		all = append(all, s.addressForms(r)...)
	}
	return all
}

// marked is a text for the signed text around a body.
func marked(before, after []byte) []byte {
	return append(append(append([]byte{}, before...), "\x00{b}\x00"...), after...)
}

// shown is a layout as a profile writes it.
func (s *search) shown(form, address string) string {
	if address != "" {
		return quote(strings.NewReplacer("{t}", "{timestamp}", "{b}", "{body}", "{u}", "{url}").Replace(form)) + " with the address " + wholeURL(address)
	}
	return quote(strings.NewReplacer("{t}", "{timestamp}", "{b}", "{body}", "{i}", "{id}", "{h}", "{sha256 of body}", "{g}", "{base64 of sha256 of body}", "{r}", "{bytes of sha256 of body}").Replace(form))
}

// addressForms are the documented text with other spellings of the address that
// it holds.
func (s *search) addressForms(r *reading) []layoutForm {
	if !s.p.Signature.Content.Has("url") {
		return nil
	}
	var all []layoutForm
	for _, address := range addresses(s.in.Received.URL, "{u}") {
		if before, after, ok := s.expandURL(r, address); ok {
			all = append(all, layoutForm{reading: r, before: before, after: after, fault: fault{kind: urlSigned, detail: "the address " + wholeURL(address) + " too"}})
		}
	}
	return all
}

// expandURL is the documented text around the body with another address.
func (s *search) expandURL(r *reading, address string) (before, after []byte, ok bool) {
	return s.around(func(name string) (string, bool) {
		if name == "url" {
			return address, true
		}
		return r.parts.Value(name)
	})
}

// addresses are the spellings of the address that was called: both schemes, with
// and without the slash at its end, the port, the query. A form without an
// address has one, "".
func addresses(address, form string) []string {
	if !strings.Contains(form, "{u}") {
		return []string{""}
	}
	if address == "" || len(address) > 4096 {
		return nil
	}
	all := []string{address}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return all
	}
	path := u.EscapedPath()
	query := ""
	if u.RawQuery != "" {
		query = "?" + u.RawQuery
	}
	hosts := []string{u.Host, u.Hostname()}
	if u.Port() == "" {
		hosts = append(hosts, u.Host+":443", u.Host+":80")
	}
	bare := strings.TrimSuffix(path, "/")
	for _, scheme := range [...]string{"https://", "http://"} {
		for _, host := range hosts {
			for _, p := range [...]string{path, bare, bare + "/"} {
				all = append(all, scheme+host+p+query)
				if query != "" {
					all = append(all, scheme+host+p)
				}
			}
		}
	}
	all = append(all, path, path+query, bare)
	return slices.DeleteFunc(all, func(address string) bool { return address == "" })
}

// wholeURL quotes a URL whole, so that it can be copied, unless it is absurd.
func wholeURL(url string) string {
	const absurd = 2048
	if len(url) > absurd {
		return quote(url)
	}
	return strconv.Quote(url)
}
