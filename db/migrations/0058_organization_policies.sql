CREATE TABLE "organization_policies" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"settings" jsonb NOT NULL,
	"policies_at" timestamp with time zone NOT NULL,
	"previous" jsonb,
	"revision" integer NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "oauth_token_families" ADD COLUMN "identity_provider" text;--> statement-breakpoint
ALTER TABLE "oauth_token_families" ADD COLUMN "phishing_resistant" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "identity_provider" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "phishing_resistant" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "organization_policies" ADD CONSTRAINT "organization_policies_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- The time until which the settings of a policy admit a session: `-infinity` for a method outside of the permitted
-- methods, else the end of the lifetimes. Sessions of single sign-on are no sign-in by an own method. `method` null:
-- any own method.
CREATE FUNCTION "policy_access_until"(
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
$$;--> statement-breakpoint
-- How an organization admits a session at a time (docs/contract.md, section 33.3): one function, because sign-ins,
-- session checks, rotations, token families and the end of sessions decide by an equal rule.
-- `sso_until`, `access_until`: the end of the access by the requirement of single sign-on, and by all rules.
-- `factor_missing`: the session lacks the factor that the organization requires.
-- `policy`: the settings in force, null without a policy. `changes_at`: the next time at which the result differs.
CREATE FUNCTION "organization_access"(
	"account" uuid, "organization" uuid, "bound" boolean, "method" text, "provider" text, "aal" text,
	"phishing_resistant" boolean, "auth_time" timestamptz, "active_at" timestamptz, "at" timestamptz,
	OUT "sso_until" timestamptz, OUT "access_until" timestamptz, OUT "factor_missing" boolean, OUT "policy" jsonb,
	OUT "changes_at" timestamptz
) LANGUAGE plpgsql STABLE AS $$
DECLARE
	stored record;
	exempt boolean;
	current_end timestamptz;
	grace_end timestamptz;
BEGIN
	sso_until := sso_access_until(account, organization, bound, aal, auth_time);
	access_until := sso_until;
	factor_missing := false;
	changes_at := 'infinity';
	SELECT p.* INTO stored FROM organization_policies p WHERE p.organization_id = organization;
	IF NOT FOUND THEN
		RETURN;
	END IF;
	-- An owner with emergency access is exempt from methods and addresses, never from the second factor.
	exempt := aal = 'aal2' AND EXISTS (
		SELECT 1 FROM sso_policies b JOIN members m ON m.organization_id = b.organization_id AND m.user_id = account
		WHERE b.organization_id = organization AND account = ANY (b.break_glass) AND m.role = 'owner'
	);
	policy := CASE WHEN stored.policies_at <= at THEN stored.settings ELSE stored.previous END;
	current_end := coalesce(policy_access_until(policy, method, provider, auth_time, active_at, exempt), 'infinity');
	IF stored.policies_at > at THEN
		changes_at := stored.policies_at;
		IF current_end >= stored.policies_at THEN
			current_end := greatest(
				stored.policies_at,
				policy_access_until(stored.settings, method, provider, auth_time, active_at, exempt)
			);
		END IF;
	END IF;
	access_until := least(access_until, current_end);
	IF exempt THEN
		policy := policy || '{"allowedIps": []}';
	END IF;
	factor_missing := CASE policy ->> 'mfa'
		WHEN 'phishing_resistant' THEN NOT phishing_resistant AND NOT (bound AND aal = 'aal2')
		WHEN 'required' THEN aal <> 'aal2'
		ELSE false
	END;
	IF factor_missing AND (policy ->> 'mfaGraceDays')::integer > 0 THEN
		SELECT greatest((policy ->> 'mfaSince')::timestamptz, m.joined_at)
			+ interval '1 day' * (policy ->> 'mfaGraceDays')::integer
		INTO grace_end
		FROM members m
		WHERE m.organization_id = organization AND m.user_id = account
			AND NOT EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = account AND k.deleted_at IS NULL)
			AND (policy ->> 'mfa' = 'phishing_resistant' OR NOT EXISTS (
				SELECT 1 FROM totp_factors t WHERE t.user_id = account AND t.confirmed_at IS NOT NULL
			));
		IF grace_end > at THEN
			factor_missing := false;
			changes_at := least(changes_at, grace_end);
		END IF;
	END IF;
	-- Without trusted browsers, a member with a second factor presents the factor at every sign-in.
	IF NOT factor_missing AND aal = 'aal1' AND NOT bound AND policy ->> 'trustedBrowsers' = 'false' THEN
		factor_missing := EXISTS (
			SELECT 1 FROM totp_factors t WHERE t.user_id = account AND t.confirmed_at IS NOT NULL
		);
	END IF;
END
$$;--> statement-breakpoint
-- Whether a network address is in one of the ranges; every address without ranges. An unknown address is in no range.
CREATE FUNCTION "address_in_ranges"("address" text, "ranges" jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(jsonb_array_length(ranges), 0) = 0 OR coalesce(bool_or(
		split_part(address, '%', 1)::inet <<= r.value::inet
	), false) FROM jsonb_array_elements_text(ranges) r
$$;--> statement-breakpoint
-- The first rule by which an organization refuses a session, in the order of the contract: `sso_required`, `address`,
-- `method`, `session` (too old or idle), `factor` (the session may only enrol); null: the session is admitted.
CREATE FUNCTION "organization_refusal"(
	"account" uuid, "organization" uuid, "bound" boolean, "method" text, "provider" text, "aal" text,
	"phishing_resistant" boolean, "auth_time" timestamptz, "active_at" timestamptz, "at" timestamptz, "address" text
) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
	access record;
BEGIN
	SELECT a.* INTO access FROM organization_access(
		account, organization, bound, method, provider, aal, phishing_resistant, auth_time, active_at, at
	) a;
	RETURN CASE
		WHEN access.sso_until <= at THEN 'sso_required'
		WHEN access.policy IS NOT NULL AND NOT address_in_ranges(address, access.policy -> 'allowedIps') THEN 'address'
		WHEN access.access_until = '-infinity' THEN 'method'
		WHEN access.access_until <= at THEN 'session'
		WHEN access.factor_missing THEN 'factor'
	END;
END
$$;--> statement-breakpoint
-- Whether an organization refuses an application to its members (docs/contract.md, section 33.2): a third-party client
-- without approval.
CREATE FUNCTION "organization_refuses_client"("organization" uuid, "client" uuid, "at" timestamptz)
RETURNS boolean LANGUAGE sql STABLE AS $$
	SELECT EXISTS (
		SELECT 1
		FROM organization_policies p
		CROSS JOIN LATERAL (SELECT CASE WHEN p.policies_at <= at THEN p.settings ELSE p.previous END) f (settings)
		WHERE p.organization_id = organization AND CASE f.settings ->> 'thirdPartyClients'
			WHEN 'none' THEN true
			WHEN 'approved' THEN NOT (f.settings -> 'approvedClients') ? client::text AND NOT EXISTS (
				SELECT 1 FROM organization_applications a
				WHERE a.organization_id = organization AND a.client_id = client AND a.status = 'approved'
			)
			ELSE false
		END AND EXISTS (SELECT 1 FROM oauth_clients c WHERE c.id = client AND NOT c.first_party)
	)
$$;
