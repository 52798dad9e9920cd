import type { BrandTenants } from "../../../base/brand-values.ts";
import { emailName, inertName, unprovenGreetingName } from "../../../base/display-name.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import type { Deps } from "../../../deps.ts";
import { NOTICE_ITEMS_MAX } from "../../../limits/control-limits.ts";
import {
  type EmailContent,
  type NoticeDetails,
  noticeTime,
  type SealedEmail,
  sealEmail,
} from "../../../models/email/email.ts";
import type { SessionView } from "../../../models/session/session.ts";
import { hashAddress } from "../../../models/user/email-address.ts";
import { findRecipient, type Recipient } from "../../../models/user/user.ts";
import { detectDevice } from "../../../vocabulary/device.ts";

export type ComposeDeps = Pick<Deps, "config" | "sealing" | "random" | "addressKey">;

export interface EmailToCompose {
  readonly to: Recipient;
  readonly mail: EmailContent;
  /** The tenants whose brand the email has; undefined: the brand of the deployment. */
  readonly tenants: BrandTenants | undefined;
  readonly client: RequestContext;
  readonly at: Date;
}

/** Kinds that a tenant sends to people of its choice, who are members of nothing. */
const TO_STRANGERS: ReadonlySet<EmailContent["kind"]> = new Set([
  "invitation",
  "sso_setup_link",
  "directory_joined",
  "join_denied",
  "member_added",
  "organization_ready",
]);

/** Seals an email in the language of the recipient, for `insertEmail` in the statement reported by the email. */
export function composeEmail(deps: ComposeDeps, { to, mail, tenants, client, at }: EmailToCompose): SealedEmail {
  const locale = to.locale ?? client.locale;
  const origin = {
    addressHash: hashAddress(deps.addressKey, to.email),
    network: client.network,
    isMailboxOwner: to.isMailboxOwner,
    limits: deps.config.limits,
  };
  const recipient = { to: to.email, name: greetingName(to), locale, timeZone: to.timeZone };
  const toStranger = !to.isMailboxOwner || TO_STRANGERS.has(mail.kind);
  const addressed = { ...recipient, mail, tenants, toStranger, cause: client.traceparent };
  return sealEmail(deps, addressed, origin, at);
}

function greetingName({ displayName, isMailboxOwner }: Recipient): string | null {
  if (displayName === null) return null;
  return (isMailboxOwner ? emailName(displayName) : unprovenGreetingName(displayName)) ?? null;
}

/**
 * Seals an email to the user of a session, in the brand of the session's organization. A further statement reads
 * address, name and language.
 */
export async function composeEmailTo(
  deps: ComposeDeps & Pick<Deps, "database">,
  { userId, organizationId }: Pick<SessionView, "userId" | "organizationId">,
  email: Pick<EmailToCompose, "mail" | "client" | "at">,
): Promise<SealedEmail> {
  const to = await deps.database.run("user.find_recipient", (sql) => findRecipient(sql, userId));
  if (!to) throw new Error("the user of a live session does not exist");
  return composeEmail(deps, { ...email, to, tenants: { organizationId } });
}

/** The common values of all notices. */
export function noticeDetails(client: RequestContext, at: Date): NoticeDetails {
  return {
    time: noticeTime(at),
    ip_address: client.ipAddress,
    ...detectDevice(client.userAgent),
  };
}

/** The values of a list of items in an email: at most `NOTICE_ITEMS_MAX` items, and the number of further items. */
export function noticeItems(items: readonly { readonly kind: string; readonly name: string | null }[]) {
  return {
    has_items: true,
    items: items.slice(0, NOTICE_ITEMS_MAX).map(({ kind, name }) => ({
      [`is_${kind}`]: true,
      name: name && inertName(name),
    })),
    more_items: Math.max(0, items.length - NOTICE_ITEMS_MAX),
  };
}
