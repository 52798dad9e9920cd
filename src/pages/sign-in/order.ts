/** The order of the ways in a step of the sign-in page (`SERVICE_SIGN_IN_METHODS`). */

import type { SignInMethods } from "../../flows/sign-in-methods/list.ts";
import { SIGN_IN_METHODS, type SignInMethod } from "../../vocabulary/sign-in-method.ts";

/** A way, or consecutive providers, which share one part of the page. */
export type Way = "password" | "email_code" | "passkey" | readonly string[];

/** The ways of the second step: the configured ways, then the remaining ways, as far as the deployment offers them. */
export function orderedWays(configured: readonly SignInMethod[], { credentials, providers }: SignInMethods): Way[] {
  const offered: readonly string[] = [...credentials, ...providers];
  const ways: Way[] = [];
  for (const method of new Set([...configured, ...SIGN_IN_METHODS, ...providers])) {
    if (!offered.includes(method)) continue;
    const last = ways.at(-1);
    if (method === "password" || method === "email_code" || method === "passkey") ways.push(method);
    else if (typeof last === "object") ways.splice(-1, 1, [...last, method]);
    else ways.push([method]);
  }
  return ways;
}

/**
 * The ways of the first step: the address field, for password and code, is one way. Without a configured order the
 * providers precede the address.
 */
export function firstWays(configured: readonly SignInMethod[], methods: SignInMethods): Exclude<Way, "email_code">[] {
  const isProvider = (way: Way) => typeof way === "object";
  const ways = orderedWays(configured, methods);
  const ordered =
    configured.length > 0 ? ways : [...ways.filter(isProvider), ...ways.filter((way) => !isProvider(way))];
  const merged = ordered.map((way) => (way === "email_code" ? "password" : way));
  return merged.filter((way, index) => merged.indexOf(way) === index);
}
