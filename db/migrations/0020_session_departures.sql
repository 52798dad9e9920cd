CREATE TABLE "session_departures" (
	"session_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"left_at" timestamp with time zone NOT NULL,
	CONSTRAINT "session_departures_pkey" PRIMARY KEY("session_id","organization_id")
);
--> statement-breakpoint
ALTER TABLE "session_departures" ADD CONSTRAINT "session_departures_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "session_departures_organization_id_idx" ON "session_departures" USING btree ("organization_id","left_at");--> statement-breakpoint
-- By hand from here on. A trigger, because it sees which organization the session leaves, whatever a cached view
-- says, and because sessions that older replicas move count too. A refresh sets no organization and costs no more.
CREATE FUNCTION "log_session_departure"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO session_departures (session_id, organization_id, left_at)
	VALUES (new.id, old.organization_id, new.rotated_at)
	ON CONFLICT (session_id, organization_id) DO UPDATE SET left_at = excluded.left_at;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "sessions_log_departure" AFTER UPDATE OF "organization_id" ON "sessions" FOR EACH ROW
WHEN (old.organization_id IS DISTINCT FROM new.organization_id) EXECUTE FUNCTION log_session_departure();
