package explain

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
)

// mostNames is how many outermost names are tried in every order.
const mostNames = 6

// outermost are the members of the outermost object.
func (s *search) outermost() []member {
	if s.doc == nil || s.doc.nodes[0].kind != objectNode {
		return nil
	}
	return s.doc.appendMembers(nil, 0)
}

// permutations are the body with its outermost names in every order.
func (s *search) permutations(yield func(bodyForm) bool) bool {
	all := s.outermost()
	if len(all) < 2 || len(all) > mostNames {
		return true
	}
	order := make([]member, len(all))
	arrange := func(i int32, _ int) []member {
		if i == 0 {
			return order
		}
		return nil
	}
	used := make([]bool, len(all))
	var place func(at int) bool
	place = func(at int) bool {
		if at == len(all) {
			s.buf = s.doc.rearranged(s.buf[:0], arrange)
			return yield(bodyForm{jsonKeyOrder, "outermost names in another order", s.buf})
		}
		for i := range all {
			if used[i] {
				continue
			}
			used[i], order[at] = true, all[i]
			if !place(at + 1) {
				return false
			}
			used[i] = false
		}
		return true
	}
	return place(0)
}

// mostSubsets is of how many numbers, or names with numbers, every subset is
// tried.
const mostSubsets = 10

// wholeNumbers are the body with some of its whole numbers as 1.0.
func (s *search) wholeNumbers(yield func(bodyForm) bool) bool {
	if s.doc == nil {
		return true
	}
	group := make([]int, len(s.doc.nodes)) // from 1; 0: not a whole number
	groups := s.numbersAlone(group)
	if groups > mostSubsets {
		groups = s.numbersByName(group)
	}
	if groups == 0 {
		return true
	}
	write := func(chosen func(g int) bool) bool {
		s.buf = s.doc.replaced(s.buf[:0], func(dst []byte, n *node, token []byte) []byte {
			dst = append(dst, token...)
			if g := group[s.place(n)]; g > 0 && chosen(g) {
				dst = append(dst, ".0"...)
			}
			return dst
		})
		return yield(bodyForm{jsonNumberFormat, "some whole numbers as 1.0", s.buf})
	}
	if groups <= mostSubsets {
		for set := 1; set < 1<<groups; set++ {
			if !write(func(g int) bool { return set>>(g-1)&1 == 1 }) {
				return false
			}
		}
		return true
	}
	for one := 1; one <= min(groups, 256); one++ {
		if !write(func(g int) bool { return g == one }) {
			return false
		}
	}
	return true
}

// place is the index of a node of the document, which is found by its start.
func (s *search) place(n *node) int {
	low, high := 0, len(s.doc.nodes)
	for low < high {
		mid := (low + high) / 2
		if s.doc.nodes[mid].start < n.start {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// numbersAlone puts each whole number into a group of its own.
func (s *search) numbersAlone(group []int) int {
	groups := 0
	for i := range s.doc.nodes {
		if s.doc.nodes[i].kind == numberNode && isWhole(s.doc.bytesOf(int32(i))) {
			groups++
			group[i] = groups
		}
	}
	return groups
}

// numbersByName puts the whole numbers of each name into a group.
func (s *search) numbersByName(group []int) int {
	names := map[string]int{}
	for i := range s.doc.nodes {
		if group[i] == 0 {
			continue
		}
		name := ""
		if i > 0 && s.doc.nodes[i-1].kind == stringNode {
			name = string(s.doc.bytesOf(int32(i - 1)))
		}
		if names[name] == 0 {
			names[name] = len(names) + 1
		}
		group[i] = names[name]
	}
	return len(names)
}

// exact is the first whole number that not every double reaches.
const exact = 1 << 53

// rounded are the numbers, each once, that a double may have rounded: whole and
// beyond 2^53.
func (d *document) rounded() [][]byte {
	old := newSeen()
	var all [][]byte
	for i := range d.nodes {
		if d.nodes[i].kind != numberNode {
			continue
		}
		token := d.bytesOf(int32(i))
		if len(token) < 5 || len(token) > 40 || !old.add(token) {
			continue
		}
		x, err := strconv.ParseFloat(string(token), 64)
		if err != nil || math.Abs(x) < exact || math.Abs(x) >= 1<<64 {
			continue
		}
		if isWhole(token) && !isRounded(token, x) {
			continue
		}
		all = append(all, token)
	}
	return all
}

// isRounded reports whether a whole number is one that a double is written as:
// itself, or the shortest digits and zeros.
func isRounded(token []byte, x float64) bool {
	return string(token) == strconv.FormatFloat(x, 'f', -1, 64) || string(token) == strconv.FormatFloat(x, 'f', 0, 64)
}

// neighbours are the body with one rounded number replaced by every whole number
// that rounds to the same double.
func (s *search) neighbours(yield func(bodyForm) bool) bool {
	if s.doc == nil {
		return true
	}
	all := s.doc.rounded()
	for _, token := range all[:min(len(all), 4)] {
		x, _ := strconv.ParseFloat(string(token), 64)
		middle, _ := new(big.Float).SetFloat64(x).Int(nil)
		low, _ := new(big.Float).SetFloat64(math.Nextafter(x, math.Inf(-1))).Int(nil)
		high, _ := new(big.Float).SetFloat64(math.Nextafter(x, math.Inf(1))).Int(nil)
		from := new(big.Int).Rsh(new(big.Int).Add(low, middle), 1)
		to := new(big.Int).Rsh(new(big.Int).Add(middle, high), 1)
		one := big.NewInt(1)
		var digits []byte
		for n := from; n.Cmp(to) <= 0; n.Add(n, one) {
			digits = n.Append(digits[:0], 10)
			if back, _ := strconv.ParseFloat(string(digits), 64); back != x || bytes.Equal(digits, token) {
				continue
			}
			s.buf = s.doc.renumbered(s.buf[:0], func(dst, t []byte) []byte {
				if bytes.Equal(t, token) {
					t = digits
				}
				return append(dst, t...)
			})
			if !yield(bodyForm{jsonBigint, "", s.buf}) {
				return false
			}
		}
	}
	return true
}
