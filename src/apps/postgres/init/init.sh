#!/usr/bin/env bash
# Makes the server hold the users, databases and roles of desired.json, and nothing else that was made this way before.
# Runs any number of times. Every name and password is data: it is read from the file by psql, and quoted by the server.
set -euo pipefail

here=${BASH_SOURCE[0]%/*}
export DESIRED="$here/desired.json"
maintenance=${PGDATABASE:-postgres}

export PGCLIENTENCODING=UTF8 PGAPPNAME=init PGCONNECT_TIMEOUT=10
# The tenant's own schemas are not searched by this superuser's session, and statements with passwords are not logged.
export PGOPTIONS="-c search_path=pg_catalog -c client_min_messages=warning -c log_statement=none \
-c log_min_duration_statement=-1 -c log_min_error_statement=panic -c pg_stat_statements.track_utility=off"

# The database is taken from the environment: given as an argument, a name such as "a=b" would be read as a connection string.
sql() {
  local database=$1
  shift
  PGDATABASE=$database psql --no-psqlrc --no-password --quiet --no-align --tuples-only \
    --set=ON_ERROR_STOP=1 --set=VERBOSITY=terse --set=SHOW_CONTEXT=never "$@"
}

# run DATABASE SECTION [OPTION]...: a section of the SQL, after the one that reads desired.json.
run() {
  local database=$1 section=$2
  shift 2
  base64 --decode "$here/sql.gz.base64" | gzip --decompress |
    sed --quiet "/^-- begin desired\$/,/^-- end\$/p; /^-- begin $section\$/,/^-- end\$/p" |
    sql "$database" --file=- "$@"
}

# Databases are listed with a zero byte after each name, the one character no name can have.
each_database() {
  local list=$1 section=$2 database databases
  mapfile -d '' -t databases < <(run "$maintenance" "$list" --record-separator-zero)
  wait "$!"
  for database in "${databases[@]}"; do
    printf 'database %q: %s\n' "$database" "$section"
    run "$database" "$section"
  done
}

until answer=$(sql "$maintenance" --command="SELECT CASE WHEN pg_is_in_recovery() THEN 'read-only' ELSE 'writable' END" 2>&1) &&
  [[ $answer == writable ]]; do
  printf 'waiting for %s: %s\n' "${PGHOST:-the server}" "$answer"
  sleep 5
done

# One run at a time: the lock is held by a session that lives as long as this script.
coproc guard { sql "$maintenance"; }
printf '%s\n' "SELECT 'locked' FROM pg_advisory_lock(8010217164393521769);" >&"${guard[1]}"
read -r -u "${guard[0]}" answer
[[ $answer == locked ]]

if [[ $(run "$maintenance" fence) == superseded ]]; then
  echo 'a later version of this has run already: nothing to do'
  exit 0
fi
run "$maintenance" server
each_database visit retire
run "$maintenance" drop
each_database declared database
echo 'done'
