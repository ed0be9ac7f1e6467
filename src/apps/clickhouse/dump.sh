#!/bin/sh
# Dumps every table of the default database into a restic repository of its own, then removes old dumps.
# The command that starts this traces it, and what it runs would be in the log with its arguments.
set +x
set -eu
# Words of the cleanup strategy are options, never patterns for names of files.
set -f

job="job-$(uuidgen | cut -c 1-8)"
broken="${TMPDIR:-/tmp}/broken"
status=0

# The password comes from the environment.
query() {
  clickhouse-client --host "$CLICKHOUSE_HOST" --user "$CLICKHOUSE_USER" --param_db=default "$@"
}

complain() {
  printf '%s\n' "$*" >&2
  status=1
}

open() {
  restic cat config >/dev/null 2>&1 || restic init --repository-version 2
}

# store TAG FILE QUERY: the answer to a query as a snapshot. A query that broke off must not pass for a whole table.
store() {
  rm -f "$broken"
  { query --param_table="$table" --query "$3" || : >"$broken"; } |
    restic backup --host "$CLICKHOUSE_HOST" --tag "$job" --tag "$1" --stdin --stdin-filename "$2" &&
    [ ! -e "$broken" ]
}

dump() {
  open && restic unlock &&
    store index index.sql 'SELECT create_table_query FROM system.tables
      WHERE database = {db:String} AND name = {table:String} FORMAT TabSeparatedRaw' &&
    store data data.tsv 'SELECT * FROM {db:Identifier}.{table:Identifier} FORMAT TabSeparated' &&
    restic tag --tag "$job" --add completed --remove "$job"
}

# Every pod has another host name: without the grouping each dump would be the last one of its host, and kept.
cleanup() {
  unset IFS
  restic forget --group-by tags --keep-tag completed &&
    restic forget --group-by tags --tag completed,index $CLEANUP_STRATEGY &&
    restic forget --group-by tags --tag completed,data $CLEANUP_STRATEGY &&
    restic prune
}

# One line a table, in random order: its name as TabSeparated writes it, and as a part of an address.
tables="$(query --query "SELECT name, encodeURLComponent(name) FROM system.tables
  WHERE database = {db:String} AND NOT startsWith(name, '.inner.') ORDER BY rand() FORMAT TabSeparated")"

# each COMMAND: runs it for every table, in the table's repository.
each() {
  tab="$(printf '\t')"
  IFS='
'
  for line in $tables; do
    table="${line%%"$tab"*}"
    case "$table" in
    . | .. | *\\*)
      complain "table $table: left out, its name cannot be the name of a repository"
      continue
      ;;
    esac
    export RESTIC_REPOSITORY="s3:$REPO_PREFIX/${line##*"$tab"}"
    ("$1") || complain "table $table: $1 failed"
  done
  unset IFS
}

each dump
each cleanup
exit "$status"
