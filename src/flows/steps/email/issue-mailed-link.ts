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

/** Issues a link for a user: the token to store and the e-mail. */
export type IssueMailedLink = (
  deps: EmailDeps,
  link: LinkToIssue,
) => {
  readonly token: NewMailedToken;
  readonly mail: SealedEmail;
  /** The URL in the e-mail. */
  readonly link: string;
};

interface MailedLink {
  readonly purpose: NewMailedToken["purpose"];
  readonly path: string;
  readonly lifetimeMs: number;
  readonly content: (link: string) => EmailContent;
}

/** A link that verifies an address (docs/contract.md, section 12.1). */
export const issueVerification = issuer({
  purpose: "email_verification",
  path: "/verify-email",
  lifetimeMs: EMAIL_VERIFICATION_LIFETIME_MS,
  content: (link) => ({
    kind: "email_verification",
    values: { link, hours: EMAIL_VERIFICATION_LIFETIME_MS / 3_600_000 },
  }),
});

/** A link for a new password (docs/contract.md, section 12.3). */
export const issuePasswordReset = issuer({
  purpose: "password_reset",
  path: "/reset-password",
  lifetimeMs: PASSWORD_RESET_LIFETIME_MS,
  content: (link) => ({ kind: "password_reset", values: { link, minutes: PASSWORD_RESET_LIFETIME_MS / 60_000 } }),
});

/** A link for the first password of an owner (docs/contract.md, section 36.3). `organizationName`: by `inertName`. */
export function issueOrganizationReady(organizationName: string): IssueMailedLink {
  return issuer({
    purpose: "password_reset",
    path: "/reset-password",
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

function issuer({ purpose, path, lifetimeMs, content }: MailedLink): IssueMailedLink {
  return (deps, { userId, ...email }) => {
    const { at } = email;
    const token = makeOpaqueToken(deps.random);
    const link = `${deps.config.urls.publicBaseUrl}${path}?token=${token}`;
    const expiresAt = new Date(at.getTime() + lifetimeMs);
    return {
      token: { purpose, userId, tokenHash: hashToken(token), at, expiresAt },
      mail: composeEmail(deps, { ...email, mail: content(link) }),
      link,
    };
  };
}
