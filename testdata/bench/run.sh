#!/usr/bin/env bash
# Prints how long hookctl takes to start and to sign, as ratios to other
# programs, all from one run on this machine. RUNS is the number of runs of each
# (default 200).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

runs=${RUNS:-200}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

export CGO_ENABLED=0
for package in . ./testdata/bench/hello ./testdata/bench/imports; do
	go build -trimpath -ldflags '-s -w' -o "$dir/" "$package"
done
go build -o "$dir/timeit" ./testdata/bench/timeit
cd "$dir"

# A body of 1 KiB: 1024 bytes of JSON.
printf '{"event_id":"evt_1","event_type":"payment.succeeded","text":"%0961d"}' 0 >body
[ "$(wc -c <body)" -eq 1024 ] || { echo 'the body is not 1 KiB' >&2; exit 1; }
export BENCH_SECRET=bench-secret

compare() { # NAME A… -- B…
	./timeit -n "$runs" -name "$1" "${@:2}"
}

printf '%-36s %6s\n' 'A / B' 'ratio'
compare 'hookctl --version / hello' ./hookctl --version -- ./hello
compare 'hookctl --version / imports' ./hookctl --version -- ./imports
if command -v openssl >/dev/null; then
	compare 'hookctl sign / openssl dgst -hmac' ./hookctl sign -p kudos --secret-env BENCH_SECRET -o value -d @body -- \
		openssl dgst -sha256 -hmac "$BENCH_SECRET" body
else
	echo 'hookctl sign / openssl dgst -hmac: skipped, openssl is not installed'
fi
