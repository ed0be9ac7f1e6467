-- What belongs to the whole server: users, databases, their roles, and who is in them.
\o /dev/null

SELECT format('CREATE ROLE %I', name) FROM desired_user
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) ORDER BY name \gexec
SELECT format('ALTER ROLE %I WITH LOGIN INHERIT %s PASSWORD %L', name,
              CASE WHEN replication THEN 'REPLICATION' ELSE 'NOREPLICATION' END, password)
FROM desired_user ORDER BY name \gexec
SELECT format('COMMENT ON ROLE %I IS %L', name, 'user managed by helm') FROM desired_user ORDER BY name \gexec

-- No new connections, then no connections, then no database: a client that reconnects at once must not win.
SELECT format('ALTER DATABASE %I ALLOW_CONNECTIONS false', name) FROM retired_database ORDER BY name \gexec
SELECT pg_terminate_backend(s.active_pid) FROM pg_replication_slots s JOIN retired_database d ON d.name = s.database
WHERE s.active;
SELECT format('DROP DATABASE %I WITH (FORCE)', name) FROM retired_database ORDER BY name \gexec
-- The database this session is in cannot be dropped. It loses the mark instead.
SELECT format('COMMENT ON DATABASE %I IS NULL', current_database())
WHERE shobj_description((SELECT oid FROM pg_database WHERE datname = current_database()), 'pg_database') = 'database managed by helm'
  AND NOT EXISTS (SELECT FROM desired_database WHERE name = current_database()) \gexec

SELECT format('CREATE DATABASE %I', name) FROM desired_database
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = name) ORDER BY name \gexec
SELECT format('ALTER DATABASE %I ALLOW_CONNECTIONS true', name) FROM desired_database d
JOIN pg_database p ON p.datname = d.name AND NOT p.datallowconn ORDER BY name \gexec
SELECT format('COMMENT ON DATABASE %I IS %L', name, 'database managed by helm') FROM desired_database ORDER BY name \gexec

SELECT format('CREATE ROLE %I NOINHERIT', role) FROM desired_role
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) ORDER BY role \gexec
-- A role with the name of a user is both. Without the user it must not be a way in any more.
SELECT format('ALTER ROLE %I NOLOGIN NOREPLICATION', role) FROM desired_role
WHERE NOT EXISTS (SELECT FROM desired_user WHERE name = role) ORDER BY role \gexec
SELECT format('COMMENT ON ROLE %I IS %L', role, 'role managed by helm') FROM desired_role
WHERE NOT EXISTS (SELECT FROM desired_user WHERE name = role) ORDER BY role \gexec

SELECT format('REVOKE %I FROM %I', d.role, u.name) FROM desired_role d CROSS JOIN desired_user u
WHERE NOT d.members ? u.name AND EXISTS (
  SELECT FROM pg_auth_members m JOIN pg_roles granted ON granted.oid = m.roleid JOIN pg_roles member ON member.oid = m.member
  WHERE granted.rolname = d.role AND member.rolname = u.name)
ORDER BY d.role, u.name \gexec
-- Names in the lists that are no declared users are ignored.
SELECT format('GRANT %I TO %I', d.role, u.name) FROM desired_role d JOIN desired_user u ON d.members ? u.name
WHERE d.role <> u.name ORDER BY d.role, u.name \gexec
SELECT format('ALTER DATABASE %I OWNER TO %I', name, admin) FROM desired_database ORDER BY name \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO %I', name, readonly) FROM desired_database ORDER BY name \gexec

-- Roles that are to go lose their sessions and, here already, the databases they own: REASSIGN OWNED (retire.sql) would
-- hand those to the owner of whichever database it runs in first.
SELECT format('ALTER ROLE %I NOLOGIN', name) FROM retired_role ORDER BY name \gexec
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usesysid IN (SELECT oid FROM retired_role);
SELECT format('ALTER DATABASE %I OWNER TO %I', datname, current_user) FROM pg_database
WHERE datdba IN (SELECT oid FROM retired_role) ORDER BY datname \gexec
