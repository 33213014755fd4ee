package conform

// deliveryChecks are those of bodies, repeats and order.
func deliveryChecks() []Check {
	return []Check{
		{
			ID: "raw-bytes", Number: 4, Level: Required, try: rawBytes,
			Title:    "the signature is checked over the bytes as they came",
			Why:      "a blank, an escape or a number written another way, and a genuine event is refused",
			Requests: layoutNames(),
		},
		{
			ID: "duplicate", Number: 6, Level: Required, try: duplicate,
			Title:    "a repeated event is accepted, and has its effect once",
			Why:      "delivery is at least once: an answer that is lost on the way back brings the event again",
			Requests: []string{"the event", "2 s later the same bytes", "signed afresh", "with a new X-Request-Id"},
		},
		{
			ID: "parallel-duplicate", Number: 7, Level: Required, try: parallel,
			Title:    "copies at the same instant have one effect",
			Why:      "who looks first and inserts then loses the race: both copies find nothing",
			Requests: []string{"one event on 10 connections: all but the last byte of each, then all last bytes"},
		},
		{
			ID: "lost-answer", Number: 8, Level: Advice, try: lostAnswer,
			Title:    "an event whose answer was lost has its effect once",
			Why:      "work that is done but not recorded is done twice; recorded but not done, it is lost",
			Requests: []string{"the event, the connection reset at once, and after 50 ms (--slow: 0, 5, 50, 200 and 500 ms)", "2 s later again, signed afresh"},
		},
		{
			ID: "unknown-event", Number: 16, Level: Required, try: unknownEvent,
			Title:    "what nobody handles is accepted",
			Why:      "a provider adds types and members; an error in answer counts as a failure, and may switch the webhook off",
			Requests: []string{"the type " + unknownType, "extra members"},
		},
		{
			ID: "broken-body", Number: 17, Level: Required, try: brokenBody,
			Title:    "the signature comes before the parser, and the parser may fail",
			Why:      "what is parsed before the check can be fed by anybody; a crash in the parser is a retry, again and again",
			Requests: []string{"not json", "[]", "null", `{"id":`, "no body", "a byte that is not UTF-8", "a name twice", "a byte order mark", "each of them with a wrong signature"},
		},
		{
			ID: "order", Number: 18, Level: Advice, try: inOrder,
			Title:    "an older event is accepted",
			Why:      "a retried event arrives after a newer one; who stores what comes last keeps the older state",
			Requests: []string{"a newer event of an object, then one 10 s older", "both at once, 10 times"},
		},
		{
			ID: "retry-signal", Number: 24, Level: Advice, try: retrySignal,
			Title:    "the answers make the sender stop or go on as they should",
			Why:      "a status is a command to the sender: come back, give up, or switch the webhook off",
			Requests: []string{"the answers to forged, by the profile's rules", "with --break and --heal: an event while a dependency is down, the same after"},
		},
		{
			ID: "over-dedupe", Number: 26, Level: Advice, try: overDedupe,
			Title:    "different events are not taken for one",
			Why:      "who dedupes on anything but the id swallows events that look alike",
			Requests: []string{"the same content under two ids", "the same id under two types"},
		},
		{
			ID: "methods", Number: 27, Level: Advice, try: methods,
			Title:    "only POST has an effect",
			Why:      "a redirect turns a POST into a GET; a link preview or a crawler must not do anything",
			Requests: []string{"GET", "HEAD", "PUT, each rightly signed"},
		},
	}
}

func layoutNames() []string {
	var all []string
	for _, l := range layouts() {
		all = append(all, l.letter+"  "+l.name)
	}
	return all
}
