-- session.rotate
update sessions s
set previous_refresh_jti = s.refresh_jti, refresh_jti = $1, access_jti = $2, rotated_at = $3, last_ip_address
  = $4, expires_at = least($5::timestamptz, s.ends_at)
from users u, organizations o, members m
where s.id = $6 and s.refresh_jti = $7 and s.revoked_at is null and s.expires_at > $8 and u.id = s.user_id and
  u.disabled_at is null and o.id = s.organization_id and o.suspended_at is null and m.user_id = s.user_id and
  m.organization_id = s.organization_id and coalesce(case when (select 1 from organization_policies r where
  r.organization_id = s.organization_id) is null and (select 1 from sso_policies r where r.organization_id =
  s.organization_id) is null then null else organization_refusal(s.user_id, s.organization_id,
  s.organization_bound, s.auth_method, s.identity_provider, s.aal, s.phishing_resistant, s.auth_time,
  s.rotated_at, $9::timestamptz, $10::text) end, 'factor') = 'factor'
returning s.id, s.user_id as "userId", s.organization_id as "organizationId", s.auth_method as "authMethod",
  s.identity_provider as "identityProvider", s.phishing_resistant as "phishingResistant", s.email_claim as
  "emailClaim", s.aal, s.auth_time as "authTime", s.mfa_verified_at as "mfaVerifiedAt", s.refresh_jti as
  "refreshJti", s.access_jti as "accessJti", s.rotated_at as "rotatedAt", s.expires_at as "expiresAt",
  s.ends_at as "endsAt";
