-- Creates the databases and their owners. It runs at every start, so a changed password takes effect. No owner is a superuser.
\set ON_ERROR_STOP on
\set owner_password `cat /run/secrets/database-owner-password`
\set temporal_password `cat /run/secrets/temporal-database-password`

SELECT format('CREATE ROLE %I', name)
  FROM unnest(ARRAY['trade_print', 'temporal']) name
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec

-- CREATEROLE lets `trade-print migrate --app-role` create the role of the processes.
ALTER ROLE trade_print LOGIN NOSUPERUSER NOCREATEDB CREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'owner_password';
ALTER ROLE temporal LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'temporal_password';

SELECT format('CREATE DATABASE %I OWNER %I', name, owner)
  FROM (VALUES ('trade_print', 'trade_print'), ('temporal', 'temporal'), ('temporal_visibility', 'temporal')) AS needed (name, owner)
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = name) \gexec

REVOKE ALL ON DATABASE trade_print, temporal, temporal_visibility FROM PUBLIC;
