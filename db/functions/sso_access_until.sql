-- The time until which single sign-on admits a session: `infinity`, unless the organization requires single sign-on
-- from `required_at` and outside of a pause (docs/contract.md, section 29.46). `bound`: the session began at the
-- identity provider of this organization. An owner with emergency access has one hour from a sign-in with two factors.
CREATE OR REPLACE FUNCTION "sso_access_until"("account" uuid, "organization" uuid, "bound" boolean, "aal" text, "auth_time" timestamptz)
RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
	rule record;
	required_from timestamptz;
BEGIN
	IF bound THEN
		RETURN 'infinity';
	END IF;
	SELECT p.* INTO rule FROM sso_policies p WHERE p.organization_id = organization AND p.mode = 'required';
	IF NOT FOUND THEN
		RETURN 'infinity';
	END IF;
	required_from := greatest(coalesce(rule.required_at, '-infinity'), coalesce(rule.paused_until, '-infinity'));
	IF account = ANY (rule.break_glass) AND EXISTS (
		SELECT 1 FROM members m WHERE m.organization_id = organization AND m.user_id = account AND m.role = 'owner'
	) THEN
		RETURN CASE WHEN aal = 'aal2' THEN greatest(required_from, auth_time + interval '1 hour') ELSE required_from END;
	END IF;
	IF rule.guests = 'required' OR EXISTS (
		SELECT 1 FROM user_emails e JOIN organization_domains d ON d.domain = address_domain(e.email)
		WHERE e.user_id = account AND (e."primary" OR e.verified_at IS NOT NULL)
			AND d.organization_id = organization AND d.status IN ('verified', 'failing')
	) THEN
		RETURN required_from;
	END IF;
	RETURN 'infinity';
END
$$;
