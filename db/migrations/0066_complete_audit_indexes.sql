-- Indexes of the months that existed before migrations 0011, 0025 and 0035: a proof of a record, a search for failures and the trail of an
-- organization read these months as a whole. On a large trail the statements run concurrently, month by month (db/migrator/indexes.ts);
-- otherwise the statements find the indexes of the table, and the loop adds the months.
CREATE INDEX IF NOT EXISTS "audit_logs_organization_idx" ON "audit_logs" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "audit_logs_event_id_idx" ON "audit_logs" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "audit_logs_failure_idx" ON "audit_logs" USING btree ("id","timestamp","action") WHERE outcome = 'failure';--> statement-breakpoint
DO $$
DECLARE
	missing record;
	child text;
BEGIN
	FOR missing IN
		SELECT wanted.name, wanted.definition, month.relname AS month
		FROM (VALUES
			('organization_idx', '("organization_id","id")'),
			('event_id_idx', '("event_id")'),
			('failure_idx', '("id","timestamp","action") WHERE outcome = ''failure''')
		) AS wanted (name, definition)
		CROSS JOIN pg_inherits p JOIN pg_class month ON month.oid = p.inhrelid
		WHERE p.inhparent = 'audit_logs'::regclass AND NOT EXISTS (
			SELECT FROM pg_index i JOIN pg_inherits present ON present.inhrelid = i.indexrelid
			WHERE i.indrelid = month.oid AND present.inhparent = ('audit_logs_' || wanted.name)::regclass
		)
	LOOP
		child := missing.month || '_' || missing.name;
		EXECUTE format('CREATE INDEX %I ON %I USING btree %s', child, missing.month, missing.definition);
		EXECUTE format('ALTER INDEX %I ATTACH PARTITION %I', 'audit_logs_' || missing.name, child);
	END LOOP;
END
$$;
