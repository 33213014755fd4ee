package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// parseRequest reads a raw HTTP/1.1 request as text. The body is all that
// follows the blank line. If Content-Length says less and what is over is only a
// line end, as editors add, that is dropped and said.
func parseRequest(raw []byte) (header []sign.Header, body []byte, notes []string, err error) {
	head, body, ok := cutHead(raw)
	if !ok {
		head = raw // a request without a body may end with its head
	}
	first, header := send.ParseHead(head)
	method, rest, _ := strings.Cut(first, " ")
	if method == "" || strings.ContainsAny(method, ":/") || !strings.Contains(rest, "HTTP/1.") {
		return nil, nil, nil, errors.New("line 1 is not a request line such as POST /hooks HTTP/1.1")
	}
	if len(header) == 0 {
		return nil, nil, nil, errors.New("there is no header")
	}
	if n, ok := contentLength(header); ok && n < len(body) {
		if over := string(body[n:]); over == "\n" || over == "\r\n" {
			body = body[:n]
			notes = append(notes, fmt.Sprintf("Content-Length is %d: one line end after the body is dropped", n))
		}
	}
	return header, body, notes, nil
}

// cutHead splits a message at its first blank line, whatever its line ends.
func cutHead(raw []byte) (head, body []byte, ok bool) {
	for i := 0; i < len(raw); {
		end := bytes.IndexByte(raw[i:], '\n')
		if end < 0 {
			return nil, nil, false
		}
		line := raw[i : i+end]
		i += end + 1
		if i > end+1 && (len(line) == 0 || string(line) == "\r") {
			return raw[:i], raw[i:], true
		}
	}
	return nil, nil, false
}

// contentLength is the value of Content-Length, if it is a plain number.
func contentLength(header []sign.Header) (int, bool) {
	for _, h := range header {
		if sign.SameName(h.Name, "Content-Length") {
			n, err := strconv.Atoi(strings.TrimSpace(h.Value))
			return n, err == nil && n >= 0
		}
	}
	return 0, false
}
