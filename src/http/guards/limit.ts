import { type LimitState, type Refusal, rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { type Admission, admit } from "../../flows/steps/sign-in/admission.ts";

/** Limits by client address (docs/contract.md, section 20.2). */
export type AddressLimit =
  | "sign_in"
  | "register"
  | "integrations"
  | "oauth"
  | "oauth_registration"
  | "oauth_waiting"
  | "pages"
  | "public_reads";

/**
 * `caller` counts by user: the caller, or at refresh the user of the token. `program` counts by service account, `scim`
 * by the organization of an API key.
 */
export type RequestLimit = AddressLimit | "caller" | "program" | "scim";

/**
 * The limit that counts a request, over all replicas. The new state is appended to `counted`, the source of the
 * RateLimit headers of the response. Undefined while limits are off.
 */
export function admissionOf(
  { config, clock, exhaustedLimits }: Pick<Deps, "config" | "clock" | "exhaustedLimits">,
  name: RequestLimit,
  subject: () => string,
  counted: LimitState[],
): Admission | undefined {
  if (!config.limits.enabled) return undefined;
  const { count: limit, seconds: windowSeconds } = settingOf(config, name);
  const key = `service:limit:${name}:${subject()}`;
  return {
    scope: { key, limit, windowMs: windowSeconds * 1000 },
    counted({ count, resetMs }) {
      const resetSeconds = Math.max(1, Math.ceil(resetMs / 1000));
      const state = { name, limit, windowSeconds, remaining: Math.max(0, limit - count), resetSeconds };
      counted.push(state);
      if (count <= limit) return ok(undefined);
      exhaustedLimits.set(key, clock.monotonic() + resetMs);
      return err(rateLimited(`limit_${name}`, resetSeconds, `limit ${name}`, { limit: state }));
    },
  };
}

/**
 * Refuses a request with an exhausted limit, before the request costs a statement or a command. The window is fixed, so
 * the limit stays exhausted until the window ends.
 */
export function refuseExhausted(
  { clock, exhaustedLimits }: Pick<Deps, "clock" | "exhaustedLimits">,
  admission: Admission | undefined,
): Result<void, Refusal<"rate_limited">> {
  const resetMs = admission ? (exhaustedLimits.get(admission.scope.key) ?? 0) - clock.monotonic() : 0;
  return admission && resetMs > 0 ? admission.counted({ count: admission.scope.limit + 1, resetMs }) : ok(undefined);
}

/** Counts a request against a limit. An exhausted limit refuses without counting. */
export async function admitRequest(
  deps: Pick<Deps, "state" | "clock" | "exhaustedLimits">,
  admission: Admission | undefined,
): Promise<Result<void, Refusal<"rate_limited">>> {
  const open = refuseExhausted(deps, admission);
  return open.ok ? await admit(deps, admission) : open;
}

/** RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers): one item per limit. */
export function limitHeaders(limits: readonly LimitState[]): Record<string, string> {
  if (limits.length === 0) return {};
  const policies = limits.map(({ name, limit, windowSeconds }) => `"${name}";q=${limit};w=${windowSeconds}`);
  const states = limits.map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`);
  return { "ratelimit-policy": policies.join(", "), ratelimit: states.join(", ") };
}

/**
 * The limits in the headers of a response. For `rate_limited`: the limit that refused, or no limit if the bound does
 * not count requests in a window (wrong passwords, a full pool). In all remaining responses: all counted limits.
 */
export function describedLimits(refused: Refusal | undefined, counted: readonly LimitState[]): readonly LimitState[] {
  if (refused?.code !== "rate_limited") return counted;
  return refused.limit ? [refused.limit] : [];
}

function settingOf({ limits }: Deps["config"], name: RequestLimit): Deps["config"]["limits"]["signIn"] {
  const settings = {
    sign_in: limits.signIn,
    register: limits.register,
    integrations: limits.integrations,
    oauth: limits.oauth,
    oauth_registration: limits.oauthRegistration,
    oauth_waiting: limits.oauthWaiting,
    pages: limits.pages,
    public_reads: limits.publicReads,
    caller: limits.caller,
    program: limits.program,
    scim: limits.scim,
  };
  return settings[name];
}
