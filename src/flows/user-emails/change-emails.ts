import { inertName } from "../../base/display-name.ts";
import type { SignInDeps } from "../../deps.ts";
import { EMAIL_CHANGE_LIFETIME_MS, EMAIL_UNDO_LIFETIME_MS } from "../../limits/user-email-limits.ts";
import type { SealedEmail } from "../../models/email/email.ts";
import type { Owner } from "../../models/user/user.ts";
import type { EmailChange } from "../../models/user-email/email-change.ts";
import type { AddressHolder } from "../../models/user-email/user-email.ts";
import { composeEmail, type EmailToCompose, noticeDetails } from "../steps/email/compose-email.ts";

type Kind = EmailChange["kind"];

/** An email about the addresses of a user. */
export interface AddressEmail extends Pick<EmailToCompose, "tenants" | "client" | "at"> {
  readonly owner: Owner;
}

/**
 * The email to the requested address: a link to a free address. The mailbox of a taken address is informed without the
 * name of the requesting account (docs/contract.md, section 12.14).
 */
export function composeToRequested(
  deps: SignInDeps,
  { owner, tenants, client, at }: AddressEmail,
  request: { readonly email: string; readonly kind: Kind; readonly token: string },
  holder: AddressHolder | undefined,
): SealedEmail {
  const { publicBaseUrl } = deps.config.urls;
  if (holder) {
    const to = { email: request.email, displayName: null, ...holder };
    const mail = { kind: "email_in_use", values: { link: `${publicBaseUrl}/sign-in` } } as const;
    // The brand would name the organization of the requesting account.
    return composeEmail(deps, { to, mail, tenants: undefined, client, at });
  }
  const values = {
    link: `${publicBaseUrl}/change-email?token=${request.token}`,
    hours: EMAIL_CHANGE_LIFETIME_MS / 3_600_000,
    is_change: request.kind === "change",
    is_addition: request.kind === "add",
  };
  const to = { ...owner, email: request.email, isMailboxOwner: false };
  return composeEmail(deps, { to, mail: { kind: "email_change", values }, tenants, client, at });
}

/**
 * The notice to the primary address of before. `undoToken`: undefined for an address without a controlling proof, and
 * after a return to an earlier address. `hasEnded`: access of the former holder of the mailbox ended with the change.
 */
export function composeNotice(
  deps: SignInDeps,
  { owner, tenants, client, at }: AddressEmail,
  change: {
    readonly email: string;
    readonly kind: Kind;
    readonly undoToken: string | undefined;
    readonly hasEnded?: boolean;
  },
): SealedEmail {
  const { email, kind, undoToken, hasEnded = false } = change;
  const values = {
    ...noticeDetails(client, at),
    new_email: owner.isMailboxOwner ? inertName(email) : null,
    is_change: kind === "change",
    is_addition: kind === "add",
    is_switch: kind === "switch",
    undo_link: undoToken === undefined ? null : `${deps.config.urls.publicBaseUrl}/undo-email?token=${undoToken}`,
    no_undo: !owner.isMailboxOwner,
    undo_days: EMAIL_UNDO_LIFETIME_MS / (24 * 3_600_000),
    has_ended: hasEnded,
  };
  return composeEmail(deps, { to: owner, mail: { kind: "email_change_notice", values }, tenants, client, at });
}
