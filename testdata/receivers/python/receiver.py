"""A small webhook receiver. What the variables mean: ../README.md."""

import hashlib
import hmac
import json
import os
import re
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_BODY = 4 << 20
WINDOW = 300  # seconds, both ways

SECRETS = [line for line in os.environb.get(b"SECRET", b"").split(b"\n") if line]
SCHEME = os.environ.get("SCHEME", "")
HEADER = os.environ.get("HEADER", "")
ID = os.environ.get("ID", "")
EFFECTS = os.environ.get("EFFECTS", "")


class BadBody(Exception):
    """The body is not framed as HTTP says, or is too long."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


def matches(value, message):
    found = False
    for secret in SECRETS:
        digest = hmac.new(secret, message, hashlib.sha256).hexdigest()
        if hmac.compare_digest(digest.encode(), value):
            found = True
    return found


def verify_hex(header, body):
    return matches(header, body)


def verify_timed(header, body):
    items = header.split(b",")
    times = [item[2:] for item in items if item.startswith(b"t=")]
    if len(times) != 1 or not re.fullmatch(rb"0|[1-9][0-9]{0,14}", times[0]):
        return False
    found = False
    for item in items:
        if item.startswith(b"v1=") and matches(item[3:], times[0] + b"." + body):
            found = True
    return found and abs(int(time.time()) - int(times[0])) <= WINDOW


VERIFIERS = {"t-v1": verify_timed, "hex": verify_hex}


done = set()
working = threading.Lock()


def handle(body):
    """Has an event's effect once; a repeated event is accepted again."""
    if ID == "":
        return 200
    try:
        event = json.loads(body)
        event_id = event[ID]
    except (ValueError, TypeError, KeyError, RecursionError):
        return 400
    if not isinstance(event_id, str):
        return 400
    with working:
        if event_id in done:
            return 200
        try:
            if EFFECTS != "":
                with open(EFFECTS, "a", encoding="utf-8") as effects:
                    effects.write(event_id + "\n")
        except OSError:
            return 503  # it comes again
        done.add(event_id)
    return 200


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "receiver"
    disable_nagle_algorithm = True

    def receive(self):
        try:
            body = self.read_body()
        except BadBody as bad:
            self.close_connection = True
            return self.answer(bad.status)
        if self.command != "POST":
            return self.answer(405)
        # http.server gives header values as latin1: one character a byte.
        lines = [value.encode("latin-1") for value in self.headers.get_all(HEADER, [])]
        verified = len(lines) == 1 and VERIFIERS[SCHEME](lines[0], body)
        self.answer(handle(body) if verified else 401)

    do_POST = do_GET = do_HEAD = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = receive

    def read_body(self):
        """The bytes of the body; http.server leaves the framing to us."""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return self.read_chunks()
        length = self.headers.get("Content-Length", "0")
        if not re.fullmatch(r"[0-9]{1,15}", length):
            raise BadBody(400)
        if int(length) > MAX_BODY:
            raise BadBody(413)
        return self.read_exactly(int(length))

    def read_chunks(self):
        body = b""
        while True:
            line = self.rfile.readline(1024)
            size = line.split(b";")[0].strip()
            if not re.fullmatch(rb"[0-9a-fA-F]{1,8}", size):
                raise BadBody(400)
            if int(size, 16) == 0:
                break
            if len(body) + int(size, 16) > MAX_BODY:
                raise BadBody(413)
            body += self.read_exactly(int(size, 16))
            if self.rfile.readline(1024).strip():
                raise BadBody(400)
        while self.rfile.readline(1024).strip():  # trailers
            pass
        return body

    def read_exactly(self, size):
        data = self.rfile.read(size)
        if len(data) < size:
            raise BadBody(400)
        return data

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        if status == 405:
            self.send_header("Allow", "POST")
        self.end_headers()
        path = ascii(self.path.split("?")[0])[1:-1]
        sys.stdout.write(f"{self.command} {path} {status}\n")
        sys.stdout.flush()

    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def stop(*_):
    os._exit(0)


def stop_with_stdin():
    while sys.stdin.buffer.read(4096):
        pass
    stop()


def main():
    if not 1 <= len(SECRETS) <= 2 or SCHEME not in VERIFIERS or not HEADER:
        print("SECRET (one or two lines), SCHEME (t-v1 or hex) and HEADER must be set", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, stop)
    threading.Thread(target=stop_with_stdin, daemon=True).start()
    with Server(("127.0.0.1", 0), Handler) as server:
        print(f"listening {server.server_address[1]}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
