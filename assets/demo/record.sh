#!/usr/bin/env bash
# usage: assets/demo/record.sh FOLDER
# Runs the sample's tests in a fresh FOLDER/ledger and keeps what the runs left behind: their output and the seeds. By hand,
# after a change of the sample. FOLDER's path is in the output for ever, so choose one of no particular machine: /home/ci
# Needs pytest with Hypothesis, and npm.
set -euo pipefail
demo=$(cd "$(dirname "$0")" && pwd)
ledger=$1/ledger
[ ! -e "$ledger" ] || { echo "expected no $ledger yet: remove it first" >&2; exit 2; }

mkdir -p "$1"
cp -r "$demo/ledger" "$ledger"
cd "$ledger"
rm -rf proptest-regressions tests/*.proptest-regressions
mv manifest.toml Cargo.toml
mv lock.toml Cargo.lock
mv gitignore .gitignore

unset RUST_BACKTRACE CARGO_TARGET_DIR
# The libraries are built before, so that the output holds the sample alone.
cargo test --locked --no-run --quiet
touch src/lib.rs
cargo test --locked --no-fail-fast > "$demo/nightly/cargo.log" 2>&1 || true

rm -rf "$demo/ledger/proptest-regressions" "$demo"/ledger/tests/*.proptest-regressions
cp -r proptest-regressions "$demo/ledger/"
cp tests/*.proptest-regressions "$demo/ledger/tests/"

python -m pytest python > "$demo/nightly/pytest.log" 2>&1 || true

cd web
npm install --silent --no-package-lock
node --test --test-reporter=spec > "$demo/nightly/node.log" 2>&1 || true
