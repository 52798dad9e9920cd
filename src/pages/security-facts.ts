import { clampPage } from "../base/listing.ts";
import type { Deps } from "../deps.ts";
import { readMfaStatus } from "../flows/mfa/status.ts";
import { listOwnPasskeys } from "../flows/passkeys/list.ts";
import { listSessions } from "../flows/sessions/list.ts";
import { listOwnIdentities } from "../flows/social-sign-in/list.ts";
import { listOwnTrustedBrowsers } from "../flows/trusted-browsers/list.ts";
import { type PersonCall, pageNumber } from "./page.ts";

export const SECURITY = "/account/security";

/** Everything that the page shows, in as many queries as there are lists. */
export async function securityFacts(
  deps: Pick<Deps, "database" | "reads" | "clock">,
  { caller: { session: caller }, query }: PersonCall,
) {
  const page = clampPage(pageNumber(query), 10);
  const all = clampPage(1, 50);
  const [mfa, passkeys, browsers, sessions, identities] = await Promise.all([
    readMfaStatus(deps, caller.userId),
    listOwnPasskeys(deps, { caller, page: all }),
    listOwnTrustedBrowsers(deps, { caller, trustToken: undefined, page: all }),
    listSessions(deps, { caller, page }),
    listOwnIdentities(deps, caller),
  ]);
  return { mfa, passkeys, browsers, sessions, identities };
}

export type SecurityFacts = Awaited<ReturnType<typeof securityFacts>>;
