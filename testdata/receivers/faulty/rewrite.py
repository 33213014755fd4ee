"""A webhook receiver that checks the signature over json.dumps of the parsed
body. STYLE is default, compact or utf-8; the other variables: ../README.md."""

import hashlib
import hmac
import json
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = [line for line in os.environb.get(b"SECRET", b"").split(b"\n") if line]
SCHEME = os.environ.get("SCHEME", "")
HEADER = os.environ.get("HEADER", "")
OPTIONS = {
    "default": {},
    "compact": {"separators": (",", ":")},
    "utf-8": {"separators": (",", ":"), "ensure_ascii": False},
}[os.environ.get("STYLE", "default")]


def matches(value, message):
    return any(hmac.compare_digest(hmac.new(s, message, hashlib.sha256).hexdigest().encode(), value) for s in SECRETS)


def verify(header, raw):
    try:
        body = json.dumps(json.loads(raw), **OPTIONS).encode()  # the fault
    except (ValueError, RecursionError):
        body = raw
    if SCHEME == "hex":
        return matches(header, body)
    items = header.split(b",")
    times = [item[2:] for item in items if item.startswith(b"t=")]
    if len(times) != 1 or not re.fullmatch(rb"0|[1-9][0-9]{0,14}", times[0]):
        return False
    if abs(int(time.time()) - int(times[0])) > 300:
        return False
    return any(item.startswith(b"v1=") and matches(item[3:], times[0] + b"." + body) for item in items)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def receive(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        lines = [value.encode("latin-1") for value in self.headers.get_all(HEADER, [])]
        good = self.command == "POST" and len(lines) == 1 and verify(lines[0], raw)
        self.send_response(200 if good else 401)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET = do_HEAD = do_PUT = receive

    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


def stop_with_stdin():
    while sys.stdin.buffer.read(4096):
        pass
    os._exit(0)


threading.Thread(target=stop_with_stdin, daemon=True).start()
with Server(("127.0.0.1", 0), Handler) as server:
    print(f"listening {server.server_address[1]}", flush=True)
    server.serve_forever()
