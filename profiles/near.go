package profiles

import "strings"

// Near is the candidate closest to name, if one is close enough to have been
// meant; else "". Case counts for nothing; of equally close ones the first is
// taken.
func Near(name string, candidates []string) string {
	const longest = 100 // of a word that can be a slip for another
	a := []rune(strings.ToLower(name))
	if len(a) == 0 || len(a) > longest {
		return ""
	}
	best, least := "", slips(len(a))+1
	for _, c := range candidates {
		if c == name || len(c) > 4*longest {
			continue
		}
		b := []rune(strings.ToLower(c))
		if d := len(a) - len(b); d >= least || -d >= least {
			continue
		}
		if d := distance(a, b); d < least {
			best, least = c, d
		}
	}
	return best
}

// slips is how many changes a word of n characters may have and still be
// recognised.
func slips(n int) int {
	switch {
	case n < 3:
		return 1
	case n < 8:
		return 2
	default:
		return 3
	}
}

// distance is how many characters must be added, dropped, changed or swapped
// with their neighbour to make b of a.
func distance(a, b []rune) int {
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		older, old, row = old, row, older
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
