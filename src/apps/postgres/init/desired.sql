-- What is wanted, and what of the past is to go, as views of this session.
\set desired `cat "$DESIRED"`
SELECT set_config('cozystack.desired', :'desired', false) \g /dev/null

CREATE TEMP VIEW desired_user AS
  SELECT u->>'name' AS name, u->>'password' AS password, (u->>'replication')::boolean AS replication
  FROM jsonb_array_elements(current_setting('cozystack.desired')::jsonb->'users') AS u;

CREATE TEMP VIEW desired_database AS
  SELECT d->>'name' AS name, (d->>'name') || '_admin' AS admin, (d->>'name') || '_readonly' AS readonly, d AS settings
  FROM jsonb_array_elements(current_setting('cozystack.desired')::jsonb->'databases') AS d;

CREATE TEMP VIEW desired_role AS
  SELECT name AS database, admin AS role, settings->'admin' AS members FROM desired_database
  UNION ALL SELECT name, readonly, settings->'readonly' FROM desired_database;

-- The comments are the mark by which a run knows what an earlier one made. They are read from the catalogue itself:
-- what psql prints of them differs between its versions.
CREATE TEMP VIEW retired_role AS
  SELECT r.oid, r.rolname AS name FROM pg_roles r
  WHERE shobj_description(r.oid, 'pg_authid') IN ('user managed by helm', 'role managed by helm')
    AND NOT r.rolsuper
    AND NOT EXISTS (SELECT FROM desired_user u WHERE u.name = r.rolname)
    AND NOT EXISTS (SELECT FROM desired_role d WHERE d.role = r.rolname);

CREATE TEMP VIEW retired_database AS
  SELECT d.oid, d.datname AS name FROM pg_database d
  WHERE shobj_description(d.oid, 'pg_database') = 'database managed by helm'
    AND NOT d.datistemplate AND d.datname <> current_database()
    AND NOT EXISTS (SELECT FROM desired_database w WHERE w.name = d.datname);
