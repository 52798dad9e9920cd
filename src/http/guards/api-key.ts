import ipaddr from "ipaddr.js";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { identifyKey, type KeyMisses } from "../../flows/steps/authorization/identify-key.ts";
import { lacksScope } from "../../flows/steps/authorization/key-scope.ts";
import { hasScope, type KeyScope, type KeyView } from "../../models/service-account/api-key.ts";

/** A program with an API key. No cookie authenticates one, so there is no CSRF. */
export interface KeyCaller {
  readonly key: KeyView;
  readonly via: "key";
}

/** The scope that an endpoint asks of a key; `any` for one that every key may reach. */
export type RequiredScope = KeyScope | "any";

/** Said of every token that looks like a key, so that it is not told whether it is one. */
export const PEOPLE_ONLY = refusal("forbidden", "API keys are not accepted here: this is for people.");
const WRONG_ADDRESS = refusal("forbidden", "This API key is not accepted from this address.");
const WRONG_REFERRER = refusal("forbidden", "This API key is not accepted from this site.");

/** Authenticates a key. Refuses with `authentication_required`, `rate_limited`. */
export async function findKey(
  deps: Parameters<typeof identifyKey>[0],
  token: string,
  misses: KeyMisses,
): Promise<Result<KeyCaller, Refusal<"authentication_required" | "rate_limited">>> {
  const found = await identifyKey(deps, token, misses);
  return found.ok ? ok({ key: found.value, via: "key" }) : found;
}

/** Holds a key to what it was made for: addresses, referrers, scope. Refuses with `forbidden`. */
export function checkKeyUse(
  deps: Pick<Deps, "keyUsage">,
  { key }: KeyCaller,
  request: Request,
  address: () => string | null,
  scope: RequiredScope | undefined,
): Result<void, Refusal<"forbidden">> {
  if (!addressAllowed(key, address)) return err(WRONG_ADDRESS);
  if (!referrerAllowed(key, request)) return err(WRONG_REFERRER);
  if (scope === undefined) return err(PEOPLE_ONLY);
  if (scope !== "any" && !hasScope(key, scope)) return err(lacksScope(scope));
  // Only now: what was refused was no use of it.
  deps.keyUsage.record(key.id);
  return ok(undefined);
}

/** The ranges were validated when the key was made. */
function addressAllowed({ allowedIps }: KeyView, address: () => string | null): boolean {
  if (allowedIps.length === 0) return true;
  const client = address();
  if (client === null) return false;
  const parsed = ipaddr.process(client);
  return allowedIps.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === parsed.kind() && parsed.match(network, bits);
  });
}

/** Only browsers send these headers truthfully: a bound on a key that a page holds, and no secret. */
function referrerAllowed({ allowedReferrers }: KeyView, { headers }: Request): boolean {
  if (allowedReferrers.length === 0) return true;
  const given = headers.get("origin") ?? headers.get("referer") ?? "";
  return URL.canParse(given) && allowedReferrers.includes(new URL(given).origin);
}
