package cmd

import (
	"slices"
	"strings"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/send/conform"
)

// checkList lists the checks, or the requests of some; as the profile makes
// them, if one is named.
func (a *app) checkList(o *checkOptions, args []string, line *commandLine) error {
	if slices.ContainsFunc(args, meansURL) {
		line.args = slices.DeleteFunc(slices.Clone(args), meansURL)
		return misuse("--list takes names of checks, no URL").with("without it:", line.String())
	}
	all := conform.Checks()
	ids := idList(slices.Concat(args, o.only))
	if len(ids) > 0 {
		all = nil
		for _, id := range ids {
			c, err := conform.Find(id)
			if err != nil {
				return checkFault(err, nil)
			}
			all = append(all, c)
		}
	}
	conf, err := a.config()
	if err != nil {
		return err
	}
	if name := a.profileName(o.profile, conf); name != "" {
		p, err := a.profileNamed(name)
		if err != nil {
			return err
		}
		for i, c := range all {
			all[i] = c.For(p)
		}
	}
	if o.out.json {
		return send.WriteDocument(a.out, conform.ListDocument(all))
	}
	return render.CheckList(a.out, a.outStyle(), all, len(ids) > 0)
}

// meansURL reports whether a word that should name checks is a URL, or a port
// that is no check's number.
func meansURL(word string) bool {
	_, err := conform.Find(word)
	return err != nil && (strings.ContainsAny(word, ":/.") || isPort(word))
}
