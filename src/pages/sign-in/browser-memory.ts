/**
 * The year-long cookies of a browser for the next sign-in: the last method, the use of a passkey, and, with the consent
 * of the user, the address. The sign-in page depends on these cookies and on the typed address, never on an account
 * (docs/guarantees.md, G125).
 */

import { open, seal } from "../../base/seal.ts";
import type { Config } from "../../config/config.ts";
import { type Cookies, METHOD_COOKIE, methodCookie } from "../../http/cookies.ts";
import { keepForSignIn } from "../cookies.ts";
import type { SiteDeps } from "../view.tsx";

const ADDRESS_COOKIE = "service_address";
const PASSKEY_COOKIE = "service_passkey";
const MEMORY_SECONDS = 365 * 24 * 3600;
/** The associated data of the sealed address: a sealed value of another purpose does not open. */
const SEALED_ADDRESS = "remembered address";

export interface BrowserMemory {
  /** The remembered address. */
  readonly email: string | undefined;
  /** `password`, `email_code`, `passkey`, or the key of an identity provider. */
  readonly lastMethod: string | undefined;
  readonly hasUsedPasskey: boolean;
}

export function browserMemory(deps: Pick<SiteDeps, "sealing">, cookies: Cookies): BrowserMemory {
  return {
    email: openAddress(deps, cookies[ADDRESS_COOKIE] ?? ""),
    lastMethod: cookies[METHOD_COOKIE] || undefined,
    hasUsedPasskey: Boolean(cookies[PASSKEY_COOKIE]),
  };
}

/** The cookies after a sign-in by a method. */
export function usedMethod(config: Config, method: "password" | "email_code" | "passkey"): string[] {
  const used = methodCookie(config, method);
  if (method !== "passkey") return [used];
  return [used, keepForSignIn(config, { name: PASSKEY_COOKIE, value: "1", seconds: MEMORY_SECONDS })];
}

/** Sealed, so that a copy of the profile folder of the browser reveals no address. */
export function rememberedAddress({ config, sealing, random }: AddressDeps, email: string): string {
  const value = seal(sealing, random, SEALED_ADDRESS, Buffer.from(email)).toString("base64url");
  return keepForSignIn(config, { name: ADDRESS_COOKIE, value, seconds: MEMORY_SECONDS });
}

export function forgottenAddress(config: Config): string {
  return keepForSignIn(config, { name: ADDRESS_COOKIE, value: "", seconds: 0 });
}

type AddressDeps = Pick<SiteDeps, "config" | "sealing" | "random">;

function openAddress({ sealing }: Pick<SiteDeps, "sealing">, value: string): string | undefined {
  return open(sealing, SEALED_ADDRESS, Buffer.from(value, "base64url"))?.toString();
}
