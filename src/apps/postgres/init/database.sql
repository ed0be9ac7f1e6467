-- In one declared database: what its two roles may do, now and with what is made later; extensions.
\o /dev/null
BEGIN;

-- The functions live in a schema that is not the tenant's, so that nobody but a superuser can replace them. They are
-- dropped first: CREATE OR REPLACE would keep an owner from before.
DROP EVENT TRIGGER IF EXISTS trigger_auto_grant;
DROP FUNCTION IF EXISTS public.auto_grant_schema_privileges();
SELECT 'CREATE SCHEMA cozystack' WHERE NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'cozystack') \gexec
SELECT format('ALTER SCHEMA cozystack OWNER TO %I', current_user) \gexec
DROP FUNCTION IF EXISTS cozystack.auto_grant_schema_privileges();
DROP FUNCTION IF EXISTS cozystack.grant_schema_privileges(name);

CREATE FUNCTION cozystack.grant_schema_privileges(schema name) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $function$
DECLARE
  admin CONSTANT text := current_database() || '_admin';
  readonly CONSTANT text := current_database() || '_readonly';
  one record;
BEGIN
  -- A database that was renamed by hand: its roles are found again with the next run.
  IF to_regrole(quote_ident(admin)) IS NULL OR to_regrole(quote_ident(readonly)) IS NULL THEN
    RETURN;
  END IF;
  EXECUTE format('ALTER SCHEMA %I OWNER TO %I', schema, admin);
  FOR one IN SELECT * FROM (VALUES
    ('ALL ON SCHEMA', admin), ('USAGE ON SCHEMA', readonly),
    ('ALL ON ALL TABLES IN SCHEMA', admin), ('SELECT ON ALL TABLES IN SCHEMA', readonly),
    ('ALL ON ALL SEQUENCES IN SCHEMA', admin), ('USAGE ON ALL SEQUENCES IN SCHEMA', readonly)) AS v(what, grantee)
  LOOP
    EXECUTE format('GRANT %s %I TO %I', one.what, schema, one.grantee);
  END LOOP;

  -- Functions one by one, without those of extensions: what an extension withholds from everybody (such as connecting as
  -- the server's own account) stays withheld, and what was granted of it in the past is taken back.
  FOR one IN
    SELECT p.oid::regprocedure AS routine, EXISTS (
      SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e') AS of_extension
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = schema
  LOOP
    EXECUTE format(CASE WHEN one.of_extension THEN 'REVOKE ALL ON ROUTINE %s FROM %I, %I'
                   ELSE 'GRANT EXECUTE ON ROUTINE %s TO %I, %I' END, one.routine, admin, readonly);
  END LOOP;

  -- Default privileges hold for what one role makes: the admin role, each user in it, and the superuser. The superuser's
  -- functions are those of extensions, see above.
  FOR one IN
    SELECT r.rolname AS creator, v.*, r.rolname = current_user AND v.kind = 'FUNCTIONS' AS withheld
    FROM pg_roles r CROSS JOIN (VALUES
      ('ALL', 'TABLES', admin), ('SELECT', 'TABLES', readonly),
      ('ALL', 'SEQUENCES', admin), ('USAGE', 'SEQUENCES', readonly),
      ('EXECUTE', 'FUNCTIONS', admin), ('EXECUTE', 'FUNCTIONS', readonly)) AS v(privilege, kind, grantee)
    WHERE r.rolname IN (admin, current_user) OR EXISTS (
      SELECT FROM pg_auth_members m WHERE m.member = r.oid AND m.roleid = to_regrole(quote_ident(admin)))
  LOOP
    EXECUTE format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I ' ||
                   CASE WHEN one.withheld THEN 'REVOKE %s ON %s FROM %I' ELSE 'GRANT %s ON %s TO %I' END,
                   one.creator, schema, one.privilege, one.kind, one.grantee);
  END LOOP;
END
$function$;
REVOKE ALL ON FUNCTION cozystack.grant_schema_privileges(name) FROM PUBLIC;

-- Acts as its owner: the user who makes a schema need not be able to hand it over.
CREATE FUNCTION cozystack.auto_grant_schema_privileges() RETURNS event_trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
BEGIN
  PERFORM cozystack.grant_schema_privileges(n.nspname)
  FROM pg_event_trigger_ddl_commands() c JOIN pg_namespace n ON n.oid = c.objid
  WHERE c.classid = 'pg_namespace'::regclass AND n.nspname !~ '^pg_';
END
$function$;
REVOKE ALL ON FUNCTION cozystack.auto_grant_schema_privileges() FROM PUBLIC;

CREATE EVENT TRIGGER trigger_auto_grant ON ddl_command_end WHEN TAG IN ('CREATE SCHEMA')
  EXECUTE FUNCTION cozystack.auto_grant_schema_privileges();

SELECT cozystack.grant_schema_privileges(nspname) FROM pg_namespace
WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'cozystack') ORDER BY nspname;

-- Where the extension does not say its own schema, public: this session searches no schema of the tenant.
SELECT format('CREATE EXTENSION IF NOT EXISTS %I %s CASCADE', extension,
              CASE WHEN v.schema IS NULL AND v.name IS NOT NULL THEN 'SCHEMA public' ELSE '' END)
FROM desired_database d
CROSS JOIN LATERAL jsonb_array_elements_text(d.settings->'extensions') WITH ORDINALITY AS e(extension, position)
LEFT JOIN pg_available_extensions a ON a.name = e.extension
LEFT JOIN pg_available_extension_versions v ON v.name = a.name AND v.version = a.default_version
WHERE d.name = current_database() ORDER BY e.position \gexec
COMMIT;
