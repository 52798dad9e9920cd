/** Sender-constrained tokens (DPoP, RFC 9449; docs/contract.md, section 23.14). */
import { createHash } from "node:crypto";
import { unixSeconds } from "../../../base/clock.ts";
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import {
  DPOP_JTI_USED_MS,
  DPOP_PROOF_AGE_MAX_SECONDS,
  DPOP_REPLAYS_RECORDED_MAX,
  DPOP_REPLAYS_WINDOW_MS,
} from "../../../limits/oauth-limits.ts";
import { recordAudit } from "../../../models/audit/audit.ts";
import { consumeAssertion } from "../../../models/oauth-client/client-assertion.ts";
import { sha256 } from "../../../models/oauth-client/client-secret.ts";
import { assertionAlgorithmsOf, type OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import { currentNonce, type NonceStore, storeOfNonce } from "../../../models/token/dpop-nonce.ts";
import { type Proof, readProof } from "../../../models/token/dpop-proof.ts";

export type VerifyProofDeps = Pick<
  Deps,
  "clock" | "codeKey" | "config" | "database" | "proofKeys" | "random" | "state"
>;

export type ProofProblem = OAuthRefusal<"invalid_dpop_proof" | "use_dpop_nonce">;

/** The header `DPoP` of a request, and the request; null: the request has no proof. */
export type PresentedProof =
  | { readonly proof: null }
  | {
      /** Repeated headers are joined by a comma, and no proof has a comma. */
      readonly proof: string;
      readonly method: string;
      /** The path of the endpoint. */
      readonly path: string;
      readonly requestContext: RequestContext;
    };

/** What the proof belongs to: the client, and at a resource the access token. */
export interface ProofSubject {
  readonly client: Pick<OAuthClient, "id" | "profile" | "requireDpopNonce">;
  readonly accessToken?: string;
}

/** The rules for proofs of a service account. */
export function proofClientOf(serviceAccountId: string): ProofSubject["client"] {
  return { id: serviceAccountId, profile: "none", requireDpopNonce: false };
}

const NONCE_REQUIRED = oauthRefusal("use_dpop_nonce", "The DPoP proof needs the nonce of the header DPoP-Nonce.");
/** The refusal where every access token of the client, or for an API, is bound to a key. */
export const PROOF_REQUIRED = oauthRefusal("invalid_dpop_proof", "The request needs a DPoP proof.");
const WRONG_ALGORITHM = invalidProof("alg is not one of the client's profile");
const REPLAYED = invalidProof("jti was used before");
const WRONG_TIME = invalidProof("iat is too far from the present time");

/**
 * Verifies the proof of a request and returns the thumbprint of the key; undefined: the request has no proof. A valid
 * proof is consumed: of parallel requests with one proof, one continues.
 */
export async function verifyProof(
  deps: VerifyProofDeps,
  presented: PresentedProof,
  { client, accessToken }: ProofSubject,
): Promise<Result<string | undefined, ProofProblem>> {
  if (presented.proof === null) return ok(undefined);
  const { proof, method, path, requestContext } = presented;
  const url = `${deps.config.urls.publicBaseUrl}${path}`;
  const request = accessToken === undefined ? { method, url } : { method, url, accessToken };
  const read = await readProof(deps.proofKeys, proof, request, unixSeconds(deps.clock.now()));
  if (!read.ok) return err(invalidProof(read.error));
  if (!assertionAlgorithmsOf(client).includes(read.value.algorithm)) return err(WRONG_ALGORITHM);
  const store = storeOfProof(deps, client, read.value);
  if (!store.ok) return store;
  const isFirst = await isFirstUse(deps, client.id, read.value, store.value);
  if (isFirst === undefined) return err(NONCE_REQUIRED);
  if (isFirst) return ok(read.value.thumbprint);
  await recordReplay(deps, client.id, requestContext);
  return err(REPLAYED);
}

/**
 * The nonce for the next proof, for the header `DPoP-Nonce` of every response to a proof. While Redis is unavailable to
 * this replica, the next proof is decided in PostgreSQL, at whichever replica the proof arrives.
 */
export function nextNonce({ clock, codeKey, state }: Pick<Deps, "clock" | "codeKey" | "state">): string {
  return currentNonce(codeKey, clock.now(), state.shared ? "redis" : "database");
}

function invalidProof(rule: string): OAuthRefusal<"invalid_dpop_proof"> {
  return oauthRefusal("invalid_dpop_proof", `The DPoP proof is invalid: ${rule}.`);
}

/**
 * The store that decides about a proof of valid age. With a nonce of the service, the age of the nonce counts in place
 * of `iat` (RFC 9449, section 11.1).
 */
function storeOfProof(
  { clock, codeKey, config }: VerifyProofDeps,
  { profile, requireDpopNonce }: ProofSubject["client"],
  { nonce, issuedAt }: Proof,
): Result<NonceStore, ProofProblem> {
  const now = clock.now();
  const store = nonce === undefined ? undefined : storeOfNonce(codeKey, now, nonce);
  if (store) return ok(store);
  if (nonce !== undefined || requireDpopNonce || config.oauth.dpopNonce === "required") return err(NONCE_REQUIRED);
  // A wrong clock: the library repeats the request with the nonce, whose age then counts (RFC 9449, section 8).
  if (Math.abs(now / 1000 - issuedAt) <= DPOP_PROOF_AGE_MAX_SECONDS) return ok("redis");
  return err(profile === "fapi2" ? WRONG_TIME : NONCE_REQUIRED);
}

/**
 * Undefined: Redis, which decides about this proof, is unavailable. A loss of the data of Redis allows one repetition
 * within the age of a proof (RFC 9449, section 11.1).
 */
async function isFirstUse(
  { clock, database, state }: VerifyProofDeps,
  clientId: string,
  { thumbprint, jti }: Proof,
  store: NonceStore,
): Promise<boolean | undefined> {
  const used = createHash("sha256").update(`${thumbprint}\n${jti}`).digest("base64url");
  if (store === "redis") return await state.markFirst(`service:dpop-jti:${used}`, DPOP_JTI_USED_MS);
  const expiresAt = new Date(clock.now() + DPOP_JTI_USED_MS);
  // The prefix separates proofs from assertions of the same client.
  const jtiHash = sha256(`dpop proof\n${used}`);
  return await database.run("oauth_dpop.consume", (sql) => consumeAssertion(sql, { clientId, jtiHash, expiresAt }));
}

/** Records the first replays of a client in a window. */
async function recordReplay(deps: VerifyProofDeps, clientId: string, client: RequestContext): Promise<void> {
  const { count } = await deps.state.count(`service:dpop-replays:${clientId}`, DPOP_REPLAYS_WINDOW_MS);
  if (count > DPOP_REPLAYS_RECORDED_MAX) return;
  await deps.database.run("oauth_dpop.record_replay", (sql) =>
    recordAudit(sql, {
      eventId: deps.random.uuid(),
      at: new Date(deps.clock.now()),
      action: "oauth.dpop.replayed",
      outcome: "failure",
      organizationId: null,
      actorId: null,
      actorType: "system",
      resourceType: "oauth_client",
      resourceId: clientId,
      metadata: {},
      client,
    }),
  );
}
