package forecast

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// schema is that of a forecast as JSON.
const schema = "hookctl.forecast/1"

// document is a forecast as JSON.
type document struct {
	Schema   string       `json:"schema"`
	Seed     uint64       `json:"seed"`
	Down     send.Seconds `json:"down_s"`
	Rate     float64      `json:"rate"`
	For      send.Seconds `json:"for_s"`
	Arrived  int          `json:"arrived"`
	Profiles []resultDoc  `json:"profiles"`

	Before   send.Seconds `json:"before_s"`
	InDown   int          `json:"arrived_down"`
	FailWith string       `json:"fail_with"`
	Capacity *float64     `json:"capacity"`
	Beyond   *string      `json:"over_capacity"`
	Webhooks int          `json:"subscriptions"`
}

type resultDoc struct {
	Profile       string            `json:"profile"`
	First         int               `json:"first"`
	Late          int               `json:"late"`
	Lost          int               `json:"lost"`
	Pending       int               `json:"pending"`
	LostFrom      *send.Seconds     `json:"lost_from_s"`
	LostTo        *send.Seconds     `json:"lost_to_s"`
	Last          *send.Seconds     `json:"last_s"`
	LateBy        *send.Seconds     `json:"late_by_s"`
	Backlog       *send.Seconds     `json:"backlog_s"`
	Attempts      int               `json:"attempts"`
	PeakDown      perSecond         `json:"peak_down"`
	PeakAfter     perSecond         `json:"peak_after"`
	PeakAfterBare perSecond         `json:"peak_after_no_jitter"`
	OffAt         *send.Seconds     `json:"off_at_s"`
	Off           int               `json:"subscriptions_off"`
	Unqueued      int               `json:"not_queued"`
	Effects       []profiles.Effect `json:"effects"`
	Reconcile     *string           `json:"reconcile"`
	Notes         []string          `json:"notes"`
}

// perSecond is a rate as JSON: a whole number from 10 on, else with at most three
// decimals.
type perSecond float64

// MarshalJSON writes the number.
func (r perSecond) MarshalJSON() ([]byte, error) {
	v := math.Round(float64(r)*1000) / 1000
	if v >= 10 {
		v = math.Round(float64(r))
	}
	return strconv.AppendFloat(nil, v, 'f', -1, 64), nil
}

// MarshalJSON writes the forecast as one document. What did not happen is null:
// a window without a loss, the latest of no late deliveries, the end of a backlog
// that is not seen.
func (f *Forecast) MarshalJSON() ([]byte, error) {
	o := f.Outage
	d := document{
		Schema: schema, Seed: o.Seed, Down: send.Seconds(o.Down), Rate: o.Rate, For: send.Seconds(o.For), Arrived: f.Events.Arrived,
		Profiles: []resultDoc{}, Before: send.Seconds(f.Events.Before), InDown: f.Events.InDown, FailWith: o.FailWith.Text,
		Capacity: send.OrNull(o.Capacity), Webhooks: o.Webhooks,
	}
	if o.Capacity > 0 {
		d.Beyond = &o.OverCapacity.Text
	}
	for _, r := range f.Results {
		d.Profiles = append(d.Profiles, r.document())
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(d)
	return b.Bytes(), err
}

func (r Result) document() resultDoc {
	d := resultDoc{
		Profile: r.Profile.Name, First: r.First, Late: r.Late, Lost: r.Lost, Pending: r.Pending, Attempts: r.Attempts,
		PeakDown: perSecond(r.PeakDown), PeakAfter: perSecond(r.PeakAfter), PeakAfterBare: perSecond(r.PeakAfterBare),
		Off: r.Off, Unqueued: r.Unqueued, Effects: r.Effects, Notes: r.Notes, Reconcile: send.OrNull(r.reconcile()),
	}
	if d.Effects == nil {
		d.Effects = []profiles.Effect{}
	}
	if d.Notes == nil {
		d.Notes = []string{}
	}
	for _, v := range []struct {
		to   **send.Seconds
		is   bool
		time time.Duration
	}{
		{&d.LostFrom, r.Lost > 0, r.LostFrom}, {&d.LostTo, r.Lost > 0, r.LostTo},
		{&d.Last, r.Late > 0, r.Last}, {&d.LateBy, r.Late > 0, r.LateBy},
		{&d.Backlog, r.Pending == 0, r.Backlog}, {&d.OffAt, r.Off > 0, r.OffAt},
	} {
		if v.is {
			seconds := send.Seconds(v.time)
			*v.to = &seconds
		}
	}
	return d
}

// Aftermath is what to do about the events that are lost, in the profile's words;
// "" where none is, or where it says nothing.
func (r Result) Aftermath() string {
	if r.Lost == 0 {
		return ""
	}
	return send.Aftermath(r.Profile, send.Ending{State: send.StateFailed, Effects: r.Effects})
}

// reconcile is the window of the events that are lost, and what to do about them.
func (r Result) reconcile() string {
	if r.Lost == 0 {
		return ""
	}
	text := "from " + send.Seconds(r.LostFrom).String() + " s until " + send.Seconds(r.LostTo).String() + " s"
	if words := r.Aftermath(); words != "" {
		text += ": " + words
	}
	return text
}

// WriteCSV writes the loads: a line for each window of each profile, after a line
// of names. Times are seconds from the start of the outage.
func (f *Forecast) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	err := c.Write([]string{"profile", "from_s", "to_s", "attempts", "failed", "attempts_no_jitter"})
	for _, r := range f.Results {
		for w := range r.Load.Windows() {
			if err != nil {
				return err
			}
			err = c.Write([]string{
				r.Profile.Name, send.Seconds(w.From).String(), send.Seconds(w.To).String(),
				strconv.Itoa(w.Attempts), strconv.Itoa(w.Failed), strconv.Itoa(w.NoJitter),
			})
		}
	}
	c.Flush()
	return c.Error()
}
