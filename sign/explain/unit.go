package explain

import "github.com/hookctl/hookctl/sign"

// fineUnit explains a right signature whose time is far ahead since it counts
// microseconds or nanoseconds; nil for another time.
func (s *search) fineUnit(q sign.Parts, res sign.Result) *Explanation {
	unit, digits := "", 0
	switch n := len(q.Time); {
	case n >= 15 && n <= 17:
		unit, digits = "microseconds", 6
	case n >= 18 && n <= 20:
		unit, digits = "nanoseconds", 9
	default:
		return nil
	}
	own := "seconds"
	if q.Milliseconds {
		own, digits = "milliseconds", digits-3
	}
	e := s.aged(timestampInFuture, res)
	f := s.base()
	f["which"] = "secret " + number(res.Secret) + " of " + number(len(s.in.Secrets))
	f["unit"], f["own"] = unit, own
	divisor := 1
	for range digits {
		divisor *= 10
	}
	f["divisor"] = number(divisor)
	e.Summary, e.Fix = f.fill(s.words.text(timestampInFuture, "unit")), f.fill(s.words.text(timestampInFuture, "unitfix"))
	return e
}
