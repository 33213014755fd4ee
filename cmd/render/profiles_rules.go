package render

import (
	"strconv"
	"strings"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// Where the parts of a rule stand, in columns.
const (
	ruleItemEnd = 20
	ruleTextAt  = ruleItemEnd + len(arrow) + widestVerdict + gapWidth
)

// rules draws the rules in the order in which they are tried, a line an item.
func (p *prose) rules() {
	p.line("")
	p.under("rules")
	var tried []profiles.Item
	for _, rule := range p.profile.Delivery.Rules {
		for i, item := range rule.On {
			p.rule(rule, item, p.ruleText(rule, i, tried))
			tried = append(tried, item)
		}
	}
	p.line("")
}

// rule draws one item of a rule.
func (p *prose) rule(rule profiles.Rule, item profiles.Item, text string) {
	var r row
	r.add(plain, p.label)
	p.label = ""
	r.right(dim, Escape(item.Text), ruleItemEnd-r.used)
	r.add(plain, arrow)
	r.add(verdictRole(rule.Then), Escape(string(rule.Then)))
	if text == "" {
		p.line(p.style.whole(r))
		return
	}
	r.until(ruleTextAt)
	lead := p.style.whole(r) // loses the blanks at its end
	lead += blanks(ruleTextAt - columns(lead))
	p.line(p.style.mark(p.style.hang(lead, text)))
}

// ruleText says what one item of a rule covers beyond its name, and what the
// rule does besides its verdict. Items tried before are not covered again.
func (p *prose) ruleText(rule profiles.Rule, i int, tried []profiles.Item) string {
	var parts []string
	add := func(text string) {
		if text != "" {
			parts = append(parts, text)
		}
	}
	item := rule.On[i]
	add(covers(item, tried))
	var effects []string
	for _, effect := range rule.Effects {
		effects = append(effects, effectWords(effect))
	}
	add(profiles.List(effects, "and"))
	if i == 0 {
		add(Escape(rule.Warn))
		add(Escape(rule.Hint))
	}
	text := strings.Join(parts, "; ")
	if rule.Assumed != "" || p.assumed("delivery.rules") != "" {
		text = strings.TrimPrefix(text+" (assumed)", " ")
	}
	return text
}

// covers says what an item stands for.
func covers(item profiles.Item, tried []profiles.Item) string {
	switch {
	case item.Any:
		return leftOver(tried)
	case len(item.Failures) == 1 && item.Failures[0] == profiles.BlockedAddress:
		return "with --strict"
	case len(item.Failures) > 1:
		var left []string
		for _, f := range item.Failures {
			if !matched(tried, profiles.Outcome{Failure: f}) {
				left = append(left, Escape(string(f)))
			}
		}
		return strings.Join(left, ", ")
	}
	return ""
}

// leftOver is what the items tried before leave for any.
func leftOver(tried []profiles.Item) string {
	var left []string
	for class := 2; class <= 5; class++ {
		free := 0
		for status := class * 100; status < class*100+100; status++ {
			if !matched(tried, profiles.Outcome{Status: status}) {
				free++
			}
		}
		name := strconv.Itoa(class) + "xx"
		switch {
		case free == 100:
			left = append(left, name)
		case free > 0:
			left = append(left, "other "+name)
		}
	}
	if len(left) == 0 {
		return "everything else"
	}
	return strings.Join(left, ", ") + " and everything else"
}

func matched(items []profiles.Item, o profiles.Outcome) bool {
	for _, item := range items {
		if item.Matches(o) {
			return true
		}
	}
	return false
}

// strict says what --strict applies.
func (p *prose) strict() {
	p.under("strict")
	d := p.profile.Delivery
	if d.HTTPSOnly {
		p.say("the URL must begin with https://" + p.assumed("delivery.url.https_only"))
	}
	if d.RefusePrivate {
		verdict := send.Judge(p.profile, profiles.Outcome{Failure: profiles.BlockedAddress}).Then
		p.say("a private, loopback or link-local address: " + string(verdict) + ", no request is sent" +
			p.assumed("delivery.url.refuse_private"))
	}
}
