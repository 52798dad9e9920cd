/** `createResourceVerifier`: verifies OAuth access tokens for one API or MCP server, and refuses revoked tokens. */
import { challengeOf, type Scheme } from "./challenge.ts";
import { DEFAULT_FEED, type FeedOptions, feed } from "./feed.ts";
import type { Fetch, Service } from "./http.ts";
import { keys } from "./keys.ts";
import { type ProofOptions, type ProofVerifier, type ProvenRequest, proofVerifier } from "./proof.ts";
import { type Refusal, type RefusalCode, refusal } from "./refusal.ts";
import { metadataUrl } from "./resource-metadata.ts";
import type { ResourceRequirements } from "./resource-requirements.ts";
import { ACR_VALUES, type Acr, RESOURCE_ALGORITHMS, type ResourceClaims } from "./resource-token.ts";
import { type CachedToken, resourceTokens } from "./resource-tokens.ts";

export interface ResourceVerifierOptions extends ResourceRequirements {
  /** `SERVICE_PUBLIC_BASE_URL` of the service, exactly: the `iss` of the tokens. */
  readonly issuer: string;
  /** The registered identifier of this API, exactly: the `aud` of the tokens. */
  readonly resource: string;
  /** A valid token while the revocation feed is unavailable: 503 (`deny`), or accepted until it expires (`allow`). */
  readonly whenBlind: "deny" | "allow";
  /** Tokens that are bound to a key (RFC 9449). Default: bound tokens are accepted with their proof. */
  readonly dpop?: ResourceDpop;
  /** Where to reach the service, if not at the issuer. */
  readonly baseUrl?: string | undefined;
  readonly fetch?: Fetch;
  /** Maximum number of cached verified tokens. Default 10,000. */
  readonly maxTokens?: number;
}

export interface ResourceDpop extends ProofOptions {
  /** Refuses tokens that are bound to no key. */
  readonly required?: boolean;
}

export type ResourceVerification =
  | { readonly ok: true; readonly claims: ResourceClaims }
  | { readonly ok: false; readonly refusal: Refusal };

export interface ResourceVerifier {
  /**
   * Costs no network call while the feed is available and the key is cached. A token that is bound to a key is refused:
   * only `verifyHeader` receives the proof.
   */
  verify(token: string | null | undefined, requirements?: ResourceRequirements): Promise<ResourceVerification>;
  /**
   * Verifies the header `Authorization: Bearer <token>` or `DPoP <token>`; `request` is needed for a bound token. The
   * adapters pass the request.
   */
  verifyHeader(
    header: string | null | undefined,
    requirements?: ResourceRequirements,
    request?: ProvenRequest,
  ): Promise<ResourceVerification>;
  /** Whether the feed is available now, for a readiness check. Starts to follow the feed. */
  ready(): Promise<boolean>;
  /** Stops following the feed. */
  close(): void;
}

/** A token as presented in `Authorization`. */
interface Presented {
  readonly token: string;
  readonly scheme: Scheme;
  readonly request: ProvenRequest | undefined;
}

const MAX_TOKENS = 10_000;
/** RFC 9110, section 11.1: the scheme in any case. */
const AUTHORIZATION = /^(?:bearer|(dpop)) +([^\s]+) *$/i;
/** Any other scheme counts as a missing token. */
const SCHEME = /^(?:bearer|(dpop))(?: |$)/i;

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
  const tokens = resourceTokens({ keys: keyRing, issuer, resource }, options.maxTokens ?? MAX_TOKENS, now);
  const metadata = metadataUrl(resource);
  const proofs = proofVerifier(resource, options.dpop ?? {});
  const requiresProof = options.dpop?.required === true;

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

  async function refused(
    code: RefusalCode,
    required: ResourceRequirements,
    scheme: Scheme = requiresProof ? "DPoP" : "Bearer",
  ): Promise<ResourceVerification> {
    const nonce = code === "use_dpop_nonce" || code === "invalid_dpop_proof" ? { nonce: await proofs.nonce() } : {};
    return { ok: false, refusal: { ...refusal(code), ...challengeOf(scheme, code, required, metadata), ...nonce } };
  }

  async function verifyPresented(presented: Presented, required: ResourceRequirements): Promise<ResourceVerification> {
    const found = await tokens.find(presented.token);
    const scheme = presented.scheme === "DPoP" || requiresProof ? "DPoP" : "Bearer";
    if (typeof found === "string") return await refused(found, required, scheme);
    // The use of the proof is recorded only for a live token.
    const code =
      (await refusalOfRevocation(found.claims.sid)) ??
      (await refusalOfBinding(found, presented, requiresProof, proofs)) ??
      unmet(found.claims, required);
    if (code === undefined) return { ok: true, claims: found.claims };
    return await refused(code, required, found.claims.cnf === undefined ? scheme : "DPoP");
  }

  return {
    async verify(token, requirements = {}) {
      const required = combined(options, requirements);
      if (!token) return await refused("missing_token", required);
      return await verifyPresented({ token, scheme: "Bearer", request: undefined }, required);
    },
    async verifyHeader(header, requirements = {}, request) {
      const required = combined(options, requirements);
      const known = header ? SCHEME.exec(header) : undefined;
      if (!known) return await refused("missing_token", required);
      const scheme = known[1] === undefined ? "Bearer" : "DPoP";
      const token = AUTHORIZATION.exec(header ?? "")?.[2];
      if (token === undefined) return await refused("invalid_token", required, scheme);
      return await verifyPresented({ token, scheme, request }, required);
    },
    async ready() {
      await revocations.refresh();
      return revocations.stateOf("") === "live";
    },
    close: () => revocations.close(),
  };
}

/** The requirements of the verifier and of the operation, together. */
function combined(common: ResourceRequirements, requirements: ResourceRequirements): ResourceRequirements {
  const acr = strongest(common.acr, requirements.acr);
  const ages = [common.maxAge, requirements.maxAge].filter((age) => age !== undefined);
  return {
    scopes: [...new Set([...(common.scopes ?? []), ...(requirements.scopes ?? [])])],
    ...(acr === undefined ? {} : { acr }),
    ...(ages.length === 0 ? {} : { maxAge: Math.min(...ages) }),
  };
}

/** A bound token without its proof of possession is a stolen token (RFC 9449, section 7.1). */
async function refusalOfBinding(
  { claims, hash }: CachedToken,
  { scheme, request }: Presented,
  requiresProof: boolean,
  proofs: ProofVerifier,
): Promise<RefusalCode | undefined> {
  if (claims.cnf === undefined || hash === undefined)
    return scheme === "DPoP" || requiresProof || request?.proof ? "invalid_token" : undefined;
  if (scheme === "Bearer") return "invalid_token";
  if (!request?.proof) return "invalid_dpop_proof";
  return await proofs.refusalOf(request, { hash, thumbprint: claims.cnf.jkt });
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
