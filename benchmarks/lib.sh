# Shared by engine scripts. Keep it small: what differs between engines belongs into their scripts.
set -euo pipefail

# need NAME…: stop with a sentence when a variable of the contract (benchmarks/README.md) is missing.
need() {
  local name
  for name in "$@"; do
    if [ -z "${!name:-}" ]; then
      echo "$0: $name is not set; infx exports it from the row" >&2
      exit 2
    fi
  done
}
