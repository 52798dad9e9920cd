/** Proofs of possession at an API (RFC 9449, sections 4.3 and 7). */
import { base64url, compactVerify } from "jose";
import { encodedHeader } from "./compact.ts";
import { proofKeys } from "./proof-key.ts";
import { proofNonces } from "./proof-nonces.ts";
import { proofReplays } from "./proof-replays.ts";
import { coversContent } from "./proven-content.ts";
import type { RefusalCode } from "./refusal.ts";

/** The request beside an access token, for the proof of possession. */
export interface ProvenRequest {
  readonly method: string;
  /** Path or address; only the path counts, without query and fragment. */
  readonly url: string;
  /** The header `DPoP`. */
  readonly proof?: string | null | undefined;
  /** The content of the request, read only for `contentDigest`. Undefined: unknown. */
  readonly content?: (() => Promise<string | Uint8Array | undefined>) | undefined;
}

export interface ProofOptions {
  /**
   * Where clients reach this API, such as `https://api.example.com` or `https://example.com/api`: the beginning of
   * `htu`. The header `Host` never counts. Default: the origin of `resource`.
   */
  readonly publicUrl?: string;
  /** `required`: a proof without a nonce of this API is refused, and the refusal has the nonce. Default: `accepted`. */
  readonly nonce?: "accepted" | "required";
  /** At least 32 random bytes for nonces, equal in all processes of the API. Default: random, for one process. */
  readonly nonceSecret?: Uint8Array;
  /** The longest difference between `iat` and the clock of this API (s). Default 60. */
  readonly maxAgeSeconds?: number;
  /**
   * `required`: a proof for a request with content needs the digest of the content (`content_digest`, SEP-1932 of MCP
   * in the draft of 2025). Default: the claim is not evaluated.
   */
  readonly contentDigest?: "ignored" | "required";
  /** Maximum number of used proofs in memory; beyond the maximum a proof is refused with a 503. Default 500,000. */
  readonly maxProofs?: number;
  /**
   * Records the use of a proof for all processes of the API, for example `SET … NX` in Redis; resolves to false for a
   * proof that was used before. Default: this process alone knows the used proofs.
   */
  readonly recordUse?: (id: string, ttlSeconds: number) => Promise<boolean>;
}

type ProofRefusal = Extract<RefusalCode, "invalid_dpop_proof" | "use_dpop_nonce" | "invalid_token" | "cannot_tell">;

/** The bound access token. */
export interface BoundToken {
  /** SHA-256 of the token, base64url. */
  readonly hash: string;
  /** The thumbprint of the key to which the token is bound. */
  readonly thumbprint: string;
}

export interface ProofVerifier {
  /** Undefined where the proof is valid. The use of a valid proof is recorded. */
  refusalOf(request: ProvenRequest, token: BoundToken): Promise<ProofRefusal | undefined>;
  /** The nonce for the next proof. */
  nonce(): Promise<string>;
}

const MAX_AGE_SECONDS = 60;
const MAX_PROOFS = 500_000;
const MAX_KEYS = 10_000;
const JTI_MAX_CHARACTERS = 256;

const decoder = new TextDecoder("utf-8", { fatal: true });

export function proofVerifier(resource: string, options: ProofOptions): ProofVerifier {
  const maxAgeSeconds = options.maxAgeSeconds ?? MAX_AGE_SECONDS;
  const base = options.publicUrl?.replace(/\/$/, "") ?? new URL(resource).origin;
  const keys = proofKeys(MAX_KEYS);
  const nonces = proofNonces(options.nonceSecret ?? crypto.getRandomValues(new Uint8Array(32)), () => Date.now());
  const replays = proofReplays(options.maxProofs ?? MAX_PROOFS, () => Date.now());

  async function claimsOf(proof: string) {
    const header = encodedHeader(proof);
    if (header === undefined) return undefined;
    const found = await keys.find(header);
    if (found === undefined) return undefined;
    try {
      const { payload } = await compactVerify(proof, found.key, { algorithms: [found.algorithm] });
      keys.remember(header, found);
      return { claims: JSON.parse(decoder.decode(payload)) as ProofClaims, thumbprint: found.thumbprint };
    } catch {
      return undefined;
    }
  }

  /** When the proof is too old (Unix ms), or the refusal. */
  async function expiryOf({ iat, exp, nbf, nonce }: ProofClaims): Promise<number | ProofRefusal> {
    const now = Date.now() / 1000;
    if (typeof iat !== "number" || !Number.isFinite(iat)) return "invalid_dpop_proof";
    if (exp !== undefined && !(Number(exp) > now)) return "invalid_dpop_proof";
    if (nbf !== undefined && !(Number(nbf) <= now + maxAgeSeconds)) return "invalid_dpop_proof";
    // With a nonce, the age of the nonce counts in place of `iat`: the clock of the client may be wrong.
    if (nonce !== undefined) return (typeof nonce === "string" && (await nonces.expiryOf(nonce))) || "use_dpop_nonce";
    if (options.nonce === "required" || Math.abs(now - iat) > maxAgeSeconds) return "use_dpop_nonce";
    return (iat + maxAgeSeconds) * 1000;
  }

  async function useRefusal(pair: string, expiresAtMs: number): Promise<ProofRefusal | undefined> {
    const recorded = replays.record(pair, expiresAtMs);
    if (recorded === "full") return "cannot_tell";
    if (recorded === "replayed") return "invalid_dpop_proof";
    if (options.recordUse === undefined) return undefined;
    try {
      const ttlSeconds = Math.ceil(Math.max(expiresAtMs - Date.now(), 0) / 1000) + 1;
      return (await options.recordUse(await sha256(pair), ttlSeconds)) ? undefined : "invalid_dpop_proof";
    } catch {
      return "cannot_tell";
    }
  }

  return {
    nonce: () => nonces.current(),
    async refusalOf({ method, url, proof, content }, token) {
      const verified = proof ? await claimsOf(proof) : undefined;
      if (verified === undefined) return "invalid_dpop_proof";
      const { claims, thumbprint } = verified;
      const { jti, htm, htu, ath } = claims;
      if (typeof jti !== "string" || jti === "" || jti.length > JTI_MAX_CHARACTERS) return "invalid_dpop_proof";
      if (htm !== method || typeof htu !== "string" || !isSameUrl(htu, base + pathOf(url))) return "invalid_dpop_proof";
      if (ath !== token.hash) return "invalid_dpop_proof";
      // A proof of another key than the key of the token: the token is stolen (RFC 9449, section 7.1).
      if (thumbprint !== token.thumbprint) return "invalid_token";
      const expiry = await expiryOf(claims);
      if (typeof expiry === "string") return expiry;
      const needsDigest = options.contentDigest === "required";
      if (needsDigest && !(await coversContent(claims.content_digest, await content?.()))) return "invalid_dpop_proof";
      return await useRefusal(`${thumbprint} ${jti}`, expiry);
    },
  };
}

interface ProofClaims {
  readonly jti?: unknown;
  readonly htm?: unknown;
  readonly htu?: unknown;
  readonly ath?: unknown;
  readonly iat?: unknown;
  readonly exp?: unknown;
  readonly nbf?: unknown;
  readonly nonce?: unknown;
  readonly content_digest?: unknown;
}

/** The path of a request target (`/notes?page=2`) or of an address. */
function pathOf(url: string): string {
  if (url.startsWith("/")) return url.split(/[?#]/, 1)[0] ?? "";
  return URL.canParse(url) ? new URL(url).pathname : "";
}

/** Query and fragment do not count; scheme and host count in any case (RFC 9449, section 4.3). */
function isSameUrl(presented: string, expected: string): boolean {
  if (presented === expected) return true;
  if (!URL.canParse(presented)) return false;
  const [{ origin, pathname, username, password }, known] = [new URL(presented), new URL(expected)];
  return username === "" && password === "" && origin === known.origin && pathname === known.pathname;
}

/** SHA-256 of a text in base64url: `ath`. */
export async function sha256(text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}
