package render

import (
	"strconv"
	"strings"

	"github.com/hookctl/hookctl/send/conform"
)

// rotation is the rehearsal of a rotation as a grid.
func (d *checkDrawing) rotation() {
	if len(d.report.Rotation) == 0 {
		return
	}
	const first, second = "rotation: signed with", 14
	words := make([]string, len(d.report.Rotation))
	width := second
	for i, row := range d.report.Rotation {
		words[i] = Escape(row.Answer) + " " + acceptedWord(row.Accepted)
		width = max(width, columns(words[i])+2)
	}
	wide := !d.style.narrow()
	for _, row := range d.report.Rotation {
		wide = wide && len(first)+2+width+columns(d.rotated(row.SignedWith)) <= d.style.width()
	}
	when := "when " + Escape(d.report.Profile.Title) + " sends this"
	head := padRight(first, len(first)+2) + padRight("answer", width)
	if wide {
		head += when
	}
	d.line(d.style.paint(dim, strings.TrimRight(head, " ")))
	for i, row := range d.report.Rotation {
		word := acceptedWord(row.Accepted)
		shown := strings.TrimSuffix(words[i], word) + d.style.paint(acceptedRole(row.Accepted), word)
		line := padRight("  "+strings.ReplaceAll(row.SignedWith, "+", ", "), len(first)+2)
		if !wide {
			d.line(line + shown)
			continue
		}
		d.line(line + padRight(shown, width) + d.rotated(row.SignedWith))
	}
	d.line("")
}

// rotated says when the provider sends what is signed like this.
func (d *checkDrawing) rotated(with string) string {
	if d.report.Profile.Secret.Active < 2 {
		return map[string]string{"old": "from the webhook that goes", "new": "from the webhook that comes"}[with]
	}
	return map[string]string{
		"old": "before the rotation", "old+new": "while both secrets are active",
		"new+old": "in this order never; other senders do", "new": "once the old secret is revoked",
	}[with]
}

func acceptedWord(accepted bool) string {
	if accepted {
		return "accepted"
	}
	return "refused"
}

func acceptedRole(accepted bool) role {
	if accepted {
		return good
	}
	return bad
}

// counts is how many checks of each level ended how.
func (d *checkDrawing) counts() {
	states := []conform.State{conform.Pass, conform.Fail, conform.Inconclusive, conform.Skip}
	head := blanks(10)
	for _, s := range states {
		head += "  " + padLeft(string(s), 4)
	}
	d.line(d.style.paint(dim, head))
	for _, level := range []conform.Level{conform.Required, conform.Advice} {
		counts := map[conform.State]int{}
		for _, c := range d.results {
			if c.Level == level {
				counts[c.State]++
			}
		}
		line := padRight(string(level), 10)
		for _, s := range states {
			line += "  " + padLeft(strconv.Itoa(counts[s]), max(4, len(s)))
		}
		d.line(line)
	}
	d.line("")
}

// compared is what changed since an earlier report.
func (d *checkDrawing) compared() {
	c := d.report.Compared
	if c == nil {
		return
	}
	list := func(word string, r role, ids []string) {
		text := "none"
		if len(ids) > 0 {
			text = strings.Join(ids, ", ")
		} else {
			r = plain
		}
		wrapped := d.style.wrap(word+": "+text, "  ")
		d.line(d.style.paint(r, word) + strings.TrimPrefix(wrapped, word))
	}
	list("fixed", good, c.Fixed)
	list("regressed", bad, c.Regressed)
	d.line("same: " + count(len(c.Same), "check"))
	d.line("")
}

// unseen is what no check from outside can tell.
func (d *checkDrawing) unseen() {
	d.line(d.style.wrap("not visible from outside: a constant-time comparison, where the secret is stored, whether a 2xx comes after a durable write, later effects, alerting, reconciliation", "  "))
	d.line("")
}
