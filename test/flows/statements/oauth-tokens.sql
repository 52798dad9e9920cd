-- oauth_code.issue
with
  "acting" as (
    select u.credentials_epoch
    from users u
    join sessions s on s.user_id = u.id
    where u.id = $1 and u.disabled_at is null and s.id = $2 and s.revoked_at is null and s.expires_at > $3 and
      s.organization_id = $4 and s.auth_time >= $5
    for share of u, s
  ),
  "granted" as (
    insert into oauth_grants (id, user_id, client_id, scopes, resources, consented_scopes,
      consented_resources, consented_data, by_organization, created_at, updated_at)
    select $6::uuid, $7::uuid, $8::uuid, $9::text[], $10::text[], $11::text[], $12::text[], $13::text[],
      $14::boolean, $15::timestamptz, $16::timestamptz
    from "acting"
    on conflict (user_id, client_id) do update
    set scopes = array(select distinct unnest(oauth_grants."scopes" || excluded."scopes") order by 1),
      resources = array(select identifier from (select distinct on (key) identifier from
      unnest(excluded."resources" || oauth_grants."resources") with ordinality as each (identifier, position),
      lateral (select
      coalesce(regexp_replace(regexp_replace(regexp_replace(regexp_replace(lower(substring(each.identifier
      from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*')), '^(https://.*):0*443$', '\1'), '^(http://.*):0*80$', '\1'),
      ':$', ''), '\.(?=(:[0-9]+)?$)', '') || case when substring(each.identifier from
      '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*(.*)$') like '/%' then '' else '/' end || coalesce((select
      string_agg(case when part[1] !~ '^%[0-9A-Fa-f]{2}$' then part[1] when part[1] ~*
      '^%(2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f|7e)$' then convert_from(decode(substring(part[1] from 2),
      'hex'), 'LATIN1') else upper(part[1]) end, '' order by position) from
      regexp_matches(substring(each.identifier from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*(.*)$'),
      '%[0-9A-Fa-f]{2}|[^%]+|%', 'g') with ordinality as parts (part, position)), ''), each.identifier) as
      key) keyed order by key, position) united order by 1), by_organization = oauth_grants.by_organization or
      excluded.by_organization, consented_scopes = case when oauth_grants.updated_at >= coalesce((select
      d.consent_from from oauth_clients d where d.id = excluded.client_id), '-infinity'::timestamptz) then
      array(select distinct unnest(oauth_grants."consented_scopes" || excluded."consented_scopes") order by 1)
      else excluded."consented_scopes" end, consented_resources = case when oauth_grants.updated_at >=
      coalesce((select d.consent_from from oauth_clients d where d.id = excluded.client_id),
      '-infinity'::timestamptz) then array(select identifier from (select distinct on (key) identifier from
      unnest(excluded."consented_resources" || oauth_grants."consented_resources") with ordinality as each
      (identifier, position), lateral (select
      coalesce(regexp_replace(regexp_replace(regexp_replace(regexp_replace(lower(substring(each.identifier
      from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*')), '^(https://.*):0*443$', '\1'), '^(http://.*):0*80$', '\1'),
      ':$', ''), '\.(?=(:[0-9]+)?$)', '') || case when substring(each.identifier from
      '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*(.*)$') like '/%' then '' else '/' end || coalesce((select
      string_agg(case when part[1] !~ '^%[0-9A-Fa-f]{2}$' then part[1] when part[1] ~*
      '^%(2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f|7e)$' then convert_from(decode(substring(part[1] from 2),
      'hex'), 'LATIN1') else upper(part[1]) end, '' order by position) from
      regexp_matches(substring(each.identifier from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*(.*)$'),
      '%[0-9A-Fa-f]{2}|[^%]+|%', 'g') with ordinality as parts (part, position)), ''), each.identifier) as
      key) keyed order by key, position) united order by 1) else excluded."consented_resources" end,
      consented_data = case when oauth_grants.updated_at >= coalesce((select d.consent_from from oauth_clients
      d where d.id = excluded.client_id), '-infinity'::timestamptz) then array(select distinct
      unnest(oauth_grants."consented_data" || excluded."consented_data") order by 1) else
      excluded."consented_data" end, updated_at = excluded.updated_at
    returning id
  ),
  "issued" as (
    insert into oauth_codes (code_hash, grant_id, client_id, user_id, session_id, organization_id,
      redirect_uri, code_challenge, nonce, scopes, resources, subject, credentials_epoch, expires_at,
      dpop_jkt, consented_data)
    select $17::bytea, "granted".id, $18::uuid, $19::uuid, $20::uuid, $21::uuid, $22::text, $23::text,
      $24::text, $25::text[], $26::text[], $27, "acting".credentials_epoch, $28::timestamptz, $29::text,
      $30::text[]
    from "granted", "acting"
    returning code_hash
  ),
  "audit" as (
    insert into audit_logs (event_id, timestamp, organization_id, actor_id, actor_type, action, resource_type,
      resource_id, ip_address, user_agent, request_id, metadata, outcome)
    select $31::uuid, $32::timestamptz, $33::uuid, $34::uuid, $35, $36, $37, $38::text, $39::text, $40::text,
      $41::uuid, $42::jsonb , $43
    from "issued"
  )
select 1
from "issued";

-- oauth_code.exchange
with
  consumed as (
    delete
    from oauth_codes
    where code_hash = $1 and client_id = $2
    returning *
  ),
  granted as (
    select k.code_hash, k.grant_id, k.client_id, k.user_id, k.session_id, k.nonce, k.scopes, k.resources,
      k.subject, k.consented_data, case when c.token_auth_method = 'none' then $3::text end as dpop_jkt,
      s.organization_id, s.auth_method, s.identity_provider, s.aal, s.phishing_resistant, s.auth_time,
      'offline_access' = any (k.scopes) as offline, case when 'offline_access' = any (k.scopes) then
      $4::timestamptz else s.ends_at end as ends_at, case when (select 1 from organization_policies r where
      r.organization_id = s.organization_id) is null and (select 1 from sso_policies r where r.organization_id
      = s.organization_id) is null then 'infinity'::timestamptz when exists (select 1 from
      organization_access(s.user_id, s.organization_id, s.organization_bound, s.auth_method,
      s.identity_provider, s.aal, s.phishing_resistant, s.auth_time, s.rotated_at, $5::timestamptz) access
      where access.access_until > $6 and not access.factor_missing) and not
      organization_refuses_client(s.organization_id, c.id, $7) then (select least(access.access_until,
      access.changes_at) from organization_access(s.user_id, s.organization_id, s.organization_bound,
      s.auth_method, s.identity_provider, s.aal, s.phishing_resistant, s.auth_time, $8::timestamptz,
      $9::timestamptz) access) end as rules_end
    from users u, sessions s, consumed k, organizations o, members m, oauth_clients c
    where u.id = k.user_id and u.disabled_at is null and u.credentials_epoch = k.credentials_epoch and s.id =
      k.session_id and s.revoked_at is null and s.expires_at > $10 and s.organization_id =
      coalesce(k.organization_id, s.organization_id) and o.id = s.organization_id and o.suspended_at is null
      and m.user_id = u.id and m.organization_id = o.id and c.id = k.client_id and c.disabled_at is null and
      k.expires_at > $11 and k.redirect_uri is not distinct
    from $12::text and k.code_challenge is not distinct
    from $13::text and (k.code_challenge is not null or not c.require_pkce or k.redirect_uri is null) and
      (k.code_challenge is not null or k.nonce is not null or not c.require_nonce_or_pkce or k.redirect_uri is
      null) and k.scopes <@ (c.scopes || $14::text[]) and (k.resources <@ (c.resources || $15::text[]) or not
      exists (select 1 from unnest(k.resources) as requested_resource (identifier) where
      coalesce(regexp_replace(regexp_replace(regexp_replace(regexp_replace(lower(substring(requested_resource.identifier
      from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*')), '^(https://.*):0*443$', '\1'), '^(http://.*):0*80$', '\1'),
      ':$', ''), '\.(?=(:[0-9]+)?$)', '') || case when substring(requested_resource.identifier from
      '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*(.*)$') like '/%' then '' else '/' end || coalesce((select
      string_agg(case when part[1] !~ '^%[0-9A-Fa-f]{2}$' then part[1] when part[1] ~*
      '^%(2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f|7e)$' then convert_from(decode(substring(part[1] from 2),
      'hex'), 'LATIN1') else upper(part[1]) end, '' order by position) from
      regexp_matches(substring(requested_resource.identifier from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*(.*)$'),
      '%[0-9A-Fa-f]{2}|[^%]+|%', 'g') with ordinality as parts (part, position)), ''),
      requested_resource.identifier) not in (select
      coalesce(regexp_replace(regexp_replace(regexp_replace(regexp_replace(lower(substring(permitted_resource.identifier
      from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*')), '^(https://.*):0*443$', '\1'), '^(http://.*):0*80$', '\1'),
      ':$', ''), '\.(?=(:[0-9]+)?$)', '') || case when substring(permitted_resource.identifier from
      '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*(.*)$') like '/%' then '' else '/' end || coalesce((select
      string_agg(case when part[1] !~ '^%[0-9A-Fa-f]{2}$' then part[1] when part[1] ~*
      '^%(2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f|7e)$' then convert_from(decode(substring(part[1] from 2),
      'hex'), 'LATIN1') else upper(part[1]) end, '' order by position) from
      regexp_matches(substring(permitted_resource.identifier from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*(.*)$'),
      '%[0-9A-Fa-f]{2}|[^%]+|%', 'g') with ordinality as parts (part, position)), ''),
      permitted_resource.identifier) from unnest((c.resources || $16::text[])) as permitted_resource
      (identifier)))) and ($17::text[] <@ k.resources or not exists (select 1 from unnest($18::text[]) as
      requested_resource (identifier) where
      coalesce(regexp_replace(regexp_replace(regexp_replace(regexp_replace(lower(substring(requested_resource.identifier
      from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*')), '^(https://.*):0*443$', '\1'), '^(http://.*):0*80$', '\1'),
      ':$', ''), '\.(?=(:[0-9]+)?$)', '') || case when substring(requested_resource.identifier from
      '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*(.*)$') like '/%' then '' else '/' end || coalesce((select
      string_agg(case when part[1] !~ '^%[0-9A-Fa-f]{2}$' then part[1] when part[1] ~*
      '^%(2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f|7e)$' then convert_from(decode(substring(part[1] from 2),
      'hex'), 'LATIN1') else upper(part[1]) end, '' order by position) from
      regexp_matches(substring(requested_resource.identifier from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*(.*)$'),
      '%[0-9A-Fa-f]{2}|[^%]+|%', 'g') with ordinality as parts (part, position)), ''),
      requested_resource.identifier) not in (select
      coalesce(regexp_replace(regexp_replace(regexp_replace(regexp_replace(lower(substring(permitted_resource.identifier
      from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*')), '^(https://.*):0*443$', '\1'), '^(http://.*):0*80$', '\1'),
      ':$', ''), '\.(?=(:[0-9]+)?$)', '') || case when substring(permitted_resource.identifier from
      '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*(.*)$') like '/%' then '' else '/' end || coalesce((select
      string_agg(case when part[1] !~ '^%[0-9A-Fa-f]{2}$' then part[1] when part[1] ~*
      '^%(2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f|7e)$' then convert_from(decode(substring(part[1] from 2),
      'hex'), 'LATIN1') else upper(part[1]) end, '' order by position) from
      regexp_matches(substring(permitted_resource.identifier from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*(.*)$'),
      '%[0-9A-Fa-f]{2}|[^%]+|%', 'g') with ordinality as parts (part, position)), ''),
      permitted_resource.identifier) from unnest(k.resources) as permitted_resource (identifier)))) and not
      (k.resources && $19::text[] or exists (select 1 from unnest(k.resources) as stored_resource (identifier)
      where
      coalesce(regexp_replace(regexp_replace(regexp_replace(regexp_replace(lower(substring(stored_resource.identifier
      from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*')), '^(https://.*):0*443$', '\1'), '^(http://.*):0*80$', '\1'),
      ':$', ''), '\.(?=(:[0-9]+)?$)', '') || case when substring(stored_resource.identifier from
      '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*(.*)$') like '/%' then '' else '/' end || coalesce((select
      string_agg(case when part[1] !~ '^%[0-9A-Fa-f]{2}$' then part[1] when part[1] ~*
      '^%(2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f|7e)$' then convert_from(decode(substring(part[1] from 2),
      'hex'), 'LATIN1') else upper(part[1]) end, '' order by position) from
      regexp_matches(substring(stored_resource.identifier from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*(.*)$'),
      '%[0-9A-Fa-f]{2}|[^%]+|%', 'g') with ordinality as parts (part, position)), ''),
      stored_resource.identifier) = any ($20::text[]))) and (k.dpop_jkt is null or k.dpop_jkt = $21::text)
    for share of m
    for key share of c
    for share of u, s
  ),
  f as (
    insert into oauth_token_families (id, grant_id, client_id, user_id, organization_id, session_id,
      code_hash, scopes, resources, offline, subject, nonce, auth_method, identity_provider, aal,
      phishing_resistant, auth_time, refresh_jti, access_jti, access_expires_at, rotated_at, expires_at,
      ends_at, created_at, dpop_jkt, consented_data)
    select $22::uuid, grant_id, client_id, user_id, organization_id, session_id, code_hash, scopes, resources,
      offline, subject, nonce, auth_method, identity_provider, aal, phishing_resistant, auth_time, $23::uuid,
      $24::uuid, least($25::timestamptz, ends_at, rules_end), $26::timestamptz, least($27::timestamptz,
      ends_at), ends_at, $28::timestamptz, dpop_jkt, consented_data
    from granted
    where rules_end is not null
    returning *
  )
select f.id, coalesce(f.origin_id, f.id) as "originId", f.client_id as "clientId", f.user_id as "userId",
  f.organization_id as "organizationId", f.session_id as "sessionId", f.subject, f.scopes, f.resources,
  f.nonce, f.auth_method as "authMethod", f.aal, f.auth_time as "authTime", f.refresh_jti as "refreshJti",
  f.access_jti as "accessJti", f.access_expires_at as "accessExpiresAt", f.rotated_at as "rotatedAt",
  f.expires_at as "expiresAt", f.dpop_jkt as "dpopJkt", f.consented_data as "consentedData", exists (select 1
  from oauth_token_families l where l.grant_id = f.grant_id and l.revoked_at is null and l.ends_at > $29
  offset $30) as "isFull", c.organizations is not null and not f.organization_id = any (c.organizations) as
  "isExcluded"
from f
join oauth_clients c on c.id = f.client_id;

-- oauth_family.find
select f.id, coalesce(f.origin_id, f.id) as "originId", f.client_id as "clientId", f.user_id as "userId",
  f.organization_id as "organizationId", f.session_id as "sessionId", f.subject, f.scopes, f.resources,
  f.nonce, f.auth_method as "authMethod", f.aal, f.auth_time as "authTime", f.refresh_jti as "refreshJti",
  f.access_jti as "accessJti", f.access_expires_at as "accessExpiresAt", f.rotated_at as "rotatedAt",
  f.expires_at as "expiresAt", f.dpop_jkt as "dpopJkt", f.consented_data as "consentedData",
  f.previous_refresh_jti as "previousRefreshJti", exists (select 1 from users u, organizations o, members m,
  oauth_clients c where f.revoked_at is null and f.ends_at > $1 and u.id = f.user_id and u.disabled_at is null
  and o.id = f.organization_id and o.suspended_at is null and m.user_id = f.user_id and m.organization_id =
  f.organization_id and c.id = f.client_id and c.disabled_at is null and (c.organizations is null or
  f.organization_id = any (c.organizations)) and (f.offline or (select s.revoked_at is null and s.expires_at >
  $2 from sessions s where s.id = f.session_id)) and case when (select 1 from organization_policies r where
  r.organization_id = f.organization_id) is null and (select 1 from sso_policies r where r.organization_id =
  f.organization_id) is null then true else exists (select 1 from organization_access(f.user_id,
  f.organization_id, f.auth_method = 'sso', f.auth_method, f.identity_provider, f.aal, f.phishing_resistant,
  f.auth_time, $3::timestamptz, $4::timestamptz) access where access.access_until > $5 and not
  access.factor_missing) and not organization_refuses_client(f.organization_id, f.client_id, $6) end) as live
from oauth_token_families f
where (f.id = $7 or f.origin_id = $8) and f.client_id = $9;

-- oauth_family.rotate
update oauth_token_families f
set previous_refresh_jti = f.refresh_jti, refresh_jti = $1, access_jti = $2, rotated_at = $3,
  access_expires_at = least($4::timestamptz, f.ends_at, case when (select 1 from organization_policies r where
  r.organization_id = f.organization_id) is null and (select 1 from sso_policies r where r.organization_id =
  f.organization_id) is null then 'infinity'::timestamptz else (select least(access.access_until,
  access.changes_at) from organization_access(f.user_id, f.organization_id, f.auth_method = 'sso',
  f.auth_method, f.identity_provider, f.aal, f.phishing_resistant, f.auth_time, $5::timestamptz,
  $6::timestamptz) access) end), expires_at = least($7::timestamptz, f.ends_at)
from users u, organizations o, members m, oauth_clients c
where (f.id = $8 or f.origin_id = $9) and f.client_id = $10 and f.refresh_jti = $11 and f.expires_at > $12 and
  f.revoked_at is null and f.ends_at > $13 and u.id = f.user_id and u.disabled_at is null and o.id =
  f.organization_id and o.suspended_at is null and m.user_id = f.user_id and m.organization_id =
  f.organization_id and c.id = f.client_id and c.disabled_at is null and (c.organizations is null or
  f.organization_id = any (c.organizations)) and (f.offline or (select s.revoked_at is null and s.expires_at >
  $14 from sessions s where s.id = f.session_id)) and case when (select 1 from organization_policies r where
  r.organization_id = f.organization_id) is null and (select 1 from sso_policies r where r.organization_id =
  f.organization_id) is null then true else exists (select 1 from organization_access(f.user_id,
  f.organization_id, f.auth_method = 'sso', f.auth_method, f.identity_provider, f.aal, f.phishing_resistant,
  f.auth_time, $15::timestamptz, $16::timestamptz) access where access.access_until > $17 and not
  access.factor_missing) and not organization_refuses_client(f.organization_id, f.client_id, $18) end
returning f.id, coalesce(f.origin_id, f.id) as "originId", f.client_id as "clientId", f.user_id as "userId",
  f.organization_id as "organizationId", f.session_id as "sessionId", f.subject, f.scopes, f.resources,
  f.nonce, f.auth_method as "authMethod", f.aal, f.auth_time as "authTime", f.refresh_jti as "refreshJti",
  f.access_jti as "accessJti", f.access_expires_at as "accessExpiresAt", f.rotated_at as "rotatedAt",
  f.expires_at as "expiresAt", f.dpop_jkt as "dpopJkt", f.consented_data as "consentedData";
