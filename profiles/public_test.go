package profiles

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestPublicProvidersCanBeDescribed(t *testing.T) {
	tests := []struct {
		name, content, header string
		attempts              int
		first                 time.Duration
	}{
		{"standard-webhooks", "{id}.{timestamp}.{body}", "v1,{signature}", 10, 5 * time.Second},
		{"stripe", "{timestamp}.{body}", "t={timestamp},v1={signature}", 6, time.Hour},
		{"github", "{body}", "sha256={signature}", 1, 0},
		{"slack", "v0:{timestamp}:{body}", "v0={signature}", 4, 0},
		{"shopify", "{body}", "{signature}", 9, time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", "public", tt.name+".yaml"))
			if err != nil {
				t.Fatal(err)
			}
			p, err := Parse(tt.name+".yaml", data)
			if err != nil {
				t.Fatal(err)
			}
			if faults := schemaFaults(t, data); len(faults) > 0 {
				t.Errorf("it does not fit the schema: %q", faults)
			}
			last := p.Headers[len(p.Headers)-1].Value.String()
			if p.Signature.Content.String() != tt.content || last != tt.header || p.Attempts() != tt.attempts {
				t.Errorf("got %q, %q, %d attempts", p.Signature.Content, last, p.Attempts())
			}
			if len(p.Retry.Waits) > 0 && p.Retry.Waits[0] != tt.first {
				t.Errorf("the first wait is %v, want %v", p.Retry.Waits[0], tt.first)
			}
		})
	}
}
