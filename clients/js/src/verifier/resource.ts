/** `createResourceVerifier`: verifies OAuth access tokens for one API or MCP server, and refuses revoked tokens. */
import { BoundedMap } from "./bounded-map.ts";
import { DEFAULT_FEED, type FeedOptions, feed } from "./feed.ts";
import type { Fetch, Service } from "./http.ts";
import { keys } from "./keys.ts";
import { type Refusal, type RefusalCode, refusal } from "./refusal.ts";
import { metadataUrl } from "./resource-metadata.ts";
import {
  ACR_VALUES,
  type Acr,
  RESOURCE_ALGORITHMS,
  type ResourceClaims,
  type VerifiedResourceToken,
  verifyResourceToken,
} from "./resource-token.ts";

export interface ResourceRequirements {
  /** All scopes of the operation: a refusal names all in one challenge. */
  readonly scopes?: readonly string[];
  /** The least assurance of the sign-in; `phr` only where the API is registered with `min_acr: phr`. */
  readonly acr?: Acr;
  /** The longest time since the sign-in (s). */
  readonly maxAge?: number;
}

export interface ResourceVerifierOptions extends ResourceRequirements {
  /** `SERVICE_PUBLIC_BASE_URL` of the service, exactly: the `iss` of the tokens. */
  readonly issuer: string;
  /** The registered identifier of this API, exactly: the `aud` of the tokens. */
  readonly resource: string;
  /** A valid token while the revocation feed is unavailable: 503 (`deny`), or accepted until it expires (`allow`). */
  readonly whenBlind: "deny" | "allow";
  /** Where to reach the service, if not at the issuer. */
  readonly baseUrl?: string | undefined;
  readonly fetch?: Fetch;
  /** Maximum number of cached verified tokens. Default 10,000. */
  readonly maxTokens?: number;
}

export type ResourceVerification =
  | { readonly ok: true; readonly claims: ResourceClaims }
  | { readonly ok: false; readonly refusal: Refusal };

export interface ResourceVerifier {
  /** Costs no network call while the feed is available and the key is cached. */
  verify(token: string | null | undefined, requirements?: ResourceRequirements): Promise<ResourceVerification>;
  /** Verifies the header `Authorization: Bearer <token>`. A token that is bound to a key is refused. */
  verifyHeader(header: string | null | undefined, requirements?: ResourceRequirements): Promise<ResourceVerification>;
  /** Whether the feed is available now, for a readiness check. Starts to follow the feed. */
  ready(): Promise<boolean>;
  /** Stops following the feed. */
  close(): void;
}

interface CachedToken extends VerifiedResourceToken {
  /** Monotonic milliseconds. */
  readonly expiresAt: number;
}

const MAX_TOKENS = 10_000;
const BEARER = /^bearer +([^\s]+) *$/i;
const BEARER_SCHEME = /^bearer(?: |$)/i;

/** Creates a verifier for one resource. Scopes and `acr` of the options hold for every request. */
export function createResourceVerifier(options: ResourceVerifierOptions): ResourceVerifier {
  const { issuer, resource, whenBlind } = options;
  const now = () => performance.now();
  const service: Service = {
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    baseUrl: (options.baseUrl ?? issuer).replace(/\/$/, ""),
    routePrefix: "",
  };
  const keyRing = keys(service, now, RESOURCE_ALGORITHMS);
  const feedOptions: FeedOptions = DEFAULT_FEED;
  const revocations = feed(service, feedOptions, now, () => Date.now());
  const verified = new BoundedMap<string, CachedToken>(options.maxTokens ?? MAX_TOKENS);
  const metadata = metadataUrl(resource);

  async function claimsOf(token: string): Promise<ResourceClaims | RefusalCode> {
    const known = verified.get(token);
    if (known) return await validateCached(known);
    const found = await verifyResourceToken(token, { keys: keyRing, issuer, resource, nowMs: Date.now() });
    if (typeof found === "string") return found;
    verified.set(token, { ...found, expiresAt: now() + found.claims.exp * 1000 - Date.now() });
    return found.claims;
  }

  /** The key may have been withdrawn since: a leaked key may have signed a forged token. */
  async function validateCached({ claims, kid, expiresAt }: CachedToken): Promise<ResourceClaims | RefusalCode> {
    if (claims.exp * 1000 <= Date.now() || expiresAt <= now()) return "expired_token";
    const key = await keyRing.find(kid);
    if (key === "unavailable") return "cannot_tell";
    return key === "unknown" ? "invalid_token" : claims;
  }

  /** Undefined where the token is live. */
  async function refusalOfRevocation(sid: string): Promise<RefusalCode | undefined> {
    let state = revocations.stateOf(sid);
    if (state === "unavailable") {
      await revocations.refresh();
      state = revocations.stateOf(sid);
    }
    if (state === "revoked") return "revoked_session";
    return state === "live" || whenBlind === "allow" ? undefined : "cannot_tell";
  }

  /** The requirements of the verifier and of the operation, together. */
  function combined(requirements: ResourceRequirements): ResourceRequirements {
    const acr = strongest(options.acr, requirements.acr);
    const ages = [options.maxAge, requirements.maxAge].filter((age) => age !== undefined);
    return {
      scopes: [...new Set([...(options.scopes ?? []), ...(requirements.scopes ?? [])])],
      ...(acr === undefined ? {} : { acr }),
      ...(ages.length === 0 ? {} : { maxAge: Math.min(...ages) }),
    };
  }

  function refused(code: RefusalCode, required: ResourceRequirements): ResourceVerification {
    return { ok: false, refusal: { ...refusal(code), ...challengeOf(code, required, metadata) } };
  }

  async function verify(
    token: string | null | undefined,
    requirements: ResourceRequirements = {},
  ): Promise<ResourceVerification> {
    const required = combined(requirements);
    if (!token) return refused("missing_token", required);
    const claims = await claimsOf(token);
    if (typeof claims === "string") return refused(claims, required);
    // A bound token without its proof of possession is a stolen token (RFC 9449, section 7.1).
    if (claims.cnf) return refused("invalid_token", required);
    const code = (await refusalOfRevocation(claims.sid)) ?? unmet(claims, required);
    return code === undefined ? { ok: true, claims } : refused(code, required);
  }

  return {
    verify,
    async verifyHeader(header, requirements = {}) {
      if (!header || !BEARER_SCHEME.test(header)) return refused("missing_token", combined(requirements));
      const token = BEARER.exec(header)?.[1];
      return token === undefined ? refused("invalid_token", combined(requirements)) : await verify(token, requirements);
    },
    async ready() {
      await revocations.refresh();
      return revocations.stateOf("") === "live";
    },
    close: () => revocations.close(),
  };
}

/** Authentication before scopes: a step-up gives a new token, which may have further scopes. */
function unmet(
  { acr = "aal1", auth_time: authTime, scope }: ResourceClaims,
  { scopes = [], acr: least, maxAge }: ResourceRequirements,
): RefusalCode | undefined {
  if (least !== undefined && rank(acr) < rank(least)) return "insufficient_authentication";
  if (maxAge !== undefined && !((authTime ?? 0) + maxAge >= Date.now() / 1000)) return "insufficient_authentication";
  const granted = new Set(scope.split(" "));
  return scopes.every((each) => granted.has(each)) ? undefined : "insufficient_scope";
}

function strongest(...values: readonly (Acr | undefined)[]): Acr | undefined {
  return ACR_VALUES.filter((acr) => values.includes(acr)).at(-1);
}

function rank(acr: string): number {
  return (ACR_VALUES as readonly string[]).indexOf(acr);
}

const ERRORS: Partial<Record<RefusalCode, string>> = {
  missing_token: "",
  invalid_token: "invalid_token",
  expired_token: "invalid_token",
  revoked_session: "invalid_token",
  insufficient_scope: "insufficient_scope",
  insufficient_authentication: "insufficient_user_authentication",
};

/** RFC 6750, section 3; RFC 9470, section 3; RFC 9728, section 5.1. A 503 has no challenge. */
function challengeOf(
  code: RefusalCode,
  { scopes = [], acr, maxAge }: ResourceRequirements,
  metadata: string,
): { readonly challenge?: string } {
  const error = ERRORS[code];
  if (error === undefined) return {};
  const needsSignIn = code === "insufficient_authentication";
  const parameters = [
    ...(error === "" ? [] : [`error="${error}"`]),
    ...(needsSignIn && acr !== undefined ? [`acr_values="${acr}"`] : []),
    ...(needsSignIn && maxAge !== undefined ? [`max_age="${maxAge}"`] : []),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(" ")}"`]),
    `resource_metadata="${metadata}"`,
  ];
  return { challenge: `Bearer ${parameters.join(", ")}` };
}
