kind=database
host="$MYSQL_HOST"

# The password comes from the environment.
client() {
  program="$1"
  shift
  "$program" --host="$MYSQL_HOST" --user="$MYSQL_USER" "$@"
}

dump() {
  open && store dump.sql "" client mariadb-dump --single-transaction --databases -- "$item" && complete
}

cleanup() {
  forget --keep-tag completed && forget --tag completed $CLEANUP_STRATEGY && restic prune
}

# In random order. Names that begin with # are folders that are no databases.
items="$(client mariadb --batch --skip-column-names --execute "
  SELECT schema_name, REPLACE(REPLACE(schema_name, '%', '%25'), '/', '%2F') FROM information_schema.schemata
  WHERE schema_name NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema') AND schema_name NOT LIKE '#%'
  ORDER BY RAND()")"

run
