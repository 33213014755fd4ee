package explain

import "github.com/hookctl/hookctl/profiles"

// shortKey is below what a key should have, in bytes.
const shortKey = 16

// Cautions are what deserves a warning though the signature is right: a short
// key, and names that repeat in one object of a body of at most a MiB. They hold
// nothing of the secrets.
func Cautions(p *profiles.Profile, body []byte, secrets []Secret) []string {
	var all []string
	for i, secret := range secrets {
		if key, ok := documentedKey(p, secret.Text); ok && len(key) < shortKey {
			which := "the secret"
			if len(secrets) > 1 {
				which = "secret " + number(i+1)
			}
			all = append(all, which+" is short: a key of "+count(len(key))+"; 16 or more are safe")
		}
	}
	if d, ok := parse(body); ok && d.hasRepeats() {
		all = append(all, "the body has names that repeat in one object; parsers disagree on them")
	}
	return all
}
