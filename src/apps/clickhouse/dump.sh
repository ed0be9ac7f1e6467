kind=table
host="$CLICKHOUSE_HOST"

# The password comes from the environment.
query() {
  clickhouse-client --host "$CLICKHOUSE_HOST" --user "$CLICKHOUSE_USER" --param_db=default "$@"
}

rows() {
  query --param_table="$item" --query "$1"
}

dump() {
  open &&
    store index.sql index rows 'SELECT create_table_query FROM system.tables
      WHERE database = {db:String} AND name = {table:String} FORMAT TabSeparatedRaw' &&
    store data.tsv data rows 'SELECT * FROM {db:Identifier}.{table:Identifier} FORMAT TabSeparated' &&
    complete
}

cleanup() {
  forget --keep-tag completed &&
    forget --tag completed,index $CLEANUP_STRATEGY &&
    forget --tag completed,data $CLEANUP_STRATEGY &&
    restic prune
}

# In random order; names as TabSeparated writes them.
items="$(query --query "SELECT name, encodeURLComponent(name) FROM system.tables
  WHERE database = {db:String} AND NOT startsWith(name, '.inner.') ORDER BY rand() FORMAT TabSeparated")"

run
