-- Keys with `ssf.read` managed streams of push before `ssf.manage` existed: they keep that.
UPDATE "api_keys" SET "scopes" = array(SELECT DISTINCT unnest("scopes" || ARRAY['ssf.manage']) ORDER BY 1)
WHERE 'ssf.read' = ANY ("scopes") AND NOT 'ssf.manage' = ANY ("scopes") AND "revoked_at" IS NULL;
