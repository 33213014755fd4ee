package profiles

// A kind is what a value of a profile file may be.
type kind int

const (
	textKind     kind = iota // a text that is not empty
	nameKind                 // a profile's name
	wordKind                 // one of the form's words
	numberKind               // one of the form's words, which are numbers
	boolKind                 // true or false
	durationKind             // a duration above zero
	waitKind                 // a duration, zero included
	sizeKind                 // bytes
	percentKind              // 0% up to, not including, 100%
	statusKind               // 100 to 999
	onKind                   // what a rule is for
	valueKind                // a header's value
	contentKind              // the signed text
	newIDKind                // the form of new ids
	pathKind                 // where something is in a JSON body
	sampleKind               // an event's body
	mappingKind              // the form's keys
	openKind                 // a mapping whose keys are the file's choice
	listKind                 // a list of the form's item
)

// A form is what one value of a profile file may be. The forms are the table
// from which files are checked and the JSON Schema is written.
type form struct {
	kind  kind
	about string
	words []string // wordKind, numberKind: the choices; openKind: the keys, if known
	keys  []key    // mappingKind
	item  *form    // listKind, openKind
	some  bool     // listKind: not empty
	or    *form    // what a mapping in this value's place must be
}

// A key is one key of a mapping.
type key struct {
	name string
	must bool
	form *form
}

// word is a choice; the first is the default.
func word(about string, words ...string) *form {
	return &form{kind: wordKind, about: about, words: words}
}

// one is a single value.
func one(k kind, about string) *form { return &form{kind: k, about: about} }

// mapping is a mapping with these keys and no others.
func mapping(about string, keys ...key) *form {
	return &form{kind: mappingKind, about: about, keys: keys}
}

// list is a list of items.
func list(about string, item *form) *form { return &form{kind: listKind, about: about, item: item} }

// some is a list with at least one item.
func some(about string, item *form) *form {
	return &form{kind: listKind, about: about, item: item, some: true}
}

// fileForm is the whole file.
func fileForm() *form {
	return mapping("How a webhook provider behaves, for hookctl.",
		key{"schema", true, &form{kind: numberKind, about: "The version of this format.", words: []string{"1"}}},
		key{"name", true, one(nameKind, "The profile's name: small letters, digits, dashes. In a folder of profiles it is the file's name.")},
		key{"title", false, one(textKind, "The provider's name in prose. Default: the name.")},
		key{"docs", false, list("Where the rules come from.", mapping("A page.",
			key{"says", true, one(textKind, "The page's title, or what it speaks of.")},
			key{"url", false, one(textKind, "Its address, where it is public.")},
		))},
		key{"secret", false, mapping("How a secret becomes a key.",
			key{"encoding", false, word("What the secret's text is. raw: its own bytes are the key.", "raw", "base64", "hex")},
			key{"strip", false, one(textKind, "A prefix that is not part of the key, such as whsec_.")},
			key{"active", false, &form{kind: numberKind, about: "How many secrets sign at once in one header.", words: []string{"1", "2"}}},
			key{"none", false, word("Without a secret. error: wrong use; failed: the delivery fails and nothing is sent.", "error", "failed")},
			key{"where", false, one(textKind, "Where a user finds the secret.")},
		)},
		key{"signature", true, mapping("The signature scheme.",
			key{"algorithm", false, word("The keyed hash.", "hmac-sha256", "hmac-sha1", "hmac-sha512")},
			key{"content", true, one(contentKind, "The signed text; {body} stands in it exactly once.")},
			key{"encoding", false, word("How the digest is written; hex in lower case.", "hex", "base64")},
			key{"separator", false, one(textKind, "What stands between the items of the signature header. Default: a comma.")},
			key{"tolerance", false, mapping("How far a signature's time may be from the clock. Default: not checked.",
				key{"past", true, one(durationKind, "How old it may be.")},
				key{"future", true, one(durationKind, "How far ahead it may be.")},
			)},
		)},
		key{"headers", true, &form{kind: openKind, about: "What is sent with every attempt, in this order. Exactly one value holds {signature}.", item: one(valueKind, "The value; may hold placeholders.")}},
		key{"retry_headers", false, &form{kind: openKind, about: "What is added from the second attempt on.", item: one(valueKind, "The value; may hold placeholders.")}},
		key{"event", false, mapping("Where things are in a JSON body, as dotted paths.",
			key{"id", false, one(pathKind, "The event's id.")},
			key{"type", false, one(pathKind, "The event's type.")},
			key{"object", false, one(pathKind, "The id of the object that the event is about.")},
			key{"updated", false, one(pathKind, "When that object was last changed.")},
			key{"new_id", false, one(newIDKind, "The form of a new id, of {uuid} and {hex:N}. Default: {uuid}.")},
		)},
		key{"delivery", true, deliveryForm()},
		key{"retry", false, retryForm()},
		key{"say", false, &form{kind: openKind, about: "What an effect means and how to undo it.", words: effectWords(), item: one(textKind, "The text.")}},
		key{"promises", false, mapping("What the provider guarantees.",
			key{"dedupe", false, word("By what a repeated event is known.", "id")},
			key{"order", false, word("Inside what order is kept.", "type")},
		)},
		key{"reconcile", false, one(textKind, "How lost events are found again.")},
		key{"assumed", false, list("What the documentation does not say.", mapping("An assumption.",
			key{"field", true, one(textKind, "The path of the key that rests on it.")},
			key{"note", true, one(textKind, `Completes "the documentation does not say ...".`)},
		))},
		key{"not_emulated", false, list("What the provider does and hookctl does not.", one(textKind, "One thing."))},
		key{"replay", false, mapping("The events that bracket a burst of replayed ones.",
			key{"started", true, one(textKind, "A name in events.")},
			key{"completed", true, one(textKind, "A name in events.")},
		)},
		key{"events", false, &form{kind: openKind, about: "A body for each event type, to send when the user has none. One final newline is dropped.", item: one(sampleKind, "The body.")}},
	)
}

// deliveryForm is one attempt.
func deliveryForm() *form {
	return mapping("One attempt: its limits, and what its outcome means.",
		key{"timeout", true, &form{kind: durationKind, about: "The time limit, or one to connect and one to read.", or: mapping("Two limits.",
			key{"connect", true, one(durationKind, "For the name, the connection and TLS.")},
			key{"read", true, one(durationKind, "From then to the end of the answer's header.")},
		)}},
		key{"max_body", false, one(sizeKind, "The largest body that is sent. Default: 1MiB.")},
		key{"url", false, mapping("Rules about addresses, applied with --strict.",
			key{"https_only", false, one(boolKind, "Only https. Default: false.")},
			key{"refuse_private", false, one(boolKind, "No private, loopback or link-local address. Default: false.")},
		)},
		key{"rules", true, some(`The first rule that matches decides; the last one is for "any".`, mapping("A rule.",
			key{"on", true, some("Statuses (404), classes (4xx), ranges (500-504), failures, groups of failures, any.", one(onKind, "One of them."))},
			key{"then", true, word("The verdict.", string(Delivered), string(Retried), string(Failed))},
			key{"effects", false, list("What else it brings.", word("An effect.", effectWords()...))},
			key{"because", false, one(textKind, "Why; {answer} is the status or the failure.")},
			key{"hint", false, one(textKind, "What the user may do.")},
			key{"warn", false, one(textKind, "A warning, though it is delivered.")},
			key{"assumed", false, one(textKind, `Completes "the documentation does not say ...".`)},
		))},
	)
}

// retryForm is the schedule.
func retryForm() *form {
	return mapping("The schedule. Default: one attempt.",
		key{"waits", false, list("Before the second attempt, the third, and so on.", one(waitKind, "A wait."))},
		key{"from", false, word("From which moment of an attempt the wait after it counts.", "end", "start")},
		key{"jitter", false, one(percentKind, "How much each wait varies to both sides. Default: 0%.")},
		key{"retry_after", false, mapping("When the Retry-After header replaces a wait. Default: never.",
			key{"on", true, some("The statuses with which it does.", one(statusKind, "A status."))},
			key{"at_most", true, one(durationKind, "A longer one is cut to this.")},
		)},
		key{"ceiling", false, one(durationKind, "No attempt begins later than this after the first. Default: none.")},
		key{"exhausted", false, mapping("What follows when all attempts are used.",
			key{"effects", false, list("What it brings.", word("An effect.", effectWords()...))},
			key{"assumed", false, one(textKind, `Completes "the documentation does not say ...".`)},
		)},
		key{"exact", false, one(boolKind, "False where only the shape of the schedule is published. Default: true.")},
	)
}

// effectWords are the words for effects, those that stop a webhook first.
func effectWords() []string {
	return []string{string(PauseSubscription), string(DisableWebhook), string(DeleteSubscription), string(NotifyOwner), string(NotifyAdmins)}
}
