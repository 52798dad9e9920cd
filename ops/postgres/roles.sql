-- Creates the two roles of the database. Run with psql as a superuser or as the administrator of a managed PostgreSQL,
-- connected to the database of the service. The script is repeatable and sets the passwords again.
--   psql -v migration_password=… -v replica_password=… -f ops/postgres/roles.sql <url of the database>
-- `identity_migration` owns the tables: `migrate` connects as this role (SERVICE_MIGRATION_URL).
-- `identity_replica` owns no object: replicas and all remaining commands connect as this role (DATABASE_URL). `migrate`
-- grants the role access to the required rows.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['identity_migration', 'identity_replica'] loop
    if not exists (select 1 from pg_roles where rolname = role_name) then
      execute format('create role %I', role_name);
    end if;
    execute format('alter role %I with login nocreatedb nocreaterole', role_name);
  end loop;
  -- An administrator without superuser rights may transfer objects only to a role of which the administrator is a
  -- member.
  execute format('grant identity_migration to %I', current_user);
  -- The owner of the database may create the schema of the migrations and the trusted extension pg_trgm.
  execute format('alter database %I owner to identity_migration', current_database());
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to identity_replica', current_database());
end $$;
alter role identity_migration password :'migration_password';
alter role identity_replica password :'replica_password';
revoke all on schema public from public;
grant usage, create on schema public to identity_migration;
