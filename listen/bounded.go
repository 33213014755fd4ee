package listen

// A memoryKey stands for an id or object under a profile, whatever its length.
type memoryKey [2]uint64

// bounded is a map of at most maxKnown entries: the one that came first is
// dropped for a new one. Its zero value is empty.
type bounded[V any] struct {
	values map[memoryKey]V
	keys   []memoryKey // a ring once it is full
	oldest int
}

func (b *bounded[V]) get(key memoryKey) (V, bool) {
	v, ok := b.values[key]
	return v, ok
}

// put sets the value of a key and returns the value that had to go for it. A
// key that is there keeps its age.
func (b *bounded[V]) put(key memoryKey, v V) (gone V, dropped bool) {
	if b.values == nil {
		b.values = make(map[memoryKey]V)
	}
	if _, ok := b.values[key]; ok {
		b.values[key] = v
		return gone, false
	}
	if len(b.keys) < maxKnown {
		b.keys = append(b.keys, key)
		b.values[key] = v
		return gone, false
	}
	gone = b.values[b.keys[b.oldest]]
	delete(b.values, b.keys[b.oldest])
	b.keys[b.oldest] = key
	b.oldest = (b.oldest + 1) % len(b.keys)
	b.values[key] = v
	return gone, true
}
