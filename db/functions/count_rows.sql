-- Counts the rows of a table, so that a console displays a total without a scan. 32 shards: parallel transactions
-- seldom wait for one row. Personal organizations are in no list.
CREATE OR REPLACE FUNCTION "count_rows"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	change bigint;
BEGIN
	IF TG_TABLE_NAME = 'organizations' THEN
		SELECT count(*) INTO change FROM changed WHERE kind = 'team';
	ELSE
		SELECT count(*) INTO change FROM changed;
	END IF;
	IF change <> 0 THEN
		change := change * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
		INSERT INTO row_counts (relation, shard, count) VALUES (TG_TABLE_NAME, pg_backend_pid() % 32, change)
		ON CONFLICT (relation, shard) DO UPDATE SET count = row_counts.count + excluded.count;
	END IF;
	RETURN NULL;
END
$$;

CREATE TRIGGER "organizations_count_in" AFTER INSERT ON "organizations"
	REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

CREATE TRIGGER "organizations_count_out" AFTER DELETE ON "organizations"
	REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

CREATE TRIGGER "users_count_in" AFTER INSERT ON "users"
	REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();

CREATE TRIGGER "users_count_out" AFTER DELETE ON "users"
	REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
