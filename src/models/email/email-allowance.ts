import { createHash } from "node:crypto";
import type { Fragment, Sql } from "../../database/database.ts";
import { deleteRowsBefore } from "../../database/retention.ts";
import { NOTICE_RELEASE_MS, REQUESTED_SHARE, UNPROVEN_NOTICES_MAX } from "../../limits/email-limits.ts";

/**
 * The cause of an email: a request for the email, an invitation, or a change to an account that the owner must learn
 * of.
 */
export type EmailPurpose = "request" | "invitation" | "notice";

export interface WindowLimit {
  readonly count: number;
  readonly seconds: number;
}

/** The limits of an email (docs/contract.md, section 20.2). */
export interface EmailLimits {
  /** Emails of one kind to one address; for invitations, the emails of all organizations. */
  readonly kind: WindowLimit;
  /** Emails of all kinds to one address that one client network causes. */
  readonly network: WindowLimit;
  /** Emails of all kinds to one address. */
  readonly address: WindowLimit;
}

export interface EmailLimitSettings {
  readonly enabled: boolean;
  readonly mail: WindowLimit;
  readonly mailNetwork: WindowLimit;
  readonly mailAddress: WindowLimit;
  readonly addressInvitations: WindowLimit;
}

/** The limits of an email; undefined while limits are off. `isMailboxOwner`: the address has a controlling proof. */
export function emailLimits(
  settings: EmailLimitSettings,
  purpose: EmailPurpose,
  isMailboxOwner: boolean,
): EmailLimits | undefined {
  if (!settings.enabled) return undefined;
  const { mail, mailNetwork: network, mailAddress: address } = settings;
  if (purpose === "notice") {
    return { kind: isMailboxOwner ? mail : lowered(mail, UNPROVEN_NOTICES_MAX), network, address };
  }
  const kind = purpose === "invitation" ? settings.addressInvitations : mail;
  return { kind, network: requestedShare(network), address: requestedShare(address) };
}

function lowered({ count, seconds }: WindowLimit, max: number): WindowLimit {
  return { count: Math.min(count, max), seconds };
}

/** Leaves room for notices, so that requests for emails cannot delay the notice of a takeover. */
function requestedShare({ count, seconds }: WindowLimit): WindowLimit {
  return { count: Math.max(1, Math.floor(count * REQUESTED_SHARE)), seconds };
}

/** An email as counted by the limits. */
export interface CountedEmail {
  readonly id: string;
  /** The kind of the content, with a hash of the subject where notices merge by subject. */
  readonly kind: string;
  readonly purpose: EmailPurpose;
  /** Keyed hash of the address. */
  readonly addressHash: string;
  /** Client network of the cause; empty for the command line. */
  readonly network: string;
  /** Undefined while limits are off. */
  readonly limits: EmailLimits | undefined;
}

/**
 * Counts and merges a notice with notices about the same subject alone, so that notices about other subjects displace
 * no held notice. `subject`: ids, of which a hash is stored.
 */
export function aboutSubject<Email extends CountedEmail>(email: Email, subject: readonly string[]): Email {
  const hash = createHash("sha256").update(subject.toSorted().join(" ")).digest("hex").slice(0, 32);
  return { ...email, kind: `${email.kind}:${hash}` };
}

/** Source of a FROM clause: `is_held`, `merged_count` and `due_at` of an email; no row if it is not to be sent. */
export function queueEmail(sql: Sql, email: CountedEmail, at: Fragment, now: Date): Fragment {
  const { id, addressHash, kind, purpose, network, limits } = email;
  if (!limits) return sql`(select false as is_held, 0 as merged_count, ${at} as due_at)`;
  const releaseAt = purpose === "notice" ? new Date(now.getTime() + NOTICE_RELEASE_MS) : null;
  return sql`
    queue_email(${id}::uuid, ${addressHash}::text, ${kind}::text, ${network}::text, ${at}, ${releaseAt}::timestamptz,
                ${limitArguments(sql, limits)})`;
}

function limitArguments(sql: Sql, { kind, network, address }: EmailLimits): Fragment {
  const pair = ({ count, seconds }: WindowLimit) => sql`${count}::integer, ${`${seconds} seconds`}::interval`;
  return sql`${pair(kind)}, ${pair(network)}, ${pair(address)}`;
}

/**
 * Releases notices that were held until `at` without a next notice of the kind. A notice beyond the limits of its
 * network or address remains held for another `NOTICE_RELEASE_MS`.
 */
export async function releaseHeldEmails(
  sql: Sql,
  settings: EmailLimitSettings,
  at: Date,
  batch: number,
): Promise<number> {
  const { mail: kind, mailNetwork: network, mailAddress: address } = settings;
  const retryAt = new Date(at.getTime() + NOTICE_RELEASE_MS);
  const released = await sql`
    with due as (
      select id, address_hash, kind, network from outbox where held and next_attempt_at <= ${at} and expires_at > ${at}
      order by next_attempt_at limit ${batch} for update skip locked
    ),
    judged as (
      select id, admit_email(id, address_hash, kind, network, ${at}::timestamptz,
                             ${limitArguments(sql, { kind, network, address })}) as admitted
      from due
    )
    update outbox o
    set held = not j.admitted, created_at = case when j.admitted then ${at}::timestamptz else o.created_at end,
        next_attempt_at = case when j.admitted then ${at}::timestamptz else ${retryAt}::timestamptz end
    from judged j where o.id = j.id`;
  return released.count;
}

/** Deletes at most `batch` rows outside every window; returns how many. */
export const deleteExpiredEmailLog = deleteRowsBefore("email_log", "expires_at");
