\o /dev/null
-- Dropping a role ends its memberships, in both directions.
SELECT format('DROP ROLE %I', name) FROM retired_role ORDER BY name \gexec
