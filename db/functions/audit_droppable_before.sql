-- The end of the months of the audit trail that may be dropped. `migrate` replaces the function where the role of
-- replicas owns no table (ops/postgres/roles.sql): a replica with the least role cannot drop recent months.
CREATE OR REPLACE FUNCTION "audit_droppable_before"() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT timestamptz 'infinity' $$;
