package profiles

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// buildHeaders reads the headers and tells names that cannot stand, and where
// {signature} is not exactly once.
func (s *source) buildHeaders(p *Profile, root *yaml.Node) {
	headers, retry := get(root, "headers"), get(root, "retry_headers")
	spelled := map[string]*yaml.Node{}
	signed, sound := false, true
	read := func(n *yaml.Node, first bool) []Header {
		var all []Header
		for key, value := range pairs(n) {
			if s.bad[key] {
				continue
			}
			if err := headerName(key.Value); err != nil {
				s.fault(key, "", "%v", err)
			}
			lower := strings.ToLower(key.Value)
			if before := spelled[lower]; before != nil {
				s.fault(key, "", "repeated header %s (first in line %d)", quote(key.Value), before.Line)
			}
			spelled[lower] = key
			t, err := parseValue(s.value(value))
			if err != nil {
				sound = false
				continue
			}
			switch n := count(t, "signature"); {
			case n > 0 && !first:
				s.fault(value, "", "{signature} stands in headers, not in retry_headers")
			case n > 1 || n == 1 && signed:
				s.fault(value, "", "{signature} must stand in exactly one header, once")
			}
			signed = signed || t.Has("signature")
			all = append(all, Header{Name: key.Value, Value: t})
		}
		return all
	}
	p.Headers, p.RetryHeaders = read(headers, true), read(retry, false)
	if headers != nil && headers.Kind == yaml.MappingNode && !signed && sound {
		s.fault(keyOf(root, "headers"), "", "no header holds {signature}")
	}
}

// buildRules reads the rules and tells those that can never match.
func (s *source) buildRules(p *Profile, n *yaml.Node) {
	var seen covered // not made of a literal, which would stand on the stack twice
	seen.failures = map[Failure]bool{}
	// What never reaches the rules is as good as decided.
	seen.failures[NoSecret] = !p.Secret.NoneFail
	seen.failures[BlockedAddress] = !p.Delivery.RefusePrivate
	last := true // the last rule has any
	rules := items(n)
	for _, node := range rules {
		on := get(node, "on")
		r := Rule{
			Then: Verdict(s.text(node, "then")), Effects: s.effects(get(node, "effects")),
			Because: s.text(node, "because"), Hint: s.text(node, "hint"),
			Warn: s.text(node, "warn"), Assumed: s.text(node, "assumed"),
		}
		sound := on != nil && len(items(on)) > 0
		for _, item := range items(on) {
			i, err := parseItem(s.value(item))
			if err != nil {
				sound = false
				continue
			}
			r.On = append(r.On, i)
		}
		if sound {
			if why := seen.never(p, r.On); why != "" {
				s.fault(on, "", "this rule can never match: %s", why)
			}
		}
		last = !sound
		for _, i := range r.On {
			seen.add(i)
			last = last || i.Any
		}
		p.Delivery.Rules = append(p.Delivery.Rules, r)
	}
	if len(rules) > 0 && !last && !seen.any {
		s.fault(rules[len(rules)-1], "", "the last rule must be for any")
	}
}

// covered is what the rules so far decide.
type covered struct {
	status   [1000]bool
	failures map[Failure]bool
	any      bool
}

// add notes that an item is decided.
func (c *covered) add(i Item) {
	c.any = c.any || i.Any
	for status := i.Low; status <= i.Up && i.Up > 0; status++ {
		c.status[status] = true
	}
	for _, f := range i.Failures {
		c.failures[f] = true
	}
}

// never says why a rule for the items can never match, or "".
func (c *covered) never(p *Profile, items []Item) string {
	switch alone := len(items) == 1; {
	case c.any:
		return "it stands after any"
	case !c.all(items):
		return ""
	case alone && items[0].Text == string(NoSecret) && !p.Secret.NoneFail:
		return "no-secret needs none: failed in secret"
	case alone && items[0].Text == string(BlockedAddress) && !p.Delivery.RefusePrivate:
		return "blocked-address needs refuse_private: true in delivery.url"
	default:
		return "the rules before it decide " + texts(items)
	}
}

// all reports whether everything that the items stand for is decided.
func (c *covered) all(items []Item) bool {
	for _, i := range items {
		if i.Any {
			return false
		}
		for status := i.Low; status <= i.Up && i.Up > 0; status++ {
			if !c.status[status] {
				return false
			}
		}
		for _, f := range i.Failures {
			if !c.failures[f] {
				return false
			}
		}
	}
	return true
}

// texts lists items for a message.
func texts(items []Item) string {
	var all []string
	for _, i := range items {
		all = append(all, i.Text)
	}
	if len(all) > 4 {
		all = append(all[:4], "...")
	}
	return strings.Join(all, ", ")
}
