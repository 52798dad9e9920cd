import type { Sql } from "../../database/database.ts";
import type { Session } from "./session.ts";

/**
 * Whether the organization of a session requires a factor that the session lacks. The row of a session that a sign-in
 * inserts may not exist yet, so its columns are arguments. A member who is about to join has the days of grace.
 */
export async function findFactorMissing(sql: Sql, session: Session, at: Date): Promise<boolean> {
  const { id, userId, organizationId, authMethod, identityProvider, aal, phishingResistant } = session;
  const isBound = authMethod === "sso";
  const [authTime, activeAt] = [new Date(session.authTime), new Date(session.rotatedAt)];
  const [row] = await sql<{ isMissing: boolean }[]>`
    select access.factor_missing and (
             coalesce((access.policy ->> 'mfaGraceDays')::integer, 0) = 0 or exists (
               select 1 from members m where m.organization_id = ${organizationId} and m.user_id = ${userId}
             )
           ) or ${isBound}::boolean and exists (
             select 1 from sso_policies p where p.organization_id = ${organizationId} and p.require_own_factor
           ) and not exists (select 1 from sessions s where s.id = ${id} and s.own_factor_at is not null) as "isMissing"
    from organization_access(${userId}::uuid, ${organizationId}::uuid, ${isBound}::boolean, ${authMethod}::text,
      ${identityProvider}::text, ${aal}::text, ${phishingResistant}::boolean, ${authTime}::timestamptz,
      ${activeAt}::timestamptz, ${at}::timestamptz) access`;
  return row?.isMissing === true;
}
