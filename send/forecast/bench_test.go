package forecast

import (
	"testing"
	"time"
)

// BenchmarkRefused has nearly every event of its outage fail all its attempts.
func BenchmarkRefused(b *testing.B) {
	benchmark(b, Outage{Down: 100 * time.Hour, Rate: 1, Seed: 7})
}

// BenchmarkSubscriptions has as many deliveries, by webhooks of one event each.
func BenchmarkSubscriptions(b *testing.B) {
	benchmark(b, Outage{Down: 100 * time.Hour, Rate: 1e-5, Webhooks: 100_000, Seed: 7})
}

// BenchmarkCapacity has an endpoint that never catches up.
func BenchmarkCapacity(b *testing.B) {
	benchmark(b, Outage{Down: time.Hour, Rate: 100, Capacity: 50, Seed: 7})
}

func benchmark(b *testing.B, o Outage) {
	p := builtin(b, "kudos")
	deliveries, attempts := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		f, err := Run(o, p)
		if err != nil {
			b.Fatal(err)
		}
		deliveries += f.Events.InDown
		attempts += f.Results[0].Attempts
	}
	b.ReportMetric(float64(deliveries)/b.Elapsed().Seconds(), "deliveries/s")
	b.ReportMetric(float64(attempts)/b.Elapsed().Seconds(), "attempts/s")
}
