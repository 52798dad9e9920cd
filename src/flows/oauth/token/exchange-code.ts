import { createHash } from "node:crypto";
import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { hashOpaqueToken } from "../../../base/opaque-token.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { decideInTransaction, runIn } from "../../../database/decide.ts";
import {
  type Exchange,
  endExcessFamilies,
  exchangeCode,
  findFamilyOfCode,
} from "../../../models/oauth-grant/token-family.ts";
import { endFamilies } from "../../steps/tokens/token-family-events.ts";
import { endTokenFamily } from "../clients/end-families.ts";
import { tokenLifetimes } from "../request/lifetimes.ts";
import { availableResources, needsProof, requestedResources } from "../request/requested.ts";
import { ORGANIZATION_EXCLUDED } from "../request/role-scopes.ts";
import { PROOF_REQUIRED } from "../request/verify-proof.ts";
import { admitFamilyTokens, type IssuedTokens, issueFamilyTokens } from "./issue-tokens.ts";
import type { TokenDeps, TokenOutcome, TokenRequest } from "./token-request.ts";

/** RFC 7636, section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * Constant for every code, also where the verifier is missing: a response with the reason would help an attacker with a
 * stolen code.
 */
const BAD_CODE = oauthRefusal(
  "invalid_grant",
  "The code is invalid, expired or used, or client, redirect_uri, code_verifier or DPoP key differ from the request.",
);
/** Concerns the parameter alone, so the response reveals nothing about the code. */
const MALFORMED_VERIFIER = oauthRefusal(
  "invalid_grant",
  "code_verifier must have 43 to 128 characters: letters, digits, hyphen, period, underscore and tilde.",
);

/**
 * The grant `authorization_code` (RFC 6749, section 4.1.3; RFC 7636, section 4.5). The first request of the client with
 * the code consumes the code. A second use ends the tokens of the first use (RFC 6749, section 4.1.2).
 */
export async function exchangeAuthorizationCode(deps: TokenDeps, request: TokenRequest): TokenOutcome {
  const { parameters } = request;
  const [code, redirectUri, verifier] = [
    parameters.one("code"),
    parameters.one("redirect_uri"),
    parameters.one("code_verifier"),
  ];
  if (code === undefined || redirectUri === undefined) {
    return err(oauthRefusal("invalid_request", "code and redirect_uri are required."));
  }
  const problem = verifier === undefined || VERIFIER.test(verifier) ? BAD_CODE : MALFORMED_VERIFIER;
  const codeHash = hashOpaqueToken(code);
  const issued = await issueForCode(deps, request, {
    codeHash,
    // PostgreSQL rejects NUL; a URI with NUL matches no registered URI, like the empty string.
    redirectUri: redirectUri.includes("\0") ? "" : redirectUri,
    codeChallenge: challengeOf(verifier),
  });
  if (!issued.ok) return issued;
  if (issued.value) return ok(issued.value);
  if (codeHash) await endReusedCode(deps, request, codeHash);
  return err(problem);
}

/** A code as presented by a client. */
export interface PresentedCode extends Pick<Exchange, "redirectUri" | "codeChallenge"> {
  /** Undefined: the text is no handle. */
  readonly codeHash: Buffer | undefined;
}

/**
 * Consumes the code and issues its tokens. Undefined: a condition of the code does not hold. A refusal that the client,
 * the user or an administrator can repair (parameters, roles, a disabled API, a stronger sign-in) leaves the code
 * unused: the transaction of the exchange is rolled back.
 */
export async function issueForCode(
  deps: TokenDeps,
  { client, parameters, thumbprint }: TokenRequest,
  { codeHash, redirectUri, codeChallenge }: PresentedCode,
): Promise<
  Result<
    IssuedTokens | undefined,
    OAuthRefusal<"invalid_dpop_proof" | "invalid_grant" | "invalid_scope" | "invalid_target">
  >
> {
  const resources = requestedResources(availableResources(deps, client), parameters);
  if (!resources.ok) return resources;
  const isBound = thumbprint !== undefined;
  if (!isBound && needsProof(deps, resources.value ?? [])) return err(PROOF_REQUIRED);
  if (!codeHash) return ok(undefined);
  const exchange = {
    codeHash,
    clientId: client.id,
    redirectUri,
    codeChallenge,
    resources: resources.value ?? [],
    thumbprint: thumbprint ?? null,
    excludedResources: isBound || resources.value ? [] : client.resources.filter((each) => needsProof(deps, [each])),
    open: client.kind === "registered" ? { scopes: [], resources: [] } : client,
    familyId: deps.random.uuid(),
    refreshJti: deps.random.uuid(),
    accessJti: deps.random.uuid(),
    at: new Date(deps.clock.now()),
    lifetimes: tokenLifetimes(deps, resources.value ?? client.resources),
  };
  const used = await decideInTransaction(deps.database, "oauth_code.exchange", async (sql) => {
    const family = await exchangeCode(sql, exchange);
    if (!family) return ok(undefined);
    if (family.isExcluded) return err(ORGANIZATION_EXCLUDED);
    const narrowed = { scopes: family.scopes, resources: resources.value ?? family.resources };
    const requested = { family, client, ...narrowed, withNonce: true, thumbprint };
    const admitted = await admitFamilyTokens({ ...deps, database: runIn(sql) }, requested);
    return admitted.ok ? ok({ ...admitted.value, isFull: family.isFull }) : admitted;
  });
  if (!used.ok) return used;
  if (!used.value) return ok(undefined);
  if (used.value.isFull) await endExcess(deps, used.value.family.id);
  return ok(await issueFamilyTokens(deps, used.value));
}

/** After the insertion: concurrent exchanges leave at most the maximum, and the newest families stay. */
async function endExcess(deps: TokenDeps, familyId: string): Promise<void> {
  const at = new Date(deps.clock.now());
  const { events } = await deps.database.run("oauth_family.end_excess", (sql) =>
    endFamilies(sql, endExcessFamilies(sql, familyId, at), "surplus", at),
  );
  await deps.revocations.announce(events);
}

/** A malformed verifier cannot match; the code is consumed, as with a wrong verifier (RFC 7636, section 4.6). */
function challengeOf(verifier: string | undefined): string | null {
  if (verifier === undefined) return null;
  return VERIFIER.test(verifier) ? createHash("sha256").update(verifier).digest("base64url") : "";
}

/** Ends the tokens of the first use of a code (RFC 6749, section 4.1.2). */
async function endReusedCode(
  deps: TokenDeps,
  { client, requestContext }: TokenRequest,
  codeHash: Buffer,
): Promise<void> {
  const family = await deps.database.run("oauth_code.find_family", (sql) => findFamilyOfCode(sql, codeHash, client.id));
  if (family) {
    const end = { reason: "code_reuse", action: "oauth.code.reuse_detected", client: requestContext } as const;
    await endTokenFamily(deps, family.id, end);
  }
}
