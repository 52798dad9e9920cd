-- Which rule refuses this session? How an organization admits a session at a time (docs/contract.md, section 33.3).
-- One function, because sign-ins, session checks, rotations, token families and the end of sessions decide by an equal
-- rule. `sso_until`, `access_until`: the end of the access by the requirement of single sign-on, and by all rules.
-- `factor_missing`: the session lacks the required factor. `policy`: the settings in force, null without a policy.
-- `changes_at`: the next time at which the result differs.
CREATE OR REPLACE FUNCTION "organization_access"(
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
$$;
