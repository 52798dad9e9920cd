import { rateLimited } from "../../base/problem.ts";
import { ok, type Result, refuse } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";

/** Limits that count by the client's address (decisions, section 4). */
export type AddressLimit = "sign_in" | "register";

export interface LimitState {
  /** RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers), also on the refusal. */
  readonly headers: Readonly<Record<string, string>>;
  readonly admitted: Result<void>;
}

const UNLIMITED: LimitState = { headers: {}, admitted: ok(undefined) };

/** Counts a request against its limit, over all replicas. Refuses with `rate_limited`. */
export async function countRequest(
  { config, state }: Pick<Deps, "config" | "state">,
  name: AddressLimit,
  network: string,
): Promise<LimitState> {
  if (!config.limits.enabled) return UNLIMITED;
  const limit = name === "sign_in" ? config.limits.signIn : config.limits.register;
  const { count, resetMs } = await state.count(`service:limit:${name}:{${network}}`, limit.seconds * 1000);
  const resetSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  const headers = {
    "ratelimit-policy": `"${name}";q=${limit.count};w=${limit.seconds}`,
    ratelimit: `"${name}";r=${Math.max(0, limit.count - count)};t=${resetSeconds}`,
  };
  if (count <= limit.count) return { headers, admitted: ok(undefined) };
  return { headers, admitted: refuse(rateLimited(resetSeconds, `limit ${name}`)) };
}
