/** `createVerifier`: verifies access tokens inside other people's APIs, and refuses revoked sessions. */
import { BoundedMap } from "./verifier/bounded-map.ts";
import { DEFAULT_FEED, type FeedOptions, feed } from "./verifier/feed.ts";
import type { Fetch, Service } from "./verifier/http.ts";
import { keys } from "./verifier/keys.ts";
import { type Refusal, type RefusalCode, refusal } from "./verifier/refusal.ts";
import { type Role, type SessionState, sessionCheck } from "./verifier/session-check.ts";
import { type Claims, type VerifiedToken, verifyToken } from "./verifier/token.ts";

export type { ProofOptions, ProvenRequest } from "./verifier/proof.ts";
export { type Refusal, type RefusalCode, type RefusalResponse, refusalResponse } from "./verifier/refusal.ts";
export {
  createResourceVerifier,
  type ResourceDpop,
  type ResourceVerification,
  type ResourceVerifier,
  type ResourceVerifierOptions,
} from "./verifier/resource.ts";
export type { ResourceRequirements } from "./verifier/resource-requirements.ts";
export type { Acr, Actor, ResourceClaims } from "./verifier/resource-token.ts";
export type { Claims, Role };

export interface VerifierOptions {
  /** `SERVICE_PUBLIC_BASE_URL` of the service, exactly: the `iss` of the tokens. */
  readonly issuer: string;
  /**
   * Handling of a valid token while the revocation feed is unavailable: refuse the token (`deny`, a 503), ask the
   * service about the session (`introspect`, a 503 if the service is unavailable too), or accept the token (`allow`: a
   * revoked session may then be served until the token expires).
   */
  readonly whenBlind: "deny" | "introspect" | "allow";
  /** Where to reach the service, if not at the issuer: an address inside of your network. */
  readonly baseUrl?: string | undefined;
  /** `SERVICE_ROUTE_PREFIX` of the service. Default `/v1`. */
  readonly routePrefix?: string;
  readonly fetch?: Fetch;
  /** Pause between two requests to the feed (ms). Default 250. */
  readonly pollMs?: number;
  /**
   * How long the last state of the feed counts (ms). Default 1,000, so that a revoked session is refused within 2 s.
   */
  readonly maxAgeMs?: number;
  /** Maximum number of cached verified tokens. Default 10,000. */
  readonly maxTokens?: number;
  /**
   * Maximum number of cached revoked sessions. Default 1,000,000; beyond the maximum the feed counts as unavailable.
   */
  readonly maxRevocations?: number;
}

export interface Requirements {
  /** `aal2`: the session must have presented a second factor. */
  readonly aal?: "aal1" | "aal2";
  /**
   * The least role in the organization of the token. Tokens carry no role: the verifier asks the service, at most once
   * a second per token. After the session moves to another organization, an earlier token is refused as expired.
   */
  readonly role?: Role;
  /**
   * A permission in the organization of the token, for example `invoices.approve` of a registered API. The service is
   * asked as for `role`: a change of roles counts within two seconds.
   */
  readonly permission?: string;
}

export type Verification =
  | { readonly ok: true; readonly claims: Claims }
  | { readonly ok: false; readonly refusal: Refusal };

interface CachedToken extends VerifiedToken {
  /** Monotonic milliseconds: a wall clock that steps back revives no token. */
  readonly expiresAt: number;
}

export interface Verifier {
  /**
   * Costs no network call while the feed is available, the token's key is cached, and neither a role nor a permission
   * is required.
   */
  verify(token: string | null | undefined, requirements?: Requirements): Promise<Verification>;
  /** Verifies the header `Authorization: Bearer <token>`. */
  verifyHeader(header: string | null | undefined, requirements?: Requirements): Promise<Verification>;
  /** Whether the feed is available now, for a readiness check. Starts to follow the feed. */
  ready(): Promise<boolean>;
  /** Stops following the feed. */
  close(): void;
}

const MAX_TOKENS = 10_000;
const RANK: Readonly<Record<Role, number>> = { member: 1, admin: 2, owner: 3 };
/** RFC 9110, section 11.1: the scheme in any case. */
const BEARER = /^bearer +([^\s]+) *$/i;
/** Any other scheme counts as a missing token; the response has no error code (RFC 6750, section 3.1). */
const BEARER_SCHEME = /^bearer(?: |$)/i;

/** Creates a verifier. A process needs a single verifier; the verifier sends no request before the first use. */
export function createVerifier(options: VerifierOptions): Verifier {
  const { issuer, whenBlind } = options;
  const now = () => performance.now();
  const service: Service = {
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    baseUrl: (options.baseUrl ?? issuer).replace(/\/$/, ""),
    routePrefix: (options.routePrefix ?? "/v1").replace(/\/$/, ""),
  };
  const keyRing = keys(service, now);
  const revocations = feed(service, feedOptions(options), now, () => Date.now());
  const sessions = sessionCheck(service, now);
  const verified = new BoundedMap<string, CachedToken>(options.maxTokens ?? MAX_TOKENS);

  async function claimsOf(token: string): Promise<Claims | RefusalCode> {
    const known = verified.get(token);
    if (known) return await validateCached(known);
    const found = await verifyToken(token, { keys: keyRing, issuer, nowMs: Date.now() });
    if (typeof found === "string") return found;
    verified.set(token, { ...found, expiresAt: now() + found.claims.exp * 1000 - Date.now() });
    return found.claims;
  }

  /** The key may have been withdrawn since: a leaked key may have signed a forged token. */
  async function validateCached({ claims, kid, expiresAt }: CachedToken): Promise<Claims | RefusalCode> {
    if (claims.exp * 1000 <= Date.now() || expiresAt <= now()) return "expired_token";
    const key = await keyRing.find(kid);
    if (key === "unavailable") return "cannot_tell";
    return key === "unknown" ? "invalid_token" : claims;
  }

  /** Undefined where the session is live. */
  async function refusalOfSession(claims: Claims, token: string): Promise<RefusalCode | undefined> {
    let state = revocations.stateOf(claims.sid);
    if (state === "unavailable") {
      await revocations.refresh();
      state = revocations.stateOf(claims.sid);
    }
    if (state === "revoked") return "revoked_session";
    if (state === "live" || whenBlind === "allow") return undefined;
    if (whenBlind === "deny") return "cannot_tell";
    const session = await sessions.find(token);
    if (session === "cannot_tell") return session;
    return refusalOfState(session);
  }

  async function refusalOfRequirements(claims: Claims, token: string, requirements: Requirements) {
    const { aal, role, permission } = requirements;
    if (claims.enrolment_only === true || (aal === "aal2" && claims.aal !== "aal2")) return "insufficient_aal";
    if (role === undefined && permission === undefined) return undefined;
    const session = await sessions.find(token);
    if (session === "cannot_tell") return session;
    const code = refusalOfState(session);
    if (code !== undefined || !session.live) return code;
    // The session has moved since to an organization with another role; a refreshed token has the new organization.
    if ((claims.org ?? session.organization) !== session.organization) return "expired_token";
    if (role !== undefined && !(session.role && RANK[session.role] >= RANK[role])) return "insufficient_role";
    return permission !== undefined && !session.permissions.has(permission) ? "insufficient_permission" : undefined;
  }

  async function verify(token: string | null | undefined, requirements: Requirements = {}): Promise<Verification> {
    if (!token) return refused("missing_token");
    const claims = await claimsOf(token);
    if (typeof claims === "string") return refused(claims);
    const code = (await refusalOfSession(claims, token)) ?? (await refusalOfRequirements(claims, token, requirements));
    return code === undefined ? { ok: true, claims } : refused(code);
  }

  return {
    verify,
    async verifyHeader(header, requirements) {
      if (!header || !BEARER_SCHEME.test(header)) return refused("missing_token");
      const token = BEARER.exec(header)?.[1];
      return token === undefined ? refused("invalid_token") : await verify(token, requirements);
    },
    async ready() {
      await revocations.refresh();
      return revocations.stateOf("") === "live";
    },
    close: () => revocations.close(),
  };
}

/** The refusal of a session by the response of the service. */
function refusalOfState(session: Exclude<SessionState, "cannot_tell">): RefusalCode | undefined {
  if (!session.live) return "revoked_session";
  return session.enrolmentOnly ? "insufficient_aal" : undefined;
}

function refused(code: RefusalCode): Verification {
  return { ok: false, refusal: refusal(code) };
}

function feedOptions({ pollMs, maxAgeMs, maxRevocations }: VerifierOptions): FeedOptions {
  return {
    pollMs: pollMs ?? DEFAULT_FEED.pollMs,
    maxAgeMs: maxAgeMs ?? DEFAULT_FEED.maxAgeMs,
    maxRevocations: maxRevocations ?? DEFAULT_FEED.maxRevocations,
  };
}
