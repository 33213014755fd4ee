package profiles

// Parse reads a profile strictly: an unknown or repeated key, a second
// document, a bad unit, an alias, a merge key, a tag or a rule that can never
// match is an [Errors]. file is the name used in errors.
func Parse(file string, data []byte) (*Profile, error) {
	return parse(file, data, "")
}

// parse is Parse for a file whose name says how the profile is called; "" says
// nothing.
func parse(file string, data []byte, called string) (*Profile, error) {
	s, root := load(file, data)
	if root == nil {
		return nil, s.result()
	}
	s.check(fileForm(), root, nil, "")
	p := s.build(root)
	s.checkNotes(root)
	if name := get(root, "name"); called != "" && name != nil && p.Name != "" && p.Name != called {
		s.fault(name, called, "the name is %s, but the file is called %s", quote(p.Name), quote(called))
	}
	if err := s.result(); err != nil {
		return nil, err
	}
	return p, nil
}
