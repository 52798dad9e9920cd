import { clampPage } from "../../database/listing.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { readReview } from "../../flows/credential-review/read.ts";
import { readMfaStatus } from "../../flows/mfa/status.ts";
import { readBrowserSignals } from "../../flows/passkeys/browser-signals.ts";
import { listOwnPasskeys } from "../../flows/passkeys/list.ts";
import { listSessions } from "../../flows/sessions/list.ts";
import { listOwnIdentities } from "../../flows/social-sign-in/list.ts";
import { listSignInProviders } from "../../flows/social-sign-in/start.ts";
import { listLinkable } from "../../flows/sso/links/begin-link.ts";
import { listOwnTrustedBrowsers } from "../../flows/trusted-browsers/list.ts";
import { PASSKEYS_PER_USER_MAX, TRUSTED_BROWSERS_PER_USER_MAX } from "../../limits/credential-limits.ts";
import type { Passkey } from "../../models/passkey/passkey.ts";
import { type AuthenticatedCall, pageNumber } from "../page.ts";
import type { View } from "../view.tsx";
import { listCompanyAccounts } from "./company-account-actions.ts";

export const SECURITY = "/account/security";
export const REVIEW = "/account/security/review";
export const AUTHENTICATOR = "/account/security/authenticator";
const ALL_BROWSERS = clampPage(1, TRUSTED_BROWSERS_PER_USER_MAX);
export const ALL_PASSKEYS = clampPage(1, PASSKEYS_PER_USER_MAX);

/** The time is included: several passkeys of one day can have equal names. */
export function removePasskeyTitle({ t, dates }: View, { name, createdAt }: Passkey): string {
  return t.security.removePasskeyTitle({ name, added: dates.exact(createdAt) });
}

/** All data of the page, with one query per list. */
export async function securityViewModel(
  deps: StoreDeps & Pick<Deps, "geolocation" | "identityProviders" | "reads" | "ssoDirectory">,
  { caller: { session: caller }, query }: AuthenticatedCall,
) {
  const page = clampPage(pageNumber(query), 10);
  const [mfa, passkeys, signals, browsers, sessions, identities, companyAccounts, review] = await Promise.all([
    readMfaStatus(deps, caller.userId),
    listOwnPasskeys(deps, { caller, page: ALL_PASSKEYS }),
    readBrowserSignals(deps, caller),
    listOwnTrustedBrowsers(deps, { caller, trustToken: undefined, page: ALL_BROWSERS }),
    listSessions(deps, { caller, page }),
    listOwnIdentities(deps, caller),
    listCompanyAccounts(deps, caller),
    readReview(deps, caller.userId),
  ]);
  const linked = new Set(identities.map(({ provider }) => provider));
  const providers = listSignInProviders(deps).filter((provider) => !linked.has(provider));
  // A member with more power than a plain member may make a link by the domain the member's own.
  const isPlain = caller.role === "member" && caller.granted.length === 0;
  const settled = companyAccounts.filter(({ linkedBy }) => isPlain || linkedBy === "user");
  const linkable = listLinkable(deps, caller, new Set(settled.map(({ connectionId }) => connectionId)));
  const awaitsReview = review !== undefined && review.items.length > 0;
  return { awaitsReview, mfa, passkeys, signals, browsers, sessions, identities, companyAccounts, linkable, providers };
}

export type SecurityViewModel = Awaited<ReturnType<typeof securityViewModel>>;
