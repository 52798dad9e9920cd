import { cleanName, emailName } from "../../../base/display-name.ts";
import { INVITATION_LIFETIME_MS } from "../../../limits/credential-limits.ts";
import type { SealedEmail } from "../../../models/email/email.ts";
import type { Organization } from "../../../models/organization/organization.ts";
import type { findRecipient } from "../../../models/user/user.ts";
import { type ComposeDeps, composeEmail, type EmailToCompose } from "./compose-email.ts";

export interface InvitationEmail extends Pick<EmailToCompose, "to" | "client" | "at"> {
  readonly organizationId: string;
  readonly organization: Organization | undefined;
  /** Undefined: the organization itself invites. */
  readonly sender: Awaited<ReturnType<typeof findRecipient>>;
  readonly token: string;
}

/** The sealed email with the link of an invitation. */
export function invitationEmail(
  deps: ComposeDeps,
  { organizationId, organization, sender, to, token, client, at }: InvitationEmail,
): SealedEmail {
  const slug = organization?.slug ?? "";
  const organizationName = emailName(organization?.name ?? "") ?? slug;
  const values = {
    link: invitationUrl(deps, token),
    organization_name: organizationName,
    inviter_name: sender ? (inviterName(sender) ?? slug) : organizationName,
    days: INVITATION_LIFETIME_MS / 86_400_000,
  };
  return composeEmail(deps, { to, mail: { kind: "invitation", values }, tenants: { organizationId }, client, at });
}

/** The page that accepts an invitation. */
export function invitationUrl({ config }: Pick<ComposeDeps, "config">, token: string): string {
  return `${config.urls.publicBaseUrl}/accept-invitation?token=${token}`;
}

/** A name, else a verified address: the sender could choose the text of any other address. */
export function inviterName(sender: Awaited<ReturnType<typeof findRecipient>>): string | undefined {
  const name = emailName(sender?.displayName ?? "");
  if (name !== undefined) return name;
  return sender?.emailVerified ? cleanName(sender.email) : undefined;
}
