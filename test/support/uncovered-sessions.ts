import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { changeRole } from "../../src/flows/members/change.ts";
import { authorizePermission } from "../../src/flows/steps/authorization/authorize-member.ts";
import { callerOf, clientAt, registerAccount, unwrap } from "./accounts.ts";
import type { Flows } from "./flows.ts";

interface Admins {
  readonly organizationId: string;
  /** Has activated the connection. */
  readonly activatorId: string;
  readonly now: Date;
  readonly admins: number;
  readonly sessionsOfAdmin: number;
}

/** Inserts an active connection, and the bound sessions of many admins by the connection. */
export async function insertAdmins(
  sql: postgres.Sql,
  { organizationId, activatorId, now, admins, sessionsOfAdmin }: Admins,
) {
  const connectionId = randomUUID();
  await sql`
    insert into sso_connections (id, organization_id, protocol, name, preset, status, config, revision, tested_at,
                                 activated_by, created_by, created_at, updated_at)
    values (${connectionId}, ${organizationId}, 'oidc', 'Company ID', 'custom', 'active', '{}', 1, ${now},
            ${activatorId}, ${activatorId}, ${now}, ${now})`;
  const prefix = randomUUID();
  await sql`
    with person as (
      insert into users (id, email, email_verified_at, created_at, updated_at)
      select gen_random_uuid(), ${prefix} || n || '@example.com', ${now}::timestamptz, ${now}, ${now}
      from generate_series(1, ${admins}::int) n returning id
    ),
    member as (insert into members select ${organizationId}::uuid, id, 'admin', ${now}::timestamptz from person),
    identity as (
      insert into sso_identities (id, connection_id, subject_hash, subject, user_id, linked_by, created_at,
                                  last_used_at)
      select gen_random_uuid(), ${connectionId}::uuid, sha256(id::text::bytea), id, id, 'domain', ${now}::timestamptz,
             ${now}::timestamptz from person
    )
    insert into sessions (id, user_id, organization_id, auth_method, aal, auth_time, organization_bound,
                          sso_connection_id, sso_subject_hash, refresh_jti, access_jti, rotated_at, expires_at, ends_at,
                          created_at)
    select gen_random_uuid(), id, ${organizationId}::uuid, 'sso', 'aal1', ${now}::timestamptz, true,
           ${connectionId}::uuid, sha256(id::text::bytea), gen_random_uuid(), gen_random_uuid(), ${now}::timestamptz,
           ${now}::timestamptz + interval '1 hour', ${now}::timestamptz + interval '1 day', ${now}::timestamptz
    from person, generate_series(1, ${sessionsOfAdmin}::int)`;
  const count = async () => {
    const [row] = await sql`
      select count(*)::int as live from sessions where sso_connection_id = ${connectionId} and revoked_at is null`;
    return Number(row?.live);
  };
  return { connectionId, count };
}

/** An organization whose connection an admin activated, with the sessions of many admins by the connection. */
export async function adminsOfConnection(flows: Flows, admins: number, sessionsOfAdmin: number) {
  const { sql, clock } = flows;
  const owner = await registerAccount(flows);
  const activator = await registerAccount(flows);
  const { organizationId } = owner;
  const now = new Date(clock.now());
  await sql`insert into members values (${organizationId}, ${activator.userId}, 'admin', ${now})`;
  const of = { organizationId, activatorId: activator.userId, now, admins, sessionsOfAdmin };
  const { connectionId, count } = await insertAdmins(sql, of);
  await sql`delete from power_checks`;
  const demote = async () => {
    await sql`update sessions set mfa_verified_at = ${new Date(clock.now())} where user_id = ${owner.userId}`;
    const session = await callerOf(flows, owner.signedIn);
    const caller = unwrap(await authorizePermission(flows.deps, session, organizationId, "members.role"));
    unwrap(await changeRole(flows.deps, { caller, userId: activator.userId, role: "member", client: clientAt() }));
  };
  return { organizationId, connectionId, activator, count, demote };
}
