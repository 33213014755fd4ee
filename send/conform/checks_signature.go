package conform

// signatureChecks are those of the signature.
func signatureChecks() []Check {
	return []Check{
		{
			ID: "unsigned", Number: 1, Level: Required, try: unsigned,
			Title:    "an event without a signature is refused",
			Why:      "who leaves out the header gets in: anybody who knows the URL can make events",
			Requests: []string{"the event without the signature header", "with an empty value"},
		},
		{
			ID: "forged", Number: 2, Level: Required, try: forged,
			Title:    "an event with a wrong signature is refused",
			Why:      "a signature that is not compared with this body proves nothing: anybody can make events, or change one",
			Requests: []string{"one digit of the signature changed", "the last digit of the signature changed", "one byte of the body changed", "signed with a random key", "the signature of another event", "a signature of zeros"},
		},
		{
			ID: "guessable-key", Number: 3, Level: Required, try: guessable,
			Title:    "no empty or placeholder secret is in force",
			Why:      "a setting that was never made leaves a secret that anybody can guess, and every signature looks right",
			Requests: append([]string{"signed with an empty secret"}, prefixed("signed with ", placeholders()[1:])...),
		},
		{
			ID: "bad-header", Number: 5, Level: Required, try: badHeader,
			Title: "an odd signature header is refused, and the receiver stays alive",
			Why:   "constant-time comparisons throw on unequal lengths and odd characters; uncaught, that is a 500, or the end of the process",
			Requests: []string{"abc", "t=", "v1=", "t=1", "v1= and 64 digits", "t=1,v1=", "a digest of 63 digits", "a digest of 65 digits",
				"a digest of 64 characters, one of them é", "bogus=ab", "sha256=abcd", "a comma", "8 KiB of a", "two lines, wrong and right", "two lines, right and wrong; after each value the event"},
		},
		{
			ID: "clock", Number: 12, Level: Required, try: clock, assumes: []string{"signature.tolerance", "signature.tolerance.past"},
			Title: "a signature is refused when its time is off",
			Why:   "a captured event can be played again later, as often as one likes",
			Requests: []string{"30 s inside the window: accepted", "a minute too old", "a day old", "a minute too far ahead", "in the wrong unit",
				"abc", "an ISO time", "-1", "1e9", "0", "<now>abc"},
		},
		{
			ID: "rotation", Number: 14, Level: Required, try: rotate, assumes: []string{"secret.active"},
			Title:    "several signatures, and either secret of a rotation",
			Why:      "while two secrets are active {title} sends two signatures; yours may be the second",
			Requests: []string{"a wrong signature, then the right one", "the right one, then a wrong one", "an item that nobody knows", "the items in another order", "a blank after each separator (for information)", "with two secrets: signed with old, with old and new, with new and old, with new"},
		},
		{
			ID: "downgrade", Number: 15, Level: Required, try: downgrade,
			Title:    "no weaker or older scheme is taken",
			Why:      "a receiver that lets the header choose the scheme is only as strong as the weakest",
			Requests: []string{"the right digest under v0= only", "a right HMAC-SHA1", "a plain hash of secret and body"},
		},
		{
			ID: "leak", Number: 23, Level: Required, try: leaks,
			Title:    "a refusal tells nothing",
			Why:      "who gets the expected signature in the answer can use it; a stack trace shows where to go on",
			Requests: []string{"all refusals of the run, searched for the expected signature, the secret, stack traces and file paths"},
		},
	}
}

func prefixed(prefix string, words []string) []string {
	var all []string
	for _, w := range words {
		all = append(all, prefix+w)
	}
	return all
}
