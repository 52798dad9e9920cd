import { makeOpaqueToken } from "../../../base/opaque-token.ts";
import { hashToken } from "../../../base/token-hash.ts";
import type { EmailDeps } from "../../../deps.ts";
import {
  EMAIL_VERIFICATION_LIFETIME_MS,
  ORGANIZATION_READY_LIFETIME_MS,
  PASSWORD_RESET_LIFETIME_MS,
} from "../../../limits/credential-limits.ts";
import type { EmailContent, SealedEmail } from "../../../models/email/email.ts";
import type { NewMailedToken } from "../../../models/mailed-token/mailed-token.ts";
import { composeEmail, type EmailToCompose } from "./compose-email.ts";

/** The reason of the session events that invalidate cached views after an address was verified. */
export const EMAIL_VERIFIED = "email_verified";

export interface LinkToIssue extends Omit<EmailToCompose, "mail"> {
  readonly userId: string;
}

/** Issues a link for a user: the token to store and the email. */
export type IssueMailedLink = (
  deps: EmailDeps,
  link: LinkToIssue,
) => {
  readonly token: NewMailedToken;
  readonly mail: SealedEmail;
  /** The URL in the email. */
  readonly link: string;
};

/** The page of a link, and the purpose of its token. */
export interface LinkTarget {
  readonly purpose: NewMailedToken["purpose"];
  readonly path: string;
}

export const VERIFICATION: LinkTarget = { purpose: "email_verification", path: "/verify-email" };
export const PASSWORD_RESET: LinkTarget = { purpose: "password_reset", path: "/reset-password" };

interface MailedLink extends LinkTarget {
  readonly lifetimeMs: number;
  readonly content: (link: string) => EmailContent;
}

/** A link that verifies an address (docs/contract.md, section 12.1). */
export const issueVerification = issuer({
  ...VERIFICATION,
  lifetimeMs: EMAIL_VERIFICATION_LIFETIME_MS,
  content: (link) => ({
    kind: "email_verification",
    values: { link, hours: EMAIL_VERIFICATION_LIFETIME_MS / 3_600_000 },
  }),
});

/** A link for a new password (docs/contract.md, section 12.3). */
export const issuePasswordReset = issuer({
  ...PASSWORD_RESET,
  lifetimeMs: PASSWORD_RESET_LIFETIME_MS,
  content: (link) => ({ kind: "password_reset", values: { link, minutes: PASSWORD_RESET_LIFETIME_MS / 60_000 } }),
});

/** A link for the first password of an owner (docs/contract.md, section 36.3). `organizationName`: by `inertName`. */
export function issueOrganizationReady(organizationName: string): IssueMailedLink {
  return issuer({
    ...PASSWORD_RESET,
    lifetimeMs: ORGANIZATION_READY_LIFETIME_MS,
    content: (link) => ({
      kind: "organization_ready",
      values: {
        organization_name: organizationName,
        link,
        hours: ORGANIZATION_READY_LIFETIME_MS / 3_600_000,
      },
    }),
  });
}

/** The token of a link to store, and the URL with the token. */
export function makeLink(
  { config, random }: Pick<EmailDeps, "config" | "random">,
  { purpose, path }: LinkTarget,
  { userId, at, lifetimeMs }: { readonly userId: string; readonly at: Date; readonly lifetimeMs: number },
): { readonly token: NewMailedToken; readonly link: string } {
  const token = makeOpaqueToken(random);
  const expiresAt = new Date(at.getTime() + lifetimeMs);
  return {
    token: { purpose, userId, tokenHash: hashToken(token), at, expiresAt },
    link: `${config.urls.publicBaseUrl}${path}?token=${token}`,
  };
}

function issuer({ lifetimeMs, content, ...target }: MailedLink): IssueMailedLink {
  return (deps, { userId, ...email }) => {
    const made = makeLink(deps, target, { userId, at: email.at, lifetimeMs });
    return { ...made, mail: composeEmail(deps, { ...email, mail: content(made.link) }) };
  };
}
