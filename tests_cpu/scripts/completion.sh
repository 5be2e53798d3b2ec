#!/usr/bin/env bash
# What a shell completes with the script of `ndforge completion`: SHELL NDFORGE. Skipped (77) without the shell.
# shellcheck disable=SC2317  # the functions of the shells are called by their names
set -euo pipefail
shell=$1 command=$(realpath -- "$2")
if ! command -v "$shell" > /dev/null; then
  echo "skipped: $shell is not installed"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
cd -- "$folder"
touch array_of_mine.npy
PATH=$(dirname -- "$command"):$PATH
export PATH TERM=dumb HOME=$folder
unset XDG_CONFIG_HOME XDG_DATA_HOME ZDOTDIR NDFORGE_ISA

# Each prints the line, completed at its end.
bash_completes() {
  bash --norc -c '
    source <(ndforge completion bash)
    read -r -a COMP_WORDS <<< "$1"
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    compopt() { :; }  # there is no line that is edited
    _ndforge
    printf "%s\n" "${COMPREPLY[@]}"' bash "$1"
}

# shellcheck disable=SC2016  # variables of the other shells
fish_completes() {
  fish --no-config -c 'ndforge completion fish | source; complete -C $argv[1]' "$1"
}

# An interactive shell in a terminal of its own: Tab works nowhere else. It prints what the line has become. The
# terminal repeats what is written to it, which must not look like the word that is waited for: hence be\gin.
# shellcheck disable=SC2016
zsh_completes() {
  zsh -f -c '
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "PS1= PROMPT2= RPROMPT=; unsetopt zle_bracketed_paste 2> /dev/null"
    zpty -w shell "autoload -Uz compinit; compinit -u -d $PWD/dump; source <(ndforge completion zsh)"
    zpty -w shell "show() { print -r -- \"<\$BUFFER>\"; }; zle -N show; bindkey \"^X\" show; print be\gin; print -n x"
    zpty -r shell started "*begin*x*"
    zpty -n -w shell "$1"$'"'\\t\\x18'"'
    zpty -r shell line "*<*>*"
    print -r -- ${${line##*<}%%>*}
    zpty -d shell' zsh "$1"
}

failed=0
# expect LINE COMPLETED: one of the lines that the shell offers ends with COMPLETED, but for spaces.
expect() {
  local found
  found=$(timeout 60 bash -c "$(declare -f "${shell}_completes"); ${shell}_completes \"\$1\"" completion "$1" || true)
  if ! sed -e 's/[[:space:]]*$//' <<< "$found" | cut -f 1 | grep -q -- "$2\$"; then
    echo "$shell: '$1' becomes '$found', not '$2'"
    failed=1
  fi
}
expect "ndforge vers" "version"
expect "ndforge graph sh" "show"
expect "ndforge run maxpool2d_" "maxpool2d_bp"
expect "ndforge run maxpool2d --kern" "--kernel"
expect "ndforge run add --js" "--json"
expect "ndforge run add -i array_of" "array_of_mine.npy"
exit "$failed"
