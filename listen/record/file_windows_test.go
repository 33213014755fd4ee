package record

const keepsRemoved = false
