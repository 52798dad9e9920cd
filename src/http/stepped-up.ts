import { rfc3339 } from "../base/clock.ts";
import type { StepUpResult } from "../flows/steps/sign-in/persist-step-up.ts";
import type { Cookies } from "./cookies.ts";
import type { Caller } from "./guards/caller.ts";
import { reply } from "./reply.ts";
import { SteppedUpBody } from "./schemas/mfa.ts";
import { type CookieDeps, freshAccessCookies } from "./signed-in.ts";

export const STEPPED_UP_RESPONSE = {
  description: "Stepped up; the session is aal2 from now on and gets new access and CSRF cookies",
  schema: SteppedUpBody,
  headers: ["Set-Cookie"],
} as const;

/** The response to a step-up by any factor (docs/contract.md, section 8.8). */
export function steppedUpReply(
  deps: CookieDeps,
  caller: Caller,
  { mfaVerifiedAt, stepUpExpiresAt, token }: StepUpResult,
  cookies: Cookies,
) {
  const body = {
    mfa_verified_at: rfc3339(mfaVerifiedAt),
    step_up_expires_at: rfc3339(stepUpExpiresAt),
    access_token: token.accessToken,
    expires_in: token.expiresInSeconds,
  };
  return reply(200, body, { cookies: freshAccessCookies(deps, caller, token.accessToken, cookies) });
}
