/** The limit of invitations that a directory mails. */
import type { Sql } from "../../database/database.ts";
import { INVITATION_LIFETIME_MS } from "../../limits/credential-limits.ts";
import { heldStatuses } from "../conditions/held-domain-condition.ts";

/** Whether an owner has a verified address, or the organization a verified domain. */
export async function hasAccountableOwner(sql: Sql, organizationId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.role = 'owner' and u.email_verified_at is not null
    union all
    select 1 from organization_domains where organization_id = ${organizationId} and status in ${heldStatuses(sql)}
    limit 1`;
  return rows.length > 0;
}

/**
 * The time of the next email: at most `count` emails of the organization in any window. The directory is locked. An
 * invitation lasts `INVITATION_LIFETIME_MS` from its email, so that the expiry tells the time of the email.
 */
export async function nextInvitationTime(
  sql: Sql,
  organizationId: string,
  { count, seconds }: { readonly count: number; readonly seconds: number },
  at: Date,
): Promise<Date> {
  const [earlier] = await sql<{ expiresAt: Date }[]>`
    select expires_at as "expiresAt" from invitations
    where organization_id = ${organizationId} and sent_by = 'organization'
    order by expires_at desc offset ${count - 1} limit 1`;
  if (!earlier) return at;
  const freeAt = earlier.expiresAt.getTime() - INVITATION_LIFETIME_MS + seconds * 1000;
  return new Date(Math.max(at.getTime(), freeAt));
}
