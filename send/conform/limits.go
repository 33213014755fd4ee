package conform

import (
	"context"
	"strings"

	"github.com/hookctl/hookctl/profiles"
)

const (
	kib = 1 << 10
	mib = 1 << 20
)

// bodyLimit sends events that are larger and larger.
func bodyLimit(ctx context.Context, r *run, t *tried) {
	if !r.object {
		t.skip("the event's body is no JSON object")
		return
	}
	most := r.p.Delivery.MaxBody
	if most <= 0 {
		most = profiles.DefaultMaxBody
	}
	t.Asked = "events of 99 KiB, 101 KiB and so on, up to " + size(most) + ", and beyond"
	sizes := []int64{99 * kib, 101 * kib, 257 * kib}
	if mib < most {
		sizes = append(sizes, mib)
	}
	if n := int64(11) * mib / 10; n < most {
		sizes = append(sizes, n)
	}
	sizes = append(sizes, most)
	largest := int64(len(r.o.Event.Body))
	var refused answer
	for _, n := range sizes {
		if n > most || n < largest {
			continue
		}
		a := t.send(ctx, "an event of "+size(n), r.genuine(r.padded(n)))
		if a.cut {
			return
		}
		if !a.accepted() {
			if n == sizes[0] && r.strict(ctx, t) {
				return
			}
			refused = a
			largest = r.bisect(ctx, t, largest, n)
			break
		}
		largest = n
	}
	if refused.response == nil && refused.failure == nil {
		if n := int64(11) * mib / 10; n > most {
			if a := t.send(ctx, "an event of "+size(n), r.genuine(r.padded(n))); !a.cut {
				t.note("beyond the provider's %s, at %s: %s", size(most), size(n), a)
			}
		}
		t.stopped = false
		return
	}
	finding, fix := "the largest body accepted is "+size(largest), "raise the limit of the body to "+size(most)
	switch largest {
	case 100 * kib:
		finding += ", which is Express's default"
		fix = `express.raw({limit: "1mb"})`
	case mib:
		finding += ", which is nginx's default"
		fix = "client_max_body_size, in nginx"
	}
	t.Came = refused.String() + " beyond " + size(largest)
	t.fail(finding, fix)
}

// padded is an event whose body has n bytes.
func (r *run) padded(n int64) event {
	e := r.event()
	empty := e.with(extra, `""`)
	return e.with(extra, `"`+strings.Repeat("a", max(0, int(n)-len(empty.body)))+`"`)
}

// bisect is the largest body that is accepted, in whole KiB above the first.
func (r *run) bisect(ctx context.Context, t *tried, good, bad int64) int64 {
	for bad-good > kib {
		middle := (good + bad) / 2 / kib * kib
		if middle <= good {
			break
		}
		a := t.send(ctx, "an event of "+size(middle), r.genuine(r.padded(middle)))
		if a.cut {
			break
		}
		if a.accepted() {
			good = middle
		} else {
			bad = middle
		}
	}
	return good
}
