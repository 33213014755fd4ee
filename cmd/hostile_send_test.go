package cmd

import (
	"testing"
)

// secretWorld is a world with a secret.
var secretWorld = world{env: map[string]string{"HOOKCTL_SECRET": "s3cret"}}

// A receiver's answer is shown escaped, in each of its parts.
func TestNoAnswerDrivesTheTerminal(t *testing.T) {
	folder(t, nil)
	var places []place
	for name, answer := range answersOf() {
		places = append(places, place{name, func(t *testing.T, evil string, form []string) ran {
			args := append([]string{"send", "-p", "kudos", "--timeout", "5s", peer(t, answer(evil))}, form...)
			return secretWorld.run(args...)
		}})
	}
	attack(t, places, "", "-v --color always", "-q", "--json")
}

// So it is in the reports of check.
func TestNoAnswerDrivesTheReportsOfCheck(t *testing.T) {
	folder(t, nil)
	var places []place
	for name, answer := range answersOf() {
		places = append(places, place{name, func(t *testing.T, evil string, form []string) ran {
			args := append([]string{"check", "-p", "kudos", "--only", "wall,unsigned", "--seed", "7", peer(t, answer(evil))}, form...)
			return secretWorld.run(args...)
		}})
	}
	attack(t, places, "-v", "--json", "--junit -", "--markdown -")
}
