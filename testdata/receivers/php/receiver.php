<?php
// A small webhook receiver. What the variables mean: ../README.md.
// PHP's own server cannot say which port it took, so a small one stands here:
// one process, one request a connection.

declare(strict_types=1);

const MAX_HEAD = 64 << 10;
const MAX_BODY = 4 << 20;
const WINDOW = 300; // seconds, both ways
const REASONS = [200 => 'OK', 400 => 'Bad Request', 401 => 'Unauthorized', 405 => 'Method Not Allowed', 413 => 'Content Too Large'];

$secrets = array_values(array_filter(explode("\n", (string) getenv('SECRET')), fn ($line) => $line !== ''));
$scheme = (string) getenv('SCHEME');
$header = strtolower((string) getenv('HEADER'));
if (count($secrets) < 1 || count($secrets) > 2 || !in_array($scheme, ['t-v1', 'hex'], true) || $header === '') {
    fwrite(STDERR, "SECRET (one or two lines), SCHEME (t-v1 or hex) and HEADER must be set\n");
    exit(2);
}

function matches(string $value, string $message, array $secrets): bool
{
    $found = false;
    foreach ($secrets as $secret) {
        $found = hash_equals(hash_hmac('sha256', $message, $secret), $value) || $found;
    }
    return $found;
}

function verify_timed(string $header, string $body, array $secrets): bool
{
    $times = $digests = [];
    foreach (explode(',', $header) as $item) {
        if (str_starts_with($item, 't=')) {
            $times[] = substr($item, 2);
        } elseif (str_starts_with($item, 'v1=')) {
            $digests[] = substr($item, 3);
        }
    }
    if (count($times) !== 1 || !preg_match('/\A(0|[1-9][0-9]{0,14})\z/', $times[0])) {
        return false;
    }
    $found = false;
    foreach ($digests as $digest) {
        $found = matches($digest, $times[0] . '.' . $body, $secrets) || $found;
    }
    return $found && abs(time() - (int) $times[0]) <= WINDOW;
}

/** The head's lines: method, target, and the values of each header. */
function parse_head(string $head): ?array
{
    $lines = explode("\r\n", $head);
    if (!preg_match('~\A([A-Z]+) (\S+) HTTP/1\.[01]\z~', array_shift($lines), $m)) {
        return null;
    }
    $headers = [];
    foreach ($lines as $line) {
        $parts = explode(':', $line, 2);
        if (count($parts) !== 2) {
            return null;
        }
        $headers[strtolower($parts[0])][] = trim($parts[1], " \t");
    }
    return [$m[1], $m[2], $headers];
}

/** The body at the start of $data: its bytes, null while it is not all there, or a status. */
function read_body(array $headers, string $data): string|int|null
{
    if (strtolower($headers['transfer-encoding'][0] ?? '') !== 'chunked') {
        $length = $headers['content-length'][0] ?? '0';
        if (!preg_match('/\A[0-9]{1,15}\z/', $length)) {
            return 400;
        }
        if ((int) $length > MAX_BODY) {
            return 413;
        }
        return strlen($data) < (int) $length ? null : substr($data, 0, (int) $length);
    }
    $body = '';
    for ($at = 0;;) {
        if (strlen($body) > MAX_BODY || strlen($data) > 2 * MAX_BODY) {
            return 413;
        }
        $end = strpos($data, "\r\n", $at);
        if ($end === false) {
            return strlen($data) - $at > 1024 ? 400 : null;
        }
        if (!preg_match('/\A([0-9a-fA-F]{1,8})\s*(;.*)?\z/', substr($data, $at, $end - $at), $m)) {
            return 400;
        }
        $size = hexdec($m[1]);
        if ($size === 0) {
            return $body; // trailers are of no interest: the connection is closed
        }
        if ($size > MAX_BODY) {
            return 413;
        }
        if (strlen($data) < $end + 2 + $size + 2) {
            return null;
        }
        $body .= substr($data, $end + 2, $size);
        $at = $end + 2 + $size + 2;
    }
}

$server = stream_socket_server('tcp://127.0.0.1:0', $errno, $error, context: stream_context_create(['socket' => ['backlog' => 128]]));
if ($server === false) {
    fwrite(STDERR, "$error\n");
    exit(1);
}
echo 'listening ', substr(strrchr(stream_socket_get_name($server, false), ':'), 1), "\n";

$clients = []; // socket, what it sent, the parsed head
while (true) {
    $read = [STDIN, $server, ...array_column($clients, 'socket')];
    $write = $except = null;
    if (stream_select($read, $write, $except, null) === false) {
        exit(0);
    }
    foreach ($read as $socket) {
        if ($socket === STDIN) {
            if (fread(STDIN, 4096) === '' && feof(STDIN)) {
                exit(0);
            }
            continue;
        }
        if ($socket === $server) {
            if ($accepted = @stream_socket_accept($server, 0)) {
                stream_set_blocking($accepted, false);
                $clients[(int) $accepted] = ['socket' => $accepted, 'data' => '', 'head' => null];
            }
            continue;
        }
        $client = &$clients[(int) $socket];
        $data = @fread($socket, 65536);
        if ($data === false || ($data === '' && feof($socket))) {
            unset($clients[(int) $socket], $client);
            fclose($socket);
            continue;
        }
        $client['data'] .= $data;
        $status = null;
        $end = $client['head'] ? false : strpos($client['data'], "\r\n\r\n");
        if ($end !== false) {
            $client['head'] = parse_head(substr($client['data'], 0, $end));
            $client['data'] = substr($client['data'], $end + 4);
            $status = $client['head'] ? null : 400;
            if (strtolower($client['head'][2]['expect'][0] ?? '') === '100-continue') {
                @fwrite($socket, "HTTP/1.1 100 Continue\r\n\r\n");
            }
        } elseif (!$client['head'] && strlen($client['data']) > MAX_HEAD) {
            $status = 400;
        }
        if ($client['head']) {
            [$method, $target, $headers] = $client['head'];
            $body = read_body($headers, $client['data']);
            $signatures = $headers[$header] ?? [];
            $status = match (true) {
                $body === null => null,
                is_int($body) => $body,
                $method !== 'POST' => 405,
                count($signatures) !== 1 => 401,
                $scheme === 'hex' => matches($signatures[0], $body, $secrets) ? 200 : 401,
                default => verify_timed($signatures[0], $body, $secrets) ? 200 : 401,
            };
        }
        if ($status !== null) {
            $allow = $status === 405 ? "Allow: POST\r\n" : '';
            @fwrite($socket, "HTTP/1.1 $status " . REASONS[$status] . "\r\n{$allow}Connection: close\r\nContent-Length: 0\r\n\r\n");
            if ($client['head']) {
                echo $method, ' ', addcslashes(explode('?', $target)[0], "\0..\37\177..\377"), ' ', $status, "\n";
            }
            unset($clients[(int) $socket]);
            fclose($socket);
        }
        unset($client);
    }
}
