package explain

import (
	"strings"
)

// readRepaired reads a value of the signature header after each repair that it
// may need.
func (s *search) readRepaired(value string) {
	prefix, sep, several := item(s.p)
	try := func(repaired string, kind Kind, detail string) {
		if repaired != value && !isBlank(repaired) {
			s.readValue(repaired, fault{kind: kind, detail: detail})
		}
	}
	trimmed := strings.TrimSpace(value)
	try(trimmed, headerWhitespace, "")
	try(strings.Trim(value, "\"'` \t"), headerQuoted, "")
	try(strings.NewReplacer(`"`, "", "'", "").Replace(value), headerQuoted, "")
	if !several {
		// The whole value is one signature: any separator joins two.
		for _, by := range [...]string{",", " ", ";", "\n"} {
			if parts := fields(value, by); len(parts) > 1 && len(parts) <= 8 {
				for _, part := range parts {
					try(part, headerCombined, "two values in one line")
				}
			}
		}
	}
	if sep != "," && prefix != "" {
		try(strings.ReplaceAll(strings.ReplaceAll(value, ", ", ","), ","+prefix, sep+prefix), headerCombined, "two values in one line")
	}
	groups := grouped(fields(value, sep), prefix)
	if strings.TrimSpace(sep) == "" {
		groups = grouped(fields(value, ","), prefix)
	}
	for _, g := range groups[:min(len(groups), 8)] {
		if len(groups) > 1 {
			try(strings.Join(g, sep), headerCombined, "two values in one line")
		} else {
			try(strings.Join(g, sep), headerSpaceAfterComma, "")
		}
	}
	try(strings.Join(strings.Fields(value), ""), headerWhitespace, "")
	s.readVersions(trimmed, prefix, sep, several)
}

// fields are the trimmed parts of a text, blank ones left out.
func fields(text, sep string) []string {
	var all []string
	for part := range strings.SplitSeq(text, sep) {
		if part = strings.TrimSpace(part); part != "" && len(all) < 64 {
			all = append(all, part)
		}
	}
	return all
}

// grouped parts items where the first one's name comes again. Signatures repeat
// inside a group.
func grouped(items []string, prefix string) [][]string {
	var groups [][]string
	first := ""
	for i, it := range items {
		name, _, _ := strings.Cut(it, "=")
		if i == 0 {
			first = name
		}
		if i == 0 || name == first && !(prefix != "" && strings.HasPrefix(it, prefix)) {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], it)
	}
	return groups
}

// readVersions reads the value as if a signature under another version's name
// had the documented one. It does nothing where the documented name is there.
func (s *search) readVersions(value, prefix, sep string, several bool) {
	if prefix == "" {
		return
	}
	items := []string{value}
	if several {
		items = strings.Split(value, sep)
	}
	for _, it := range items {
		if strings.HasPrefix(strings.TrimSpace(it), prefix) {
			return
		}
	}
	end := prefix[len(prefix)-1:]
	for i, it := range items[:min(len(items), 16)] {
		name, rest, ok := strings.Cut(strings.TrimSpace(it), end)
		if !ok && len(items) == 1 {
			rest = strings.TrimSpace(it) // the digest without its documented prefix
			s.readValue(prefix+rest, fault{kind: headerPrefixUnexpected, detail: "missing"})
			continue
		}
		if !ok || len(rest) < leastDigits || name == "t" {
			continue
		}
		changed := append([]string{}, items...)
		changed[i] = prefix + rest
		s.readValue(strings.Join(changed, sep), fault{kind: headerWrongVersionOnly, detail: quote(name + end)})
	}
}
