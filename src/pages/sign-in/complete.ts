/** The next page after every first factor: the account, or the challenge. `cookies`: the memory of the browser. */
import type { SignInOutcome } from "../../flows/steps/sign-in/complete-first-factor.ts";
import type { SignInResult } from "../../flows/steps/sign-in/complete-sign-in.ts";
import { clearedMfaCookie, mfaCookie } from "../../http/cookies.ts";
import type { Reply } from "../../http/reply.ts";
import { freshCookies } from "../../http/signed-in.ts";
import { clearedCodeCookie } from "../cookies.ts";
import { seeOther } from "../page.ts";
import type { SiteDeps } from "../view.tsx";

export const CHALLENGE = "/sign-in/challenge";

export function afterFirstFactor(
  deps: SiteDeps,
  outcome: SignInOutcome,
  returnTo: string,
  cookies: readonly string[],
): Reply {
  if (outcome.status === "success") return signedInTo(deps, outcome.signedIn, returnTo, cookies);
  return seeOther(CHALLENGE, [mfaCookie(deps.config, outcome.mfaToken, returnTo), ...cookies]);
}

export function signedInTo(
  deps: SiteDeps,
  { session, tokens }: SignInResult,
  location: string,
  cookies: readonly string[] = [],
): Reply {
  const cleared = [clearedMfaCookie(deps.config), clearedCodeCookie(deps.config)];
  return seeOther(location, [...freshCookies(deps, session.id, tokens), ...cleared, ...cookies]);
}
