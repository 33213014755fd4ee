#!/usr/bin/env bash
# Prints how fast hookctl is, as ratios to programs that do the same, all from
# one run on this machine. In front of each figure stands its bound; behind it,
# the times and the most memory of both; at the end of the line, whether the
# figure is out of bounds. What cannot be run is skipped with a word.
#
#   testdata/bench/run.sh               every part
#   testdata/bench/run.sh start sign    some of: start, sign, process, listen, send
#
# RUNS is the number of runs of each short command (default 200); longer ones
# run a tenth of that.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

runs=${RUNS:-200}
few=$(((runs + 9) / 10))
tree=$PWD
dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$dir"' EXIT
unset HOOKCTL_PROFILE HOOKCTL_URL HOOKCTL_SECRET HOOKCTL_CONFIG HOOKCTL_ASCII
export BENCH_SECRET=bench-secret BENCH_SECOND=bench-second

part() { # NAME: whether it is wanted
	[ "${#wanted[@]}" -eq 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]]
}
wanted=("$@")

judged() { # marks the lines whose figure does not keep its bound
	awk '{
		broken = match($0, /[<>]= [0-9.]+ +[0-9.]+/) && split(substr($0, RSTART, RLENGTH), f) &&
			(f[1] == "<=" ? f[3] + 0 > f[2] + 0 : f[3] + 0 < f[2] + 0)
		print $0 (broken ? "   OUT OF BOUNDS" : "")
	}'
}

row() { # RUNS NAME BOUND [-more] A… -- B…
	"$dir/timeit" -n "$1" -name "$(printf '%-38s %8s' "$2" "$3")" "${@:4}" 2>errors | judged || skip "$2" "$(tail -n 1 errors)"
}

figure() { # NAME BOUND FIGURE
	printf '%-38s %8s %7s   %s\n' "$1" "$2" "$3" "${4:-}" | judged
}

skip() { # NAME WHY
	printf '%-38s skipped: %s\n' "$1" "$2"
}

calc() { # FORMAT EXPRESSION
	awk "BEGIN { printf \"$1\", $2 }"
}

have() { command -v "$1" >/dev/null; }

# A file that was linked just now is cached by the system in small pages, one that
# was unpacked or copied in large ones, and so starts a fifth faster: all are
# copied. One row tells of the other.
mkdir "$dir/linked"
for package in . ./testdata/bench/{hello,imports,bare,app,roundtrips}; do
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$dir/linked/" "$package"
done
cp "$dir"/linked/* "$dir/"
go build -o "$dir/" ./testdata/bench/timeit ./testdata/bench/load
cd "$dir"

# A body of 1 KiB: 1024 bytes of JSON.
printf '{"event_id":"evt_1","event_type":"payment.succeeded","text":"%0961d"}' 0 >body
[ "$(wc -c <body)" -eq 1024 ] || { echo 'the body is not 1 KiB' >&2; exit 1; }
sign=(./hookctl sign -p kudos --secret-env BENCH_SECRET -o value -d)

printf '%-38s %8s %7s\n' 'A / B' bound figure

if part start; then
	row "$runs" '--version / hello' '<= 2.2' ./hookctl --version -- ./hello
	row "$runs" '--version / imports' '' ./hookctl --version -- ./imports
	row "$runs" '--help / --version' '<= 1.1' ./hookctl --help -- ./hookctl --version
	if script --version 2>/dev/null | grep -q util-linux; then
		row "$few" 'a silent terminal, ms more than a pipe' '<= 20' -more \
			script -qec './hookctl plan -p kudos' /dev/null -- script -qec './hookctl plan -p kudos | cat' /dev/null
	else
		skip 'a silent terminal' 'there is no script of util-linux'
	fi
	figure 'stripped, MB' '<= 10' "$(calc %.2f "$(wc -c <hookctl) / 1e6")"
fi

bench() { # PACKAGE PATTERN TIMES: runs benchmarks in turn, five times
	(cd "$tree/$1" && go test -c -o "$dir/bench.test")
	for _ in {1..5}; do
		(cd "$tree/$1" && "$dir/bench.test" -test.run '^$' -test.bench "$2" -test.benchtime "${3}x")
	done >benchmarks
}

times() { # NAME: its figures, in nanoseconds
	awk -v name="^$1(-[0-9]+)?\$" '$1 ~ name { print $3 }' benchmarks
}

least() { # NAME
	times "$1" | sort -n | sed -n 1p
}

more() { # A B: the median of what A takes more
	paste <(times "$1") <(times "$2") | awk '{ print $1 - $2 }' | sort -n | sed -n 3p
}

if part sign; then
	head -c 104857600 /dev/zero >large
	if have openssl; then
		hmac=(openssl dgst -sha256 -hmac "$BENCH_SECRET")
		row "$runs" 'sign 1 KiB / openssl' '<= 0.70' "${sign[@]}" @body -- "${hmac[@]}" body
		row "$runs" 'the same, linked just now' '' "./linked/${sign[0]}" "${sign[@]:1}" @body -- "${hmac[@]}" body
		if have taskset; then
			row "$few" 'sign 100 MiB, one core / openssl' '<= 0.95' \
				taskset -c 0 "${sign[@]}" @large -- taskset -c 0 "${hmac[@]}" large
		else
			skip 'sign 100 MiB, one core / openssl' 'there is no taskset'
		fi
		row "$few" 'sign 100 MiB / openssl' '<= 0.80' "${sign[@]}" @large -- "${hmac[@]}" large
		row "$few" 'sign 100 MiB, two secrets / openssl' '<= 1.15' \
			"${sign[@]}" @large --secret-env BENCH_SECOND -- "${hmac[@]}" large
	else
		skip 'sign / openssl' 'openssl is not installed'
	fi
	row "$few" 'sign 100 MiB / 1 KiB (see the memory)' '' "${sign[@]}" @large -- "${sign[@]}" @body
	rm large
	bench sign '1KiB$' 20000
	bare=$(least BenchmarkBareHMAC1KiB)
	figure 'a signature of 1 KiB, ns' '<= 1300' "$(least BenchmarkSignature1KiB)" "(bare: $bare ns)"
	figure 'sign.Verify of 1 KiB, ns' "<= $(calc %d "1.5 * $bare + 500")" "$(least BenchmarkVerify1KiB)" '(1.5 times bare and 500)'
fi

serve() { # COMMAND…: a server in the background, its address in $at
	at=127.0.0.1:$1
	"${@:2}" -addr "$at" &
	for _ in {1..500}; do
		if (: <"/dev/tcp/${at/:/\/}") 2>/dev/null; then return; fi
		sleep 0.01
	done
	echo "$2 does not serve" >&2
	exit 1
}

if part process; then
	serve 17651 ./app
	cat >by-hand <<-EOF
		t=\$(date +%s)
		s=\$({ printf '%s.' "\$t"; cat body; } | openssl dgst -sha256 -hmac "$BENCH_SECRET" -r)
		exec curl -sS -o /dev/null -H 'Content-Type: application/json' -H 'X-Kudos-Event-Id: evt_1' \\
			-H "X-Kudos-Signature: t=\$t,v1=\${s%% *}" --data-binary @body http://$at/
	EOF
	if have openssl && have curl; then
		row "$few" 'one send / date, openssl, curl' '<= 0.45' \
			./hookctl send -q -p kudos --secret-env BENCH_SECRET -d @body "http://$at/" -- sh by-hand
	else
		skip 'one send / date, openssl, curl' 'openssl or curl is not installed'
	fi
	bench send 'Attempt|Plan$' 2000
	figure 'one attempt, µs more than RoundTrip' '<= 50' \
		"$(calc %.1f "$(more BenchmarkAttempt/attempt BenchmarkAttempt/bare) / 1000")" "(bare: $(least BenchmarkAttempt/bare) ns)"
	figure '10,000 plans of six attempts, s' '<= 0.5' "$(calc %.2f "$(least BenchmarkPlan) / 1e5")"
fi

listen=(./hookctl listen -p kudos --verify -q --secret-env BENCH_SECRET --addr ADDR)
bare=(./bare -header X-Kudos-Signature -addr ADDR)

receivers() { # NAME BOUND [FLAG OF LOAD…] A… -- B…
	./load -p kudos -name "$(printf '%-38s %8s' "$1" "$2")" "${@:3}" 2>errors | judged || skip "$1" "$(tail -n 1 errors)"
}

if part listen; then
	receivers 'listen / bare (p99 <= 1.3)' '>= 0.85' "${listen[@]}" -- "${bare[@]}"
	receivers 'listen --record / bare' '>= 0.80' "${listen[@]}" --record record.ndjson -- "${bare[@]}"
	rm -f record.ndjson
	receivers 'listen, 512 KiB, 16 at once / bare' '>= 0.85' -size $((512 << 10)) -events 16 -c 16 "${listen[@]}" -- "${bare[@]}"
	serve 17652 ./app
	receivers 'listen --forward-to / bare' '>= 0.85' "${listen[@]}" --forward-to "http://$at/" -- "${bare[@]}" -to "http://$at/"
fi

if part send; then
	serve 17653 ./app
	count=(./hookctl send -q -p kudos --secret-env BENCH_SECRET -d @body --concurrency 32)
	signature=$("${sign[@]}" @body)
	for tool in github.com/rakyll/hey@v0.1.5 github.com/tsenart/vegeta/v12@v12.13.0; do
		GOBIN=$dir go install "$tool" 2>/dev/null || true
	done
	if [ -x hey ]; then
		row 5 'send --count 20000 / hey, time' '<= 1.0' "${count[@]}" --count 20000 "http://$at/" -- \
			./hey -n 20000 -c 32 -m POST -T application/json -H "X-Kudos-Signature: $signature" -D body "http://$at/"
	else
		skip 'send --count 20000 / hey' 'the module proxy does not serve it'
	fi
	if [ -x vegeta ]; then
		for _ in {1..20000}; do printf 'POST http://%s/\n' "$at"; done >targets
		row 5 'send --count 20000 / vegeta, time' '<= 1.0' "${count[@]}" --count 20000 "http://$at/" -- \
			./vegeta attack -rate 0 -duration 0 -workers 32 -max-workers 32 -lazy -targets targets -body body \
			-header 'Content-Type: application/json' -header "X-Kudos-Signature: $signature" -output /dev/null
	else
		skip 'send --count 20000 / vegeta' 'the module proxy does not serve it'
	fi
	serve 17654 ./app -status 503
	row 2 '10,000 dead deliveries / RoundTrip' '<= 1.3' \
		sh -c '"$@" || [ $? -eq 1 ]' sh "${count[@]}" --count 10000 --speed instant "http://$at/" -- \
		./roundtrips -c 32 -first 10000 -again 50000 body "http://$at/"
fi
