package explain

import (
	_ "embed"
	"strings"
)

// texts.txt has the words of each kind, words.txt lists.
var (
	//go:embed texts.txt
	textsFile string
	//go:embed words.txt
	wordsFile string
)

// words finds words in the two files, when they are asked for.
type words struct {
	texts, lists string
}

func newWords() *words { return &words{textsFile, wordsFile} }

// list is the list of that name; blanks in its lines count.
func (w *words) list(name string) []string {
	_, rest, _ := strings.Cut(w.lists, "\n= "+name+"\n")
	rest, _, _ = strings.Cut(rest, "\n= ")
	var all []string
	for line := range strings.Lines(rest) {
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// text is the text of a kind under a key, or "".
func (w *words) text(k Kind, key string) string {
	_, rest, _ := strings.Cut(w.texts, "\n["+string(k)+"]\n")
	rest, _, _ = strings.Cut(rest, "\n[")
	for line := range strings.Lines(rest) {
		if text, ok := strings.CutPrefix(line, key+": "); ok {
			return strings.TrimSuffix(text, "\n")
		}
	}
	return ""
}

// frameworks says how frameworks give the bytes of a body, those of a family of
// languages; "" is all.
func (w *words) frameworks(family string) string {
	if family == "" {
		family = "-"
	}
	general := ""
	for _, line := range w.list("frameworks") {
		name, text, _ := strings.Cut(line, " ")
		if name == family {
			return text
		}
		if name == "-" {
			general = text
		}
	}
	return general
}

// familyOfPlaceholder is the family of languages that write such a text in
// place of a body, or "".
func (w *words) familyOfPlaceholder(text []byte) string {
	for _, line := range w.list("families of placeholders") {
		family, beginning, _ := strings.Cut(line, " ")
		if strings.HasPrefix(string(text), beginning) {
			return family
		}
	}
	return ""
}

// helps are what would help where nothing matched.
func (w *words) helps() []Help {
	var all []Help
	for _, line := range w.list("helps") {
		says, flag, _ := strings.Cut(line, "|")
		all = append(all, Help{says, flag})
	}
	return all
}
