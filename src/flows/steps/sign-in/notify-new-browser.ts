import { makeOpaqueToken } from "../../../base/opaque-token.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { hashToken } from "../../../base/token-hash.ts";
import type { SignInDeps } from "../../../deps.ts";
import { SIGN_IN_NOTICE_LIFETIME_MS } from "../../../limits/session-limits.ts";
import { insertEmail } from "../../../models/email/email.ts";
import { insertSignInNotice } from "../../../models/session/sign-in-notice.ts";
import type { Recipient } from "../../../models/user/user.ts";
import { locationText } from "../../../vocabulary/location.ts";
import { composeEmail, noticeDetails } from "../email/compose-email.ts";
import type { SignInParts } from "./sign-in-conditions.ts";

interface NewBrowserSignIn {
  /** The organization of the session. */
  readonly organizationId: string;
  readonly client: RequestContext;
  readonly at: Date;
}

/**
 * Returns the parts of a sign-in statement that notify the user of a new browser, with the link "This was not me"
 * (docs/contract.md, section 12.15). Applies to every sign-in method.
 */
export function notifyNewBrowser(
  deps: SignInDeps,
  user: Recipient & { readonly userId: string },
  { organizationId, client, at }: NewBrowserSignIn,
): SignInParts["newBrowser"] {
  const token = makeOpaqueToken(deps.random);
  const notice = {
    userId: user.userId,
    userAgent: client.userAgent,
    tokenHash: hashToken(token),
    signedInAt: at,
    expiresAt: new Date(at.getTime() + SIGN_IN_NOTICE_LIFETIME_MS),
  };
  const values = {
    ...noticeDetails(client, at),
    location: locationText(deps.geolocation.locate(client.ipAddress)) ?? null,
    not_me_link: `${deps.config.urls.publicBaseUrl}/sign-in/not-me?token=${token}`,
    hours: SIGN_IN_NOTICE_LIFETIME_MS / 3_600_000,
  };
  const tenants = { organizationId };
  const mail = composeEmail(deps, { to: user, mail: { kind: "new_browser", values }, tenants, client, at });
  return {
    record: (sql, account) => insertSignInNotice(sql, notice, account),
    notice: (sql, recorded) => insertEmail(sql, mail, sql`from ${recorded}`),
  };
}
