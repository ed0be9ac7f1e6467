-- Two runs may wait for the server at once, an old one and a new one, and the old one may come last. The newest revision
-- that has begun is a setting of the role that runs this; a number given out by another application does not count.
SELECT current_setting('cozystack.desired')::jsonb->>'source' AS source,
       current_setting('cozystack.desired')::jsonb->>'revision' AS revision \gset
SELECT EXISTS (
  SELECT FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole, unnest(s.setconfig) AS entry
  WHERE r.rolname = current_user AND s.setdatabase = 0
    AND substring(entry FROM '^cozystack[.]revision=' || :'source' || ':([0-9]+)$')::bigint > :'revision'::bigint
) AS superseded \gset
\if :superseded
  SELECT 'superseded';
\else
  SELECT format('ALTER ROLE %I SET cozystack.revision = %L', current_user, :'source' || ':' || :'revision') \gexec
\endif
