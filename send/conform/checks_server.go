package conform

// serverChecks are those of the server, of what stands before it, and of the
// network.
func serverChecks() []Check {
	return []Check{
		{
			ID: "slow-answer", Number: 9, Level: Advice, try: slowAnswer,
			Title:    "answers come in time",
			Why:      "{title} waits so long and no longer; an event that is worked on while it waits is sent again",
			Requests: []string{"with --slow: an event after a minute of silence", "20 events in turn", "20 events at once"},
		},
		{
			ID: "redirect", Number: 10, Level: Required, try: redirect,
			Title:    "the URL answers itself, without a redirect",
			Why:      "providers do not follow redirects; some count one as delivered, and the event is lost",
			Requests: []string{"the event to the exact URL", "to the URL with the final slash toggled (for information)"},
		},
		{
			ID: "wall", Number: 11, Level: Required, try: wall,
			Title:    "nothing stands before the check of the signature",
			Why:      "a login, a CSRF check or a protection page refuses every event, whatever its signature",
			Requests: []string{"the event", "with a wrong signature", "a GET"},
		},
		{
			ID: "body-limit", Number: 13, Level: Advice, try: bodyLimit,
			Title:    "bodies up to the provider's size are accepted",
			Why:      "a framework's default is smaller than the provider's largest event, which is then never accepted",
			Requests: []string{"padded to 99 KiB", "101 KiB", "257 KiB", "1 MiB", "1.1 MiB", "the profile's largest; what fails is halved"},
		},
		{
			ID: "transport", Number: 19, Level: Advice, try: transport,
			Title: "all that HTTP allows is taken alike",
			Why:   "proxies and clients send in chunks, in pieces and with lower-case names; the bytes are the same",
			Requests: []string{"in chunks, without a length", "with Expect: 100-continue, the body held until 100 or 1 s", "in three writes 200 ms apart, cut inside a character",
				"with lower-case header names", "over HTTP/2, where it is offered", "with application/json; charset=utf-8"},
		},
		{
			ID: "idle-close", Number: 20, Level: Advice, try: idleClose,
			Title:    "an open connection is closed while it is idle, or not at all",
			Why:      "a connection that is closed just as an event is written loses it",
			Requests: []string{"on one connection: events after 4, 6, 61 and 76 s of silence (--slow)"},
		},
		{
			ID: "tls", Number: 21, Level: Advice, try: tlsCheck,
			Title:    "the certificate verifies, and stays valid",
			Why:      "a chain that browsers complete is incomplete to senders; an expired certificate stops all deliveries",
			Requests: []string{"a handshake with the system's roots, without fetching what is missing of the chain"},
		},
		{
			ID: "addresses", Number: 22, Level: Advice, try: everyAddress,
			Title:    "every address of the name answers",
			Why:      "a sender takes whichever address it likes; one that does not answer fails some events",
			Requests: []string{"the event to each address of the name (localhost: 127.0.0.1 and ::1)"},
		},
		{
			ID: "burst", Number: 25, Level: Advice, try: burst,
			Title:    "a burst is accepted or pushed back, not dropped",
			Why:      "after an outage everything comes at once",
			Requests: []string{"50 events a second, for a second (--slow: 5 s)"},
		},
	}
}
