package conform

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// errTimeUp is the cause of a run's context when its time is up.
var errTimeUp = errors.New("the time of the run is up")

// A run is one run of the checks. What is not behind the lock belongs to the
// goroutine of Run, or does not change once the checks begin.
type run struct {
	o       *Options
	p       *profiles.Profile
	url     *url.URL // without userinfo
	basic   string   // the value of Authorization, or ""
	limit   time.Duration
	body    *profiles.Profile // the profile, but signing the body alone
	object  bool              // the event's body is a JSON object
	hasID   bool              // each event has an id somewhere
	wrong   *sign.Key         // a key that nobody knows
	results []*tried          // of all checks, by number

	addresses  []string
	remote     bool // some address is public
	far        bool // some address is not loopback
	unresolved error

	halt context.CancelCauseFunc // ends the run: this machine can send no more

	first     answer // to the first request
	unreached bool
	gone      string // why the receiver no longer answers, or ""
	lost      []lostTry
	refusal   int      // status that refused a wrong signature; 0: not known
	anything  bool     // a signature by a key that nobody knows was accepted
	codes     []answer // answers to wrong signatures
	oddly     []string // how wrong signatures are answered that should be refused
	rotation  []Rotated
	alone     *int      // effects of an event that came once, by the probe
	key       *sign.Key // one that is accepted alone, as far as is known
	single    bool      // it is accepted alone only

	mu      sync.Mutex
	dice    *rand.Rand
	tried   []string // addresses that were dialled in vain
	address string   // the one that answered first
	leaks   []leak
	scanned int // refusals that were looked through
}

// prepare looks at the options.
func prepare(o *Options) (*run, error) {
	sender := &send.Sender{Profile: o.Profile, URL: o.URL, Keys: o.Keys, Header: o.Header, UserAgent: o.UserAgent}
	if len(o.Keys) > 0 {
		sender.Keys = o.Keys[:1]
	}
	if err := sender.Check(o.Event); err != nil {
		return nil, err
	}
	if len(o.Keys) == 0 {
		return nil, &send.NoSecretError{Profile: o.Profile.Name, Where: o.Profile.Secret.Where}
	}
	if err := known(o.Only, o.Skip); err != nil {
		return nil, err
	}
	u, err := url.Parse(o.URL)
	if err != nil {
		return nil, &send.URLError{Message: "cannot be read"}
	}
	r := &run{o: o, p: o.Profile, url: u, basic: send.BasicOf(u), key: o.Keys[0], dice: rand.New(rand.NewPCG(o.Seed, 0x636865636b))}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	r.limit = o.Profile.Delivery.Limits.Longest()
	if r.limit <= 0 {
		r.limit = 30 * time.Second
	}
	bare, err := profiles.ParseTemplate("{body}")
	if err != nil {
		return nil, err
	}
	only := *o.Profile
	only.Signature.Content = bare
	r.body = &only
	var members map[string]json.RawMessage
	r.object = json.Unmarshal(o.Event.Body, &members) == nil && members != nil
	if err := r.identity(); err != nil {
		return nil, err
	}
	if r.wrong, err = r.foreign(r.chance(32)); err != nil {
		return nil, err
	}
	for _, c := range Checks() {
		c = c.assumed(r.p)
		r.results = append(r.results, &tried{run: r, Result: Result{Check: c, Level: c.Level, Alone: len(o.Only) == 0 || named(o.Only, c)}})
	}
	return r, nil
}

// identity finds out where an event's id stands.
func (r *run) identity() error {
	header := false
	for _, h := range r.p.Headers {
		header = header || h.Value.Has("id")
	}
	inBody := false
	if r.p.Event.ID != "" {
		f, ok := sign.Find(r.o.Event.Body, r.p.Event.ID)
		if inBody = ok && f.Kind == '"'; !inBody {
			return &BodyError{Path: r.p.Event.ID}
		}
	}
	r.hasID = header || inBody
	return nil
}

// known reports an id, or number, that no check has.
func known(lists ...[]string) error {
	for _, list := range lists {
		for _, id := range list {
			if _, err := Find(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// named reports whether a check is in a list of ids and numbers.
func named(list []string, c Check) bool {
	return slices.ContainsFunc(list, func(id string) bool { return c.is(id) })
}

// all runs the checks, in the order in which they disturb the receiver least.
func (r *run) all(ctx context.Context) {
	r.first = r.exchange(ctx, r.genuine(r.event()))
	if f := r.first.failure; f != nil && unreachable(f.Kind) {
		r.unreached = true
	}
	r.findKey(ctx)
	todo := order(r.results)
	for _, t := range todo {
		why := r.skipped(t)
		switch {
		case why != "":
			t.skip(why)
		case r.unreached:
			t.skip("nothing answers")
		case ctx.Err() != nil:
			t.skip(cutShort(ctx))
		case !r.first.accepted():
			t.skip(notAccepted)
		case r.gone != "":
			t.inconclusive(r.gone, "bring the receiver back and try again")
		default:
			r.one(ctx, t)
		}
	}
	if !r.first.accepted() && !r.unreached && ctx.Err() == nil {
		r.explain(ctx)
	}
	r.settle()
}

const notAccepted = "the first request was not accepted"

// unreachable reports whether a failure means that nothing was reached.
func unreachable(kind profiles.Failure) bool {
	switch kind {
	case profiles.DNS, profiles.Refused, profiles.Unreachable, profiles.ConnectTimeout:
		return true
	}
	return false
}

// one runs one check, and sees whether the receiver is still there.
func (r *run) one(ctx context.Context, t *tried) {
	if r.o.Started != nil {
		r.o.Started(t.Check)
	}
	t.State = Pass
	t.try(ctx, r, t)
	t.ended(ctx)
	if ctx.Err() == nil && r.first.accepted() && (t.State == Fail || t.troubled) {
		r.stillThere(ctx, t)
	}
}

// How long a receiver may take to come back after a failure, and how long it
// may ask for.
const (
	backTime = 2 * time.Second
	backMost = 10 * time.Second
)

// stillThere notes that the receiver is gone, if it is, so that no other check
// is blamed. The check after which it is gone is required.
func (r *run) stillThere(ctx context.Context, t *tried) {
	const step = backTime / 4
	var a answer
	drained := false
	for waited := time.Duration(0); ; {
		a = r.exchange(ctx, r.genuine(r.event()))
		if a.accepted() || a.cut {
			return
		}
		pause := step
		if text, told := retryAfter(a); told && waited == 0 {
			if n, err := strconv.Atoi(text); err == nil && n >= 0 && n <= int(backMost/time.Second) {
				pause = max(step, time.Duration(n)*time.Second)
			}
		}
		if a.timedOut() && !drained { // its queue may still be full of what it was sent
			drained = true
			continue
		}
		if waited += pause; a.timedOut() || waited > max(backTime, pause) || r.wait(ctx, pause) != nil {
			break
		}
	}
	if a.cut || ctx.Err() != nil {
		return
	}
	r.gone = "since " + t.ID + " no event is accepted: the last " + a.met()
	if t.State == Fail {
		t.Level = Required
	}
}

// Why checks are left out when a run ends.
const (
	timeUp      = "the time was up: --max-time"
	interrupted = "interrupted"
)

// cutShort says why a run ended.
func cutShort(ctx context.Context) string {
	if errors.Is(context.Cause(ctx), errTimeUp) {
		return timeUp
	}
	return interrupted
}

// wait pauses.
func (r *run) wait(ctx context.Context, d time.Duration) error {
	if r.o.Wait != nil {
		return r.o.Wait(ctx, d)
	}
	return send.RealWait(ctx, d)
}

// report collects the results.
func (r *run) report() *Report {
	report := &Report{
		Profile: r.p, URL: r.o.URL, Secrets: len(r.o.Keys), Probe: r.o.Probe != nil, Seed: r.o.Seed, Rotation: r.rotation,
	}
	if r.unreached {
		report.Unreached = r.first.failure
	}
	for _, t := range r.results {
		report.Results = append(report.Results, t.Result)
	}
	return report
}

// result is the result of a check by its id.
func (r *run) result(id string) *tried {
	i := slices.IndexFunc(r.results, func(t *tried) bool { return t.ID == id })
	return r.results[i]
}

// chosen is the address that answered first, or "".
func (r *run) chosen() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.address
}

func (r *run) choose(address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.address == "" {
		r.address = address
	}
}

func (r *run) note(address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.tried, address) {
		r.tried = append(r.tried, address)
	}
}

func (r *run) noted() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.address != "" {
		return []string{r.address}
	}
	return slices.Clone(r.tried)
}
