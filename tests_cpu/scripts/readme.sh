#!/usr/bin/env bash
# The first program of README.md is the example that the tests build and run.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)

# shellcheck disable=SC2016  # backquotes of Markdown, not of the shell
shown=$(sed -n '/^```cpp$/,/^```$/p' "$root/README.md" | sed '1d;/^```$/,$d')
if ! diff <(printf '%s\n' "$shown") "$root/examples/first_array.cpp"; then
  echo "README.md shows another first program than examples/first_array.cpp"
  exit 1
fi
