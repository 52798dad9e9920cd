-- Whether an organization refuses an application to its members (docs/contract.md, section 33.2): a third-party client
-- without approval. First-party clients belong to the deployment.
CREATE OR REPLACE FUNCTION "organization_refuses_client"("organization" uuid, "client" uuid, "at" timestamptz)
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
