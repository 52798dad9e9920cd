import type { ClientFacts } from "../../base/client-facts.ts";
import type { Sql } from "../../base/database.ts";
import { cleanName } from "../../base/display-name.ts";
import { INVITATION_LIFETIME_MS } from "../../base/limits.ts";
import { refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { SealedEmail } from "../../models/email/email.ts";
import type { Invitation } from "../../models/invitation/invitation.ts";
import type { MemberRole } from "../../models/member/member.ts";
import { lockGrantors } from "../../models/member/members.ts";
import { findOrganization } from "../../models/organization/organization.ts";
import { findRecipient, findRecipientByEmail } from "../../models/user/user.ts";
import type { MemberCaller } from "../steps/authorize-member.ts";
import { composeEmail } from "../steps/compose-email.ts";
import { checkUnverifiedSender } from "./allowance.ts";

export type InviteDeps = Pick<Deps, "config" | "clock" | "random" | "database" | "state" | "sealing" | "outbox">;

/** What is about to be mailed. */
export interface Sending {
  readonly mail: SealedEmail;
  /** Whether the sender's own address is verified. */
  readonly senderVerified: boolean;
}

/** The e-mail with the link; in the language of the invited user, if the address is known, else of the sender. */
export async function composeInvitation(
  deps: InviteDeps,
  { session, organizationId }: MemberCaller,
  email: string,
  token: string,
  client: ClientFacts,
  at: Date,
): Promise<Sending> {
  const [organization, sender, guest] = await Promise.all([
    deps.database.run("organization.find", (sql) => findOrganization(sql, organizationId)),
    deps.database.run("user.find_correspondent", (sql) => findRecipient(sql, session.userId)),
    deps.database.run("user.find_correspondent_by_email", (sql) => findRecipientByEmail(sql, email)),
  ]);
  const slug = organization?.slug ?? "";
  const values = {
    link: `${deps.config.urls.publicBaseUrl}/accept-invitation?token=${token}`,
    // Older versions stored names, and addresses may hold a link, that must not be read as words of this service.
    organization_name: cleanName(organization?.name ?? "") ?? slug,
    inviter_name: cleanName(sender?.displayName ?? session.email) ?? slug,
    days: INVITATION_LIFETIME_MS / 86_400_000,
  };
  const to = guest ?? { email, displayName: null, locale: sender?.locale ?? null };
  const mail = composeEmail(deps, to, client, { kind: "invitation", values }, at);
  return { mail, senderVerified: sender?.emailVerified ?? false };
}

const NOT_ALLOWED = refusal("forbidden", "Your role does not permit this.");
const INVITER_GONE = refusal(
  "conflict",
  "Whoever sent this invitation may not give this role any more. Revoke it and send a new one.",
);

/**
 * First in the sending transaction: whether the caller may give the role at this moment, and of an invitation that is
 * sent again whether its inviter may; locked until the transaction ends (docs/contract.md). Refuses with `forbidden`,
 * `conflict`, `rate_limited`.
 */
export async function authorizeSending(
  sql: Sql,
  { session, organizationId }: MemberCaller,
  { role, invitedBy }: Pick<Invitation, "invitedBy"> & { readonly role: MemberRole },
  { senderVerified }: Sending,
  at: Date,
): Promise<Result<void>> {
  const allowance = senderVerified ? ok(undefined) : await checkUnverifiedSender(sql, session.userId, at);
  if (!allowance.ok) return allowance;
  if (invitedBy === null) return err(INVITER_GONE);
  const rows = await sql<
    { user_id: string }[]
  >`${lockGrantors(sql, organizationId, [session.userId, invitedBy], role)}`;
  const may = (userId: string) => rows.some((row) => row.user_id === userId);
  if (!may(session.userId)) return err(NOT_ALLOWED);
  return may(invitedBy) ? ok(undefined) : err(INVITER_GONE);
}
