// Package record keeps requests and deliveries in a file, one JSON document a
// line: hookctl.request/1 and hookctl.timeline/1. [Open] makes a [Writer], whose
// lines are whole whatever happens; [Read] ranges over what a file holds.
package record

import (
	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/send"
)

// Masked stands in a record for the value of a header that holds a credential.
const Masked = send.Masked

// A Document is one line of a record: a request or a delivery. What it says is
// as hostile as the file that it comes from.
type Document struct {
	Line    int    // in the file, from 1
	Profile string // the profile's name; "": unknown

	// Request is what listen recorded, but for Profile, Before and Explanation.
	Request *listen.Request
	// Timeline is what send recorded: the event (with WithBody its body too), and
	// of each attempt its number, time and request, and the status or failure.
	Timeline *send.Timeline
}
