import { type Refusal, refusal } from "../../base/problem.ts";
import { NIL_UUID } from "../../base/random.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { EmailDeps } from "../../deps.ts";
import { insertEmail, type SealedEmail } from "../../models/email/email.ts";
import type { Invitation } from "../../models/invitation/invitation.ts";
import { lockGrantors } from "../../models/member/members.ts";
import { findOrganization } from "../../models/organization/organization.ts";
import { findRecipient, findRecipientByEmail } from "../../models/user/user.ts";
import type { MemberRole } from "../../vocabulary/member-power.ts";
import type { OrganizationCaller } from "../steps/authorization/authorize-member.ts";
import { DOMAIN_NOT_PERMITTED, permitsAddress } from "../steps/authorization/joining-rules.ts";
import { lockCredential } from "../steps/credentials/lock-credential.ts";
import { invitationEmail, invitationUrl } from "../steps/email/invitation-email.ts";
import { authorizeUnverifiedSender } from "./allowance.ts";
import type { Delivery } from "./delivery.ts";

/** An invitation as sent. */
export interface SentInvitation extends Invitation {
  /** The link for a program, in place of an email. The response is the only place that ever contains the URL. */
  readonly url: string | undefined;
}

/** The email of an invitation, sealed and not yet in the outbox, or the link for a program. */
export interface Sending {
  /** Undefined: a program delivers the link. */
  readonly mail: SealedEmail | undefined;
  readonly url: string | undefined;
  /** Whether the sender's own address is verified. */
  readonly senderVerified: boolean;
}

interface InvitationToSend {
  readonly email: string;
  readonly token: string;
  readonly delivery: Delivery;
  readonly client: RequestContext;
  readonly at: Date;
}

/** Composes the email in the language of the invited user, or in the sender's if the address is not registered. */
export async function composeInvitation(
  deps: EmailDeps,
  { responsibleId, organizationId }: OrganizationCaller,
  { email, token, delivery, client, at }: InvitationToSend,
): Promise<Sending> {
  const url = invitationUrl(deps, token);
  // The allowance of unverified senders concerns emails.
  if (delivery === "link") return { mail: undefined, url, senderVerified: true };
  const [organization, sender, invitee] = await Promise.all([
    deps.database.run("organization.find", (sql) => findOrganization(sql, organizationId)),
    deps.database.run("user.find_recipient", (sql) => findRecipient(sql, responsibleId ?? NIL_UUID)),
    deps.database.run("user.find_recipient_by_email", (sql) => findRecipientByEmail(sql, email)),
  ]);
  const to = invitee ?? {
    email,
    isMailboxOwner: false,
    displayName: null,
    locale: sender?.locale ?? null,
    timeZone: null,
  };
  const mail = invitationEmail(deps, { organization, organizationId, sender, to, token, client, at });
  return { mail, url: undefined, senderVerified: sender?.emailVerified ?? false };
}

/** Queues the email, if any. False: too many emails to the address. */
export async function queueInvitation(sql: Sql, { mail }: Sending): Promise<boolean> {
  if (!mail) return true;
  return (await sql`${insertEmail(sql, mail)} returning id`).length > 0;
}

const NOT_ALLOWED = refusal("forbidden", "Your role does not permit this.");
const INVITER_NOT_ALLOWED = refusal(
  "conflict",
  "The sender of this invitation may no longer grant this role. Revoke it and send a new one.",
);

/**
 * The first step of the sending transaction: checks the permitted domains, authorizes the caller and the inviter to
 * grant the role, and locks both memberships until the transaction ends (G36).
 */
export async function authorizeSending(
  sql: Sql,
  caller: OrganizationCaller,
  {
    role,
    email,
    invitedBy,
    sentBy,
  }: Pick<Invitation, "email" | "invitedBy" | "sentBy"> & { readonly role: MemberRole },
  { senderVerified }: Sending,
  at: Date,
): Promise<Result<void, Refusal<"authentication_required" | "conflict" | "forbidden" | "rate_limited">>> {
  const { responsibleId, organizationId } = caller;
  if (responsibleId === null) return err(NOT_ALLOWED);
  if (!(await permitsAddress(sql, organizationId, email, at))) return err(DOMAIN_NOT_PERMITTED);
  const allowance = senderVerified ? ok(undefined) : await authorizeUnverifiedSender(sql, responsibleId, caller, at);
  if (!allowance.ok) return allowance;
  // The sender of a repeated email vouches for an invitation of the organization.
  const sender = sentBy === "organization" ? responsibleId : invitedBy;
  if (sender === null) return err(INVITER_NOT_ALLOWED);
  const grantors = lockGrantors(sql, organizationId, [responsibleId, sender], role);
  const rows = await sql<{ user_id: string }[]>`${grantors}`;
  const mayGrantRole = (userId: string) => rows.some((row) => row.user_id === userId);
  if (!mayGrantRole(responsibleId)) return err(NOT_ALLOWED);
  if (!mayGrantRole(sender)) return err(INVITER_NOT_ALLOWED);
  // Memberships are locked before sessions, as by a removal.
  return await lockCredential(sql, caller.credential, at);
}
