#!/usr/bin/env bash
# Starts a receiver and tries it with curl and openssl: tryout.sh COMMAND…
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: tryout.sh COMMAND…" >&2; exit 2; }

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
body=$'{"id":"evt_1", "text":"caf\xc3\xa9",\n "n":1.0}\n'
printf %s "$body" > "$dir/body"
printf '%s' '{}' > "$dir/other"
failures=0

# hmac SECRET PREFIX: hex digest of PREFIX and the body.
hmac() { { printf %s "$2"; cat "$dir/body"; } | openssl dgst -sha256 -hmac "$1" -r | cut -d' ' -f1; }

# expect STATUS WHAT CURL-ARGUMENTS…
expect() {
	local want=$1 what=$2 got
	shift 2
	got=$(curl -s -m 10 -o /dev/null -w '%{http_code}' "$@" "http://127.0.0.1:$port/hooks?x=1" || true)
	if [ "$got" = "$want" ]; then echo "ok    $want $what"; else
		echo "FAIL  $want $what: got $got"
		failures=$((failures + 1))
	fi
}

start() { # SCHEME HEADER COMMAND…
	coproc RECEIVER { SECRET=$'old-secret\nnew-secret' SCHEME=$1 HEADER=$2 exec "${@:3}"; }
	pid=$RECEIVER_PID
	exec {out}<&"${RECEIVER[0]}" {in}>&"${RECEIVER[1]}"
	exec {RECEIVER[0]}<&- {RECEIVER[1]}>&-
	read -r word port <&"$out"
	[ "$word" = listening ] || { echo "no ready line"; exit 1; }
}

stopped() { # HOW
	local code=0
	wait "$pid" || code=$?
	case $code in
	0 | 143) echo "ok    ended $1" ;;
	*)
		echo "FAIL  ended $1 with $code"
		failures=$((failures + 1))
		;;
	esac
	exec {out}<&-
}

echo "hex: $*"
start hex X-Signature "$@"
post=(--data-binary "@$dir/body" -H 'Content-Type: application/json')
expect 200 'first secret' "${post[@]}" -H "X-Signature: $(hmac old-secret '')"
expect 200 'second secret, lower-case name' "${post[@]}" -H "x-signature: $(hmac new-secret '')"
expect 200 'chunked' "${post[@]}" -H 'Transfer-Encoding: chunked' -H "X-Signature: $(hmac old-secret '')"
expect 200 'Expect: 100-continue' "${post[@]}" -H 'Expect: 100-continue' -H "X-Signature: $(hmac old-secret '')"
expect 401 'another secret' "${post[@]}" -H "X-Signature: $(hmac other '')"
expect 401 'another body' --data-binary "@$dir/other" -H "X-Signature: $(hmac old-secret '')"
expect 401 'no header' "${post[@]}"
expect 401 'empty value' "${post[@]}" -H 'X-Signature;'
expect 401 'upper case' "${post[@]}" -H "X-Signature: $(hmac old-secret '' | tr a-f A-F)"
expect 401 'not ASCII' "${post[@]}" -H "X-Signature: $(printf 'é%.0s' {1..32})"
expect 401 'two lines' "${post[@]}" -H "X-Signature: $(hmac old-secret '')" -H "X-Signature: $(hmac old-secret '')"
expect 405 'GET' -H "X-Signature: $(hmac old-secret '')"
head -c 5000000 /dev/zero > "$dir/big"
expect 413 'a body that is too long' --data-binary "@$dir/big" -H 'Expect:'
expect 200 'and still there' "${post[@]}" -H "X-Signature: $(hmac old-secret '')"
exec {in}>&-
stopped 'with stdin'
start hex X-Signature "$@"
kill -TERM "$pid"
stopped 'by SIGTERM'
exec {in}>&-

echo "t-v1: $*"
start t-v1 X-Signed "$@"
now=$(date +%s)
good=$(hmac new-secret "$now.")
bad=$(hmac other "$now.")
expect 200 'one v1' "${post[@]}" -H "X-Signed: t=$now,v1=$good"
expect 200 'the second v1' "${post[@]}" -H "X-Signed: t=$now,v1=$bad,v1=$good"
expect 200 'the first v1' "${post[@]}" -H "X-Signed: t=$now,v1=$good,v1=$bad"
expect 200 'v1 before t, an unknown item' "${post[@]}" -H "X-Signed: v1=$good,v0=x,t=$now"
expect 401 'no v1 is right' "${post[@]}" -H "X-Signed: t=$now,v1=$bad"
expect 401 'only v0' "${post[@]}" -H "X-Signed: t=$now,v0=$good"
expect 401 'a blank after the comma' "${post[@]}" -H "X-Signed: t=$now, v1=$good"
expect 401 'two t' "${post[@]}" -H "X-Signed: t=$now,t=$now,v1=$good"
expect 401 'no t' "${post[@]}" -H "X-Signed: v1=$(hmac new-secret .)"
expect 401 'another t' "${post[@]}" -H "X-Signed: t=$((now + 1)),v1=$good"
for t in $((now - 290)) $((now + 290)); do
	expect 200 "t is $((t - now)) s away" "${post[@]}" -H "X-Signed: t=$t,v1=$(hmac new-secret "$t.")"
done
for t in $((now - 360)) $((now + 360)) "${now}000" "0$now" "+$now" "${now}x" 1e9 -1 0 '' abc 99999999999999999999999; do
	expect 401 "t is '$t'" "${post[@]}" -H "X-Signed: t=$t,v1=$(hmac new-secret "$t.")"
done
exec {in}>&-
stopped 'with stdin'

code=0
SECRET='' SCHEME=hex HEADER=X "$@" < /dev/null > /dev/null 2>&1 || code=$?
[ "$code" = 2 ] && echo 'ok    no secret is exit code 2' || { echo "FAIL  no secret: exit code $code"; failures=$((failures + 1)); }

[ "$failures" = 0 ] || { echo "$failures failed"; exit 1; }
