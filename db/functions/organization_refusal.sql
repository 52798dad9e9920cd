-- Which rule refuses this session at an address? The first rule of `organization_access` in the order of
-- docs/contract.md, section 33.3; null: the session is admitted.
CREATE OR REPLACE FUNCTION "organization_refusal"(
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
$$;
