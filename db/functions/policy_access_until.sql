-- The time until which the settings of a policy admit a session: `-infinity` for a method outside of the permitted
-- methods, else the end of the lifetimes. A session of single sign-on has no sign-in method of the service. `method`
-- null: any method.
CREATE OR REPLACE FUNCTION "policy_access_until"(
	"settings" jsonb, "method" text, "provider" text, "auth_time" timestamptz, "active_at" timestamptz, "exempt" boolean
) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE
		WHEN NOT exempt AND method <> 'sso' AND jsonb_typeof(settings -> 'methods') = 'array'
			AND NOT (settings -> 'methods') ? coalesce(provider, method) THEN '-infinity'::timestamptz
		ELSE least(
			coalesce(auth_time + interval '1 hour' * (settings ->> 'sessionMaxHours')::integer, 'infinity'),
			coalesce(active_at + interval '1 minute' * (settings ->> 'sessionIdleMinutes')::integer, 'infinity')
		)
	END
$$;
