package send

import (
	"context"
	"time"
)

// RealWait waits for d by the wall clock: it wakes at least once a second, so
// that a machine that slept finds itself late, not paused. It returns the
// context's error when that ends first. It is a value for Sender.Wait, with
// Sender.Real.
func RealWait(ctx context.Context, d time.Duration) error {
	until := time.Now().Round(0).Add(d)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		left := until.Sub(time.Now().Round(0))
		if left <= 0 {
			return nil
		}
		pause := time.NewTimer(min(left, time.Second))
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
	}
}

// ScaledWait is a value for Sender.Wait that waits factor times faster than
// RealWait: 60 turns minutes into seconds. A factor that is not above 0 does not
// wait at all.
func ScaledWait(factor float64) func(ctx context.Context, d time.Duration) error {
	return func(ctx context.Context, d time.Duration) error {
		if !(factor > 0) {
			return ctx.Err()
		}
		scaled := float64(d) / factor
		if scaled >= float64(longest) {
			return RealWait(ctx, longest)
		}
		return RealWait(ctx, time.Duration(scaled))
	}
}

// wall is the time from start to now by the wall clock.
func wall(start time.Time) time.Duration {
	return time.Now().Round(0).Sub(start.Round(0))
}

// since is the time from start to now. Where the time is real and the machine
// slept, that counts.
func (s *Sender) since(start time.Time) time.Duration {
	return passed(time.Since(start), wall(start), s.Real)
}

// passed is how long something took: awake by the clock that stands still while
// the machine sleeps, or by the wall where the time is real and they disagree.
func passed(awake, byWall time.Duration, isReal bool) time.Duration {
	if isReal && byWall > awake+time.Second {
		return byWall
	}
	return awake
}
