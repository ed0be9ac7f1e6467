#!/bin/sh
# Dumps each item of a database (a table, a database) into a restic repository of its own, then removes old dumps. What
# follows this part says what the items are ($items, $kind), where they are from ($host), and how one is dumped and cleaned.
# The command that starts this may trace it, and what it runs would be in the log with its arguments.
set +x
set -eu
# Words of the cleanup strategy are options, never patterns for names of files.
set -f

job="job-$(uuidgen | cut -c 1-8)"
broken="${TMPDIR:-/tmp}/broken"
status=0

complain() {
  printf '%s\n' "$*" >&2
  status=1
}

open() {
  restic cat config >/dev/null 2>&1 || restic init --repository-version 2 || return
  restic unlock
}

# store FILE TAG COMMAND...: what the command prints as a snapshot of this run, with a tag more if there is one. A command
# that broke off must not pass for a whole dump.
store() {
  file="$1" tag="$2"
  shift 2
  rm -f "$broken"
  { "$@" || : >"$broken"; } |
    restic backup --host "$host" --tag "$job" ${tag:+--tag "$tag"} --stdin --stdin-filename "$file" &&
    [ ! -e "$broken" ]
}

# The snapshots of this run are whole.
complete() {
  restic tag --tag "$job" --add completed --remove "$job"
}

# Every pod has another host name: without the grouping each dump would be the last one of its host, and kept.
forget() {
  restic forget --group-by tags "$@"
}

# each COMMAND: runs it for every item, in the item's repository. $items has a line an item: its name, a tab, and the name as
# a part of an address.
each() {
  tab="$(printf '\t')"
  IFS='
'
  for line in $items; do
    item="${line%%"$tab"*}"
    case "$item" in
    . | .. | *\\*)
      complain "$kind $item: left out, its name cannot be the name of a repository"
      continue
      ;;
    esac
    export RESTIC_REPOSITORY="s3:$REPO_PREFIX/${line##*"$tab"}"
    (unset IFS && "$1") || complain "$kind $item: $1 failed"
  done
  unset IFS
}

run() {
  each dump
  each cleanup
  exit "$status"
}

