package send

import "github.com/hookctl/hookctl/profiles"

// summaryDoc is hookctl.summary/1, its fields in order.
type summaryDoc struct {
	Schema      string               `json:"schema"`
	Deliveries  int                  `json:"deliveries"`
	Delivered   int                  `json:"delivered"`
	Failed      int                  `json:"failed"`
	NotSent     int                  `json:"not_sent"`
	Interrupted int                  `json:"interrupted,omitempty"`
	Attempts    int                  `json:"attempts"`
	Answers     map[string]int       `json:"answers"`
	ByType      map[string]TypeCount `json:"by_type"`
	Latency     latencyDoc           `json:"latency_s"`
	Limit       Seconds              `json:"limit_s"`
	Effects     []profiles.Effect    `json:"effects"`
	LateStarts  int                  `json:"late_starts"`
	Notes       []string             `json:"notes"`
	Replay      *Replayed            `json:"replay,omitempty"`
}

type latencyDoc struct {
	P50 Seconds `json:"p50"`
	P95 Seconds `json:"p95"`
	P99 Seconds `json:"p99"`
	Max Seconds `json:"max"`
}

// MarshalJSON writes the document. Latencies of nothing are 0.
func (s Summary) MarshalJSON() ([]byte, error) {
	doc := summaryDoc{
		Schema:      "hookctl.summary/1",
		Deliveries:  s.Deliveries,
		Delivered:   s.Delivered,
		Failed:      s.Failed,
		NotSent:     s.NotSent,
		Interrupted: s.Interrupted,
		Attempts:    s.Attempts,
		Answers:     make(map[string]int, len(s.Answers)),
		ByType:      s.ByType,
		Limit:       Seconds(s.Limit),
		Effects:     append([]profiles.Effect{}, s.Effects...),
		LateStarts:  s.LateStarts,
		Notes:       append([]string{}, s.Notes...),
		Replay:      s.Replay,
		Latency: latencyDoc{
			P50: Seconds(s.Latency.Quantile(0.50)),
			P95: Seconds(s.Latency.Quantile(0.95)),
			P99: Seconds(s.Latency.Quantile(0.99)),
			Max: Seconds(s.Latency.Max()),
		},
	}
	for o, n := range s.Answers {
		doc.Answers[o.String()] += n
	}
	if doc.ByType == nil {
		doc.ByType = map[string]TypeCount{}
	}
	return encode(doc)
}
