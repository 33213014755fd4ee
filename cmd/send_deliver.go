package cmd

import (
	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// deliverAll delivers with each group of keys in turn, the older secret first.
func (a *app) deliverAll(s *sending, signers [][]*sign.Key) error {
	inner, err := a.innerReceiver(s, signers, 1)
	if err != nil {
		return err
	}
	if inner != nil {
		defer inner.close()
	}
	failed := false
	var hints []hint
	var accepted, refused []int // secrets that have deliveries of their own
	for i, keys := range signers {
		d := &delivery{sending: s, app: a, inner: inner, keys: keys}
		if len(signers) > 1 {
			d.secret, d.of = i+1, len(signers)
		}
		if i > 0 && !s.o.out.json && !s.o.out.quiet {
			if _, err := a.out.Write([]byte("\n")); err != nil {
				return err
			}
		}
		delivered, err := d.run(inner.deliveries(a.ctx))
		if err == nil {
			err = inner.failed()
		}
		if err != nil {
			return err
		}
		failed = failed || !delivered
		if delivered {
			accepted = append(accepted, d.secret)
		} else if d.refused() {
			refused = append(refused, d.secret)
		}
		if d.hint.text != "" {
			hints = append(hints, d.hint)
		}
		if a.ctx.Err() != nil {
			break
		}
	}
	if len(accepted) > 0 && len(refused) > 0 {
		hints = []hint{rotationHint(accepted[0], refused[0])}
	}
	if s.then.known && a.ctx.Err() == nil {
		a.say(render.Note, s.then.compared(s.profile, !failed), "")
	}
	if len(hints) > 0 { // at most one hint a run
		a.say(render.Hint, hints[0].text, hints[0].command)
	}
	switch {
	case a.ctx.Err() != nil:
		return errInterrupted
	case failed:
		return errNo
	}
	return nil
}

// to is who receives, as a head says it.
func (s *sending) to() string {
	if s.script != nil {
		return "a receiver inside hookctl: " + s.script.Text
	}
	return s.url.String()
}

// sender is the Sender of one delivery.
func (s *sending) sender(keys []*sign.Key, version string) *send.Sender {
	sender := &send.Sender{
		Profile:   s.profile,
		URL:       s.url.String(),
		Keys:      keys,
		Header:    s.headers,
		UserAgent: programName + "/" + version,
		Seed:      s.seed,
		NoJitter:  s.o.noJitter,
		Timeout:   s.o.timeout.value,
		SignAt:    s.o.timestamp.value,
		Recorded:  s.o.recorded,
		Strict:    s.o.strict,
		TLS:       s.tls,
		Real:      s.o.speed.value.real(),
	}
	switch f := s.o.speed.value.factor; f {
	case 0:
	case 1:
		sender.Wait = send.RealWait
	default:
		sender.Wait = send.ScaledWait(f)
	}
	return sender
}
