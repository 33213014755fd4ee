//go:build race

package cmd_test

// raceDetector says that the tests run under the race detector, which needs
// memory of its own.
const raceDetector = true
