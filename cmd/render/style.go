// Package render draws what hookctl saw, as text. It is the only place that
// knows colours. Its functions write values to a writer in a [Style] and return
// the writer's errors; they decide nothing.
//
// Start with [NewTimeline] for a delivery and [Say] for a message on stderr.
package render

import (
	"io"
	"strconv"

	"github.com/charmbracelet/lipgloss"
	"github.com/fatih/color"
)

// A Style is how a stream wants its text.
type Style struct {
	Width    int  // columns
	Color    bool // ANSI 16 colours
	ASCII    bool // ASCII twins of the drawings
	Dumb     bool // no drawings, no rewriting of lines
	Terminal bool // a terminal: messages are wrapped at Width
	Verbose  bool // nothing is shortened
}

// The widths at which the layout changes, in columns.
const (
	usualWidth  = 80  // where the width is not known
	leastWidth  = 60  // below it the terminal wraps
	normalWidth = 80  // below it the layout is narrow
	wideWidth   = 110 // from it on the layout is wide
	mostDrawing = 120 // drawings do not grow beyond it
)

// width is the number of columns to lay out for: 80 where it is not known, and
// never below 60.
func (s Style) width() int {
	if s.Width <= 0 {
		return usualWidth
	}
	return max(s.Width, leastWidth)
}

// drawing is the number of columns that a drawing may reach.
func (s Style) drawing() int { return min(s.width(), mostDrawing) }

func (s Style) narrow() bool { return s.width() < normalWidth }
func (s Style) wide() bool   { return s.width() >= wideWidth }

// A role is what a word means; colours follow from it.
type role int

const (
	plain role = iota
	good
	bad
	warn
	dim
	strong
	strongGood
	strongBad
	strongWarn
)

// A look is what a role looks like: one of the 16 ANSI colours, or none.
type look struct {
	color       color.Attribute // 0: the terminal's own
	bold, faint bool
}

func (r role) look() look {
	switch r {
	case good:
		return look{color: color.FgGreen}
	case bad:
		return look{color: color.FgRed}
	case warn:
		return look{color: color.FgYellow}
	case dim:
		return look{faint: true}
	case strong:
		return look{bold: true}
	case strongGood:
		return look{color: color.FgGreen, bold: true}
	case strongBad:
		return look{color: color.FgRed, bold: true}
	case strongWarn:
		return look{color: color.FgYellow, bold: true}
	}
	return look{}
}

// paint colours a word by its role; without colour it is the word.
func (s Style) paint(r role, word string) string {
	if !s.Color || r == plain || word == "" {
		return word
	}
	l := r.look()
	c := color.New()
	if l.bold {
		c.Add(color.Bold)
	}
	if l.faint {
		c.Add(color.Faint)
	}
	if l.color != 0 {
		c.Add(l.color)
	}
	c.EnableColor() // fatih/color would look at os.Stdout
	return c.Sprint(word)
}

// ansi16 is lipgloss's number for a terminal with 16 colours.
const ansi16 = 2

// A canvas colours the parts of a drawing.
type canvas struct {
	renderer *lipgloss.Renderer // nil: no colour
}

// canvas is a new canvas. It never asks the terminal what it can do.
func (s Style) canvas() canvas {
	if !s.Color {
		return canvas{}
	}
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(ansi16)
	r.SetHasDarkBackground(true)
	return canvas{renderer: r}
}

// paint colours one part of a drawing by its role.
func (c canvas) paint(r role, part string) string {
	if c.renderer == nil || r == plain || part == "" {
		return part
	}
	l := r.look()
	style := c.renderer.NewStyle().Bold(l.bold).Faint(l.faint)
	if l.color != 0 {
		style = style.Foreground(lipgloss.Color(strconv.Itoa(int(l.color - color.FgBlack))))
	}
	return style.Render(part)
}
