-- Databases in which roles that are to go may own something or hold a privilege: all of them, while there are such roles.
SELECT datname FROM pg_database
WHERE datallowconn AND EXISTS (SELECT FROM retired_role) ORDER BY datname;
