import { rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import type { Admission } from "../../flows/steps/admission.ts";

/** Limits that count by the client's address (decisions, section 4). */
export type AddressLimit = "sign_in" | "register" | "integrations";

/** RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers), also on the refusal. */
type Headers = Record<string, string>;

/** Counts a request against its limit, over all replicas. Adds to `headers`. Refuses with `rate_limited`. */
export async function countRequest(
  deps: Pick<Deps, "config" | "state">,
  name: AddressLimit,
  network: string,
  headers: Headers,
): Promise<Result<void>> {
  const admission = admissionOf(deps, name, network, headers);
  if (!admission) return ok(undefined);
  const { key, windowMs } = admission.scope;
  return admission.counted(await deps.state.count(key, windowMs));
}

/** The limit of a request that its flow counts along with something else. Undefined while limits are off. */
export function admissionOf(
  { config }: Pick<Deps, "config">,
  name: AddressLimit,
  network: string,
  headers: Headers,
): Admission | undefined {
  if (!config.limits.enabled) return undefined;
  const { count: limit, seconds } = settingOf(config, name);
  const scope = { key: `service:limit:${name}:${network}`, limit, windowMs: seconds * 1000 };
  return {
    scope,
    counted({ count, resetMs }) {
      const resetSeconds = Math.max(1, Math.ceil(resetMs / 1000));
      headers["ratelimit-policy"] = `"${name}";q=${limit};w=${seconds}`;
      headers.ratelimit = `"${name}";r=${Math.max(0, limit - count)};t=${resetSeconds}`;
      return count <= limit ? ok(undefined) : err(rateLimited(resetSeconds, `limit ${name}`));
    },
  };
}

function settingOf({ limits }: Deps["config"], name: AddressLimit): Deps["config"]["limits"]["signIn"] {
  const settings = { sign_in: limits.signIn, register: limits.register, integrations: limits.integrations };
  return settings[name];
}
