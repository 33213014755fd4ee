// Hello is the smallest program: what it takes to start is what any takes.
package main

import "os"

func main() { os.Stdout.WriteString("hello\n") }
