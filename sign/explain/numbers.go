package explain

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// A numbering says how numbers are written.
type numbering uint8

const (
	asReceived    numbering = iota
	asJavaScript            // every number is a double
	asGo                    // the same, but -0
	asPython                // whole numbers stay, 1.0 stays
	asPHP                   // whole numbers stay, 1.0 becomes 1
	asRuby                  // whole numbers stay, 1e20 is 100000000000000000000.0
	asJava                  // doubles as Java's, whole numbers stay
	asJavaDoubles           // every number is a double, as Java's
	asRust                  // whole numbers stay, 1e+16 is 1e16
	asNewtonsoft            // whole numbers stay, exponents as E+16
)

// appendNumber writes a number token.
func (n numbering) appendNumber(dst, token []byte) []byte {
	whole := !bytes.ContainsAny(token, ".eE")
	if n == asReceived || len(token) > 400 {
		return append(dst, token...)
	}
	if whole && n != asJavaScript && n != asGo && n != asJavaDoubles {
		switch {
		case n == asPHP || n == asRust:
			if _, err := strconv.ParseInt(string(token), 10, 64); err == nil {
				return appendInt(dst, token)
			}
			if _, err := strconv.ParseUint(string(token), 10, 64); err == nil && n == asRust {
				return append(dst, token...)
			}
		default:
			return appendInt(dst, token)
		}
	}
	x, err := strconv.ParseFloat(string(token), 64)
	if err != nil { // beyond every double
		switch n {
		case asJavaScript:
			return append(dst, "null"...)
		case asPython:
			if token[0] == '-' {
				dst = append(dst, '-')
			}
			return append(dst, "Infinity"...)
		}
		return append(dst, token...)
	}
	return n.appendFloat(dst, x)
}

// appendInt writes a whole number; -0 is 0.
func appendInt(dst, token []byte) []byte {
	if string(token) == "-0" {
		return append(dst, '0')
	}
	return append(dst, token...)
}

// appendFloat writes a double with the fewest digits that read back as it.
func (n numbering) appendFloat(dst []byte, x float64) []byte {
	if x == 0 && (n == asJavaScript || n == asGo) {
		if math.Signbit(x) && n == asGo {
			return append(dst, "-0"...)
		}
		return append(dst, '0')
	}
	var room [32]byte
	text := strconv.AppendFloat(room[:0], x, 'e', -1, 64)
	if text[0] == '-' {
		dst = append(dst, '-')
		text = text[1:]
	}
	mantissa, exp, _ := strings.Cut(string(text), "e")
	digits := strings.Replace(mantissa, ".", "", 1)
	e, _ := strconv.Atoi(exp)
	low, high := -5, 16 // plain from 10^low up to below 10^high
	switch n {
	case asJavaScript, asGo:
		low, high = -6, 21
	case asPython, asNewtonsoft:
		low = -4
	case asRuby:
		low, high = -4, 15
	case asPHP:
		low, high = -4, 17
	case asJava, asJavaDoubles:
		low, high = -3, 7
	}
	if x == 0 {
		e, digits = 0, "0"
	}
	if e >= low && e < high {
		return n.appendPlain(dst, digits, e)
	}
	dst = append(dst, digits[0])
	switch {
	case len(digits) > 1:
		dst = append(dst, '.')
		dst = append(dst, digits[1:]...)
	case n == asPHP || n == asRuby || n == asJava || n == asJavaDoubles:
		dst = append(dst, ".0"...)
	}
	letter := byte('e')
	if n == asJava || n == asJavaDoubles || n == asNewtonsoft {
		letter = 'E'
	}
	dst = append(dst, letter)
	switch {
	case e < 0:
		dst = append(dst, '-')
		e = -e
	case n != asJava && n != asJavaDoubles && n != asRust:
		dst = append(dst, '+')
	}
	if e < 10 && (n == asPython || n == asRuby || n == asNewtonsoft) {
		dst = append(dst, '0')
	}
	return strconv.AppendInt(dst, int64(e), 10)
}

// appendPlain writes digits without an exponent; the first stands for 10^e.
func (n numbering) appendPlain(dst []byte, digits string, e int) []byte {
	switch {
	case e < 0:
		dst = append(dst, "0."...)
		dst = append(dst, strings.Repeat("0", -e-1)...)
		return append(dst, digits...)
	case len(digits) > e+1:
		dst = append(dst, digits[:e+1]...)
		dst = append(dst, '.')
		return append(dst, digits[e+1:]...)
	}
	dst = append(dst, digits...)
	dst = append(dst, strings.Repeat("0", e+1-len(digits))...)
	if n == asJavaScript || n == asGo || n == asPHP {
		return dst
	}
	return append(dst, ".0"...)
}
