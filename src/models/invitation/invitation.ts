import type { invitations } from "../../../db/schema/invitations.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { PageBounds } from "../../database/listing.ts";
import type { RowOf } from "../../database/row.ts";
import type { Cte } from "../../database/statement.ts";
import { INVITATION_LIFETIME_MS } from "../../limits/credential-limits.ts";
import { isOfLiveCredential } from "../conditions/live-credential.ts";
import { setUpByUserOrKeys } from "../conditions/made-by-keys.ts";
import { admitsOwnMethod } from "../conditions/organization-access.ts";
import type { SetUpPeriod } from "../conditions/set-up-period.ts";

type InvitationRow = RowOf<typeof invitations>;

export const INVITATION_STATUSES = ["pending", "accepted", "revoked", "expired"] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** docs/contract.md, section 4.8. */
export interface Invitation
  extends Pick<
    InvitationRow,
    "id" | "organizationId" | "email" | "role" | "roleIds" | "invitedBy" | "sentBy" | "createdAt" | "expiresAt"
  > {
  readonly status: InvitationStatus;
}

/** The status at `at`, of the table alias `i`. */
function statusOf(sql: Sql, at: Date): Fragment {
  return sql`
    case when i.accepted_at is not null then 'accepted' when i.revoked_at is not null then 'revoked'
         when i.expires_at <= ${at} then 'expired' else 'pending' end`;
}

function columns(sql: Sql, at: Date): Fragment {
  return sql`
    i.id, i.organization_id as "organizationId", i.email, i.role, i.role_ids as "roleIds",
    ${statusOf(sql, at)} as status,
    i.invited_by as "invitedBy", i.sent_by as "sentBy", i.created_at as "createdAt", i.expires_at as "expiresAt"`;
}

export type NewInvitation = Omit<Invitation, "status"> & {
  readonly tokenHash: Buffer;
  /** `link`: a program receives the link, so the token proves no control of the mailbox. */
  readonly delivery: InvitationRow["delivery"];
  /** The key or trust of the program that invited, whose end revokes the invitation; null: no program. */
  readonly createdByCredential: string | null;
};

/** Deletes an expired invitation of the address, so that a new invitation is possible. */
export async function deleteExpiredInvitation(
  sql: Sql,
  organizationId: string,
  email: string,
  at: Date,
): Promise<void> {
  await sql`
    delete from invitations
    where organization_id = ${organizationId} and email = ${email} and accepted_at is null and revoked_at is null
      and expires_at <= ${at}`;
}

/** Whether an invitation of the address is open, or expired and not deleted. */
export async function hasOpenInvitation(sql: Sql, organizationId: string, email: string): Promise<boolean> {
  const rows = await sql`
    select 1 from invitations
    where organization_id = ${organizationId} and email = ${email} and accepted_at is null and revoked_at is null`;
  return rows.length > 0;
}

/** CTE fragment: inserts an invitation. An open invitation of the address violates `invitations_open_key`. */
export function insertInvitation(sql: Sql, invitation: NewInvitation): Fragment {
  return sql`
    insert into invitations (id, organization_id, email, role, role_ids, token_hash, delivery, invited_by, sent_by,
                             expires_at, created_by_credential, created_at)
    values (${invitation.id}, ${invitation.organizationId}, ${invitation.email}, ${invitation.role},
            ${[...invitation.roleIds]}::uuid[], ${invitation.tokenHash}, ${invitation.delivery},
            ${invitation.invitedBy}, ${invitation.sentBy}, ${invitation.expiresAt}, ${invitation.createdByCredential},
            ${invitation.createdAt})
    returning id`;
}

/** A page of invitations of an organization, newest first, and the total. */
export async function listInvitations(
  sql: Sql,
  organizationId: string,
  status: InvitationStatus | undefined,
  at: Date,
  page: PageBounds,
): Promise<{ items: Invitation[]; total: number }> {
  const rows = await sql<(Invitation & { total: number })[]>`
    with found as (
      select i.* from invitations i
      where i.organization_id = ${organizationId}
        and (${status ?? null}::text is null or ${statusOf(sql, at)} = ${status ?? null})
    )
    select counted.total, ${columns(sql, at)}
    from (select count(*)::int as total from found) counted
    left join lateral (
      select * from found order by created_at desc, id desc limit ${page.limit} offset ${page.offset}
    ) i on true`;
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}

export async function findInvitation(
  sql: Sql,
  id: string,
  organizationId: string,
  at: Date,
): Promise<Invitation | undefined> {
  const [row] = await sql<Invitation[]>`
    select ${columns(sql, at)} from invitations i where i.id = ${id} and i.organization_id = ${organizationId}`;
  return row;
}

/** CTE fragment: revokes an invitation; one row if it was open or expired. */
export function revokeInvitation(sql: Sql, id: string, at: Date): Fragment {
  return sql`
    update invitations set revoked_at = ${at} where id = ${id} and accepted_at is null and revoked_at is null
    returning id`;
}

/** The invitations of one sender into an organization for the given roles, neither accepted nor revoked, locked. */
export async function lockSentInvitations(
  sql: Sql,
  organizationId: string,
  invitedBy: string,
  roles: readonly Invitation["role"][],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from invitations
    where invited_by = ${invitedBy} and organization_id = ${organizationId} and role = any(${[...roles]}::text[])
      and accepted_at is null and revoked_at is null
    order by id for update`;
  return rows.map(({ id }) => id);
}

/** CTE fragment: revokes invitations that `lockSentInvitations` returned. */
export function revokeInvitations(sql: Sql, ids: readonly string[], at: Date): Fragment {
  return sql`update invitations set revoked_at = ${at} where id = any(${[...ids]}::uuid[]) returning id`;
}

/** CTE fragment: revokes the invitations by programs, named by their keys and trusts, that are not accepted. */
export function revokeInvitationsBy(sql: Sql, credentialIds: readonly string[], at: Date): Fragment {
  return sql`
    update invitations set revoked_at = ${at}
    where created_by_credential = any(${[...credentialIds]}::uuid[]) and accepted_at is null and revoked_at is null
    returning id, organization_id`;
}

/** CTE fragment: revokes the invitations of a sender that are not accepted, in the period. */
export function revokeInvitationsOf(sql: Sql, inviterId: string, at: Date, period: SetUpPeriod = {}): Fragment {
  const columns = { id: sql`id`, createdAt: sql`created_at` };
  const made = { userId: inviterId, period, action: "invitation.created" } as const;
  return sql`
    update invitations set revoked_at = ${at}
    where invited_by = ${inviterId} and accepted_at is null and revoked_at is null
      and ${setUpByUserOrKeys(sql, columns, made)}
    returning id, organization_id, email`;
}

/** A member who joined an organization by an invitation. */
export interface InvitedMember {
  readonly userId: string;
  readonly email: string;
  readonly organizationName: string;
}

/** Members who joined by an invitation of this sender and still belong to the organization, at most `limit`. */
export async function listMembersInvitedBy(sql: Sql, inviterId: string, limit: number): Promise<InvitedMember[]> {
  return await sql<InvitedMember[]>`
    select u.id as "userId", u.email, o.name as "organizationName"
    from invitations i
    join user_emails e on e.email = i.email and (e."primary" or e.verified_at is not null)
    join users u on u.id = e.user_id
    join members m on m.user_id = u.id and m.organization_id = i.organization_id
    join organizations o on o.id = i.organization_id
    where i.invited_by = ${inviterId} and i.accepted_at is not null
    order by i.accepted_at desc, u.id limit ${limit}`;
}

/** Locks an invitation; false if it is accepted or revoked. */
export async function lockOpenInvitation(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`
    select 1 from invitations where id = ${id} and accepted_at is null and revoked_at is null for no key update`;
  return rows.length > 0;
}

export interface RenewedInvitation extends Pick<NewInvitation, "id" | "tokenHash" | "delivery" | "expiresAt"> {
  /** The program that receives the link: the end of the program then revokes the invitation. Null: unchanged. */
  readonly receivedBy: string | null;
}

/** CTE fragment: replaces token and expiry of an invitation that is neither accepted nor revoked. */
export function renewInvitation(sql: Sql, renewed: RenewedInvitation): Fragment {
  const { id, tokenHash, delivery, expiresAt, receivedBy } = renewed;
  return sql`
    update invitations
    set token_hash = ${tokenHash}, delivery = ${delivery}, expires_at = ${expiresAt},
        created_by_credential = coalesce(${receivedBy}::uuid, created_by_credential)
    where id = ${id} and accepted_at is null and revoked_at is null
    returning id`;
}

/**
 * CTE fragment: accepts an invitation; one row (organization_id, role, role_ids, invited_by) for the first use of the
 * token (G2). `inviter`: the CTE of `lockInviter`.
 */
export function consumeInvitation(sql: Sql, id: string, tokenHash: Buffer, at: Date, inviter: Cte): Fragment {
  return sql`
    update invitations i set accepted_at = ${at} from ${inviter}
    where i.id = ${id} and i.token_hash = ${tokenHash} and i.invited_by is not distinct from ${inviter}.user_id
      and (i.invited_by is not null or i.sent_by = 'organization')
      and i.accepted_at is null and i.revoked_at is null and i.expires_at > ${at}
    returning i.organization_id, i.role, i.role_ids, i.invited_by`;
}

/** An open invitation as single sign-on accepts the invitation. */
export type OpenInvitation = Pick<Invitation, "id" | "role" | "roleIds" | "invitedBy"> & { readonly tokenHash: Buffer };

/** The open invitation of an address; undefined also for an invitation without a sender. */
export async function findOpenInvitation(
  sql: Sql,
  organizationId: string,
  email: string,
  at: Date,
): Promise<OpenInvitation | undefined> {
  const [row] = await sql<OpenInvitation[]>`
    select id, role, role_ids as "roleIds", token_hash as "tokenHash", invited_by as "invitedBy" from invitations
    where organization_id = ${organizationId} and email = ${email} and accepted_at is null and revoked_at is null
      and expires_at > ${at} and (invited_by is not null or sent_by = 'organization')`;
  return row;
}

/** The view of the token's holder. */
export type OfferedInvitation = Invitation & {
  readonly organizationName: string;
  readonly organizationSlug: string;
  readonly suspended: boolean;
  readonly invitedByName: string | null;
  /**
   * The sender's current role: `owner` for a platform administrator, `admin` for the organization; null if disabled or
   * no longer a member.
   */
  readonly inviterRole: Invitation["role"] | null;
  /** The permissions of the sender's additional roles. */
  readonly inviterGranted: readonly string[];
  /** The id of the user with the invited address, primary or verified, if there is one. */
  readonly accountId: string | null;
  /** Whether only this user's session accepts: not where the account has no organization to sign in to. */
  readonly signInRequired: boolean;
  /** Whether a program received the link, in place of the mailbox. */
  readonly isLink: boolean;
};

/** A program received the link at the sending, which renews the lifetime. The link ends with the credential. */
function receivedLink(sql: Sql) {
  const sentAt = sql`i.expires_at - make_interval(secs => ${INVITATION_LIFETIME_MS / 1000})`;
  return { credential: sql`i.created_by_credential`, madeAt: sentAt };
}

export async function findOfferedInvitation(
  sql: Sql,
  tokenHash: Buffer,
  at: Date,
): Promise<OfferedInvitation | undefined> {
  const [row] = await sql<OfferedInvitation[]>`
    select ${columns(sql, at)}, o.name as "organizationName", o.slug as "organizationSlug",
           o.suspended_at is not null as suspended, coalesce(h.display_name, h.email) as "invitedByName",
           case when i.sent_by = 'organization' then 'admin'
                when h.disabled_at is not null then null
                when h.platform_role in ('admin', 'owner') then 'owner' else m.role end as "inviterRole",
           array(
             select distinct p
             from member_roles a join organization_roles r on r.id = a.role_id cross join unnest(r.permissions) p
             where a.organization_id = m.organization_id and a.user_id = m.user_id
           ) as "inviterGranted",
           u.id as "accountId",
           i.delivery = 'link' as "isLink",
           u.disabled_at is not null or (i.delivery = 'link' and u.platform_role is not null) or exists (
             select 1 from members um join organizations uo on uo.id = um.organization_id
             where um.user_id = u.id and uo.suspended_at is null
               and ${admitsOwnMethod(sql, { account: sql`u.id`, organization: sql`uo.id` }, at)}
           ) as "signInRequired"
    from invitations i
    join organizations o on o.id = i.organization_id
    left join users h on h.id = i.invited_by
    left join members m on m.organization_id = i.organization_id and m.user_id = i.invited_by
    left join user_emails e on e.email = i.email and (e."primary" or e.verified_at is not null)
    left join users u on u.id = e.user_id
    where i.token_hash = ${tokenHash} and (i.delivery = 'mail' or ${isOfLiveCredential(sql, receivedLink(sql), at)})`;
  return row;
}
