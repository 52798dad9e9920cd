import type { users } from "../../../db/schema/users.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import type { AssuranceLevel, FirstFactor } from "../../vocabulary/assurance.ts";
import type { AccessRule } from "../../vocabulary/policy-settings.ts";
import { isHeld } from "../conditions/held-credential.ts";
import { accessRefusal, admitsOwnMethod, memberSubject } from "../conditions/organization-access.ts";
import { hasAddress } from "./user-address.ts";

type UserRow = RowOf<typeof users>;

/** Bounds the work for a sign-in whose password is not yet checked. */
const RECENT_SESSIONS_MAX = 4;

/** A user for all sign-in methods, and the membership that the session would have. */
export interface SignInCandidate
  extends Pick<UserRow, "email" | "displayName" | "guessesClearedAt" | "locale" | "timeZone" | "passwordHash"> {
  readonly userId: string;
  /** The row of the address by which the user was found; of the primary address if found by id. */
  readonly emailId: string;
  readonly emailVerified: boolean;
  /** Whether the owner of the mailbox has proven control of this account. */
  readonly isMailboxOwner: boolean;
  /** Whether an administrator or a program alone has verified the address by which the user was found. */
  readonly isVouched: boolean;
  readonly disabled: boolean;
  /** Whether the address by which the user was found awaits a confirmation after a reset; false if found by id. */
  readonly addressHeld: boolean;
  /** As read; `lockAndRecordSignIn` requires an unchanged epoch. */
  readonly credentialsEpoch: UserRow["credentialsEpoch"];
  readonly mfaEnabled: boolean;
  /** The live trusted browser of this user that sent the request, if any. */
  readonly trustedBrowserId: string | null;
  /**
   * Whether one of the user's latest sessions is live and has the user agent of the question: then no notice of a new
   * browser is due. False decides nothing, because only the latest sessions are read.
   */
  readonly hasRecentBrowser: boolean;
  /**
   * Null when the user has no membership in an organization that is not suspended and admits the sign-in method.
   */
  readonly organizationId: string | null;
  /** Without `organizationId`: the organization that refuses the sign-in, if any. */
  readonly closedOrganizationId: string | null;
  /** The rule of `closedOrganizationId`. */
  readonly closedBy: AccessRule | null;
}

/** A candidate with a membership. */
export type AdmissibleCandidate = SignInCandidate & {
  readonly organizationId: string;
  /** The organization is the personal organization, which the statement of the sign-in creates. */
  readonly createsPersonal?: true;
};

export interface CandidateQuestion {
  /** Default: the membership used last. */
  readonly organizationId?: string | undefined;
  /** Hash of the cookie `service_trust`. */
  readonly trustTokenHash?: Buffer | undefined;
  /** The browser of the request. Absent: `hasRecentBrowser` is false. */
  readonly userAgent?: string | null;
  /** The method of the sign-in; absent: any method of the user's own. A passkey leads to `aal2` without a challenge. */
  readonly method?: FirstFactor;
  /** The provider of a social sign-in. */
  readonly provider?: string;
  /** The client address of the request, for organizations with permitted addresses. */
  readonly address?: string | null;
  /** Whether the sign-in comes from the identity provider of the requested organization. */
  readonly isBound?: boolean;
  readonly at: Date;
}

/**
 * Finds a user for sign-in, by id or by any verified address; an unverified address counts only as the primary
 * address. `email` of the result is the primary address. The membership is the requested membership, else the last
 * used, else the oldest; memberships of suspended organizations do not count (docs/contract.md, section 7.2), nor of
 * organizations that refuse the sign-in (sections 29.46 and 33.3). A trusted browser does not count for an organization
 * that refuses a session without the second factor.
 */
export async function findSignInCandidate(
  sql: Sql,
  who: { readonly email: string } | { readonly userId: string },
  question: CandidateQuestion,
): Promise<SignInCandidate | undefined> {
  const memberships = sql`
      members m join organizations o on o.id = m.organization_id
      where m.user_id = u.id and o.suspended_at is null
        and m.organization_id = coalesce(${question.organizationId ?? null}::uuid, m.organization_id)`;
  const preferred = sql`
      order by m.organization_id = u.last_organization_id desc nulls last, m.joined_at, m.organization_id`;
  const reachedLevel = sql`case when t.user_id is null then 'aal1' else 'aal2' end`;
  const refusedBy = refusal(sql, question.method === "passkey" ? "aal2" : reachedLevel, question);
  const [row] = await sql<SignInCandidate[]>`
    select u.id as "userId", u.email, e.id as "emailId", u.email_verified_at is not null as "emailVerified",
           u.controlled_at is not null as "isMailboxOwner", e.vouched as "isVouched",
           u.display_name as "displayName", u.locale, u.time_zone as "timeZone", u.password_hash as "passwordHash",
           u.guesses_cleared_at as "guessesClearedAt", u.disabled_at is not null as disabled,
           ${"email" in who ? isHeld(sql, sql`e.user_id`, sql`e.verified_at`, sql`e.email`) : sql`false`}
             as "addressHeld",
           u.credentials_epoch as "credentialsEpoch",
           t.user_id is not null as "mfaEnabled",
           case when home.needs_aal2 then null else b.id end as "trustedBrowserId",
           ${question.userAgent === undefined ? sql`false` : hasRecentBrowser(sql, question.userAgent)}
             as "hasRecentBrowser",
           home.organization_id as "organizationId",
           closed.organization_id as "closedOrganizationId", closed.refused_by as "closedBy"
    from user_emails e
    join users u on u.id = e.user_id
    left join totp_factors t on t.user_id = u.id and t.confirmed_at is not null
    left join trusted_browsers b on b.token_hash = ${question.trustTokenHash ?? null}::bytea and b.user_id = u.id
      and b.revoked_at is null and b.expires_at > ${question.at}
    left join lateral (
      select m.organization_id,
             b.id is not null and (${refusal(sql, "aal1", question)}) is not null as needs_aal2
      from ${memberships} and coalesce(${refusedBy}, 'factor') = 'factor'
      ${preferred} limit 1
    ) home on true
    left join lateral (
      select m.organization_id, ${refusedBy} as refused_by
      from ${memberships} and home.organization_id is null ${preferred} limit 1
    ) closed on true
    where ${"email" in who ? hasAddress(sql, who.email) : sql`e.user_id = ${who.userId} and e."primary"`}`;
  return row;
}

/** Expression about the member `m`: the rule by which the organization refuses the sign-in, else null. */
function refusal(sql: Sql, aal: AssuranceLevel | Fragment, question: CandidateQuestion): Fragment {
  const { method = null, provider = null, address, isBound = false, at } = question;
  const phishingResistant = method === "passkey";
  const subject = memberSubject(sql);
  if (address === undefined) return sql`case when not (${admitsOwnMethod(sql, subject, at)}) then 'sso_required' end`;
  return accessRefusal(sql, subject, { method, provider, aal, phishingResistant, authTime: at, isBound, address }, at);
}

/** Expression about the user `u`. */
function hasRecentBrowser(sql: Sql, userAgent: string | null): Fragment {
  return sql`exists (
             select 1 from (
               select user_agent, revoked_at from sessions where user_id = u.id
               order by created_at desc limit ${RECENT_SESSIONS_MAX}
             ) recent
             where recent.revoked_at is null and recent.user_agent is not distinct from ${userAgent}::text
           )`;
}
