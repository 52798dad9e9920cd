/**
 * The address that a user typed on the sign-in page, for the identity provider of one connection: no URL of this
 * service contains the address, and the form of the page cannot lead to another origin (docs/contract.md, section
 * 29.21).
 */
import { open, seal } from "../../base/seal.ts";
import type { Deps } from "../../deps.ts";
import { type Cookies, SSO_HINT_COOKIE, ssoHintCookie } from "../cookies.ts";

type HintDeps = Pick<Deps, "config" | "random" | "sealing">;

/** Associated data: the address of another connection does not open. */
const identityOf = (connectionId: string) => `sso-login-hint:${connectionId}`;

export function loginHintCookie(deps: HintDeps, connectionId: string, email: string): string {
  const sealed = seal(deps.sealing, deps.random, identityOf(connectionId), Buffer.from(email));
  return ssoHintCookie(deps.config, sealed.toString("base64url"));
}

export function loginHintIn(
  { sealing }: Pick<HintDeps, "sealing">,
  cookies: Cookies,
  connectionId: string,
): string | undefined {
  const sealed = cookies[SSO_HINT_COOKIE];
  return sealed ? open(sealing, identityOf(connectionId), Buffer.from(sealed, "base64url"))?.toString() : undefined;
}
