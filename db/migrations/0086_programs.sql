ALTER TABLE "api_keys" ADD COLUMN "permissions" text[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "organizations" uuid[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "created_by_credential" uuid;--> statement-breakpoint
CREATE INDEX "api_keys_created_by_credential_idx" ON "api_keys" USING btree ("created_by_credential") WHERE created_by_credential is not null;--> statement-breakpoint
-- Scopes without effect for keys of the platform: under the rule of chapter 35 a scope has effect everywhere, and the
-- upgrade widens no key.
UPDATE "api_keys" k SET scopes = ARRAY(
	SELECT scope FROM unnest(k.scopes) scope
	WHERE scope NOT IN ('members.invite', 'members.list', 'members.metadata', 'members.remove', 'scim.read', 'scim.write', 'sso.read')
)
FROM "service_accounts" a
WHERE a.id = k.service_account_id AND a.organization_id IS NULL
	AND k.scopes && ARRAY['members.invite', 'members.list', 'members.metadata', 'members.remove', 'scim.read', 'scim.write', 'sso.read'];
