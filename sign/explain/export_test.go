package explain

// Kinds are all kinds.
func Kinds() []Kind {
	var all []Kind
	for _, r := range rows() {
		all = append(all, r.kind)
	}
	return all
}
