-- In one database: what roles that are to go own passes on, then their privileges go. The new owner is never the
-- superuser: a view or a SECURITY DEFINER function of a tenant would act with its power from then on.
\o /dev/null
SELECT coalesce((SELECT admin FROM desired_database WHERE name = current_database()), 'cozystack_orphaned') AS heir,
       EXISTS (SELECT FROM pg_shdepend d JOIN pg_database b ON b.oid = d.dbid AND b.datname = current_database()
               WHERE d.deptype = 'o' AND d.refclassid = 'pg_authid'::regclass
                 AND d.refobjid IN (SELECT oid FROM retired_role)) AS owns \gset
BEGIN;
\if :owns
  SELECT format('CREATE ROLE %I', :'heir') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'heir') \gexec
  SELECT format('REASSIGN OWNED BY %I TO %I', name, :'heir') FROM retired_role ORDER BY name \gexec
\endif
SELECT format('DROP OWNED BY %I', name) FROM retired_role ORDER BY name \gexec
COMMIT;
