import { createHash } from "node:crypto";
import { oauthRefusal } from "../../base/oauth-problem.ts";
import { err, ok } from "../../base/result.ts";
import { exchangeCode, findFamilyOfCode } from "../../models/oauth-grant/token-family.ts";
import { hashHandle } from "../../models/oauth-request/oauth-request.ts";
import { endTokenFamily } from "./end-families.ts";
import { issueFamilyTokens } from "./issue-tokens.ts";
import { tokenLifetimes } from "./lifetimes.ts";
import { requestedResources } from "./requested.ts";
import type { TokenDeps, TokenOutcome, TokenRequest } from "./token-request.ts";

/** RFC 7636, section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** The response is constant: a response with the reason would help an attacker with a stolen code. */
const BAD_CODE = oauthRefusal("invalid_grant", "The code is invalid, expired, used, or was issued otherwise.");

/**
 * The grant `authorization_code` (RFC 6749, section 4.1.3; RFC 7636, section 4.5). The first request of the client with
 * the code consumes the code. A second use ends the tokens of the first use (RFC 6749, section 4.1.2).
 */
export async function exchangeAuthorizationCode(deps: TokenDeps, request: TokenRequest): TokenOutcome {
  const { client, parameters } = request;
  const [code, redirectUri, verifier] = [
    parameters.one("code"),
    parameters.one("redirect_uri"),
    parameters.one("code_verifier"),
  ];
  if (code === undefined || redirectUri === undefined || verifier === undefined) {
    return err(oauthRefusal("invalid_request", "code, redirect_uri and code_verifier are required."));
  }
  const resources = requestedResources(client.resources, parameters);
  if (!resources.ok) return resources;
  const codeHash = hashHandle(code);
  if (!codeHash) return err(BAD_CODE);
  const exchange = {
    codeHash,
    clientId: client.id,
    // PostgreSQL rejects NUL; a URI with NUL matches no registered URI, like the empty string.
    redirectUri: redirectUri.includes("\0") ? "" : redirectUri,
    // A malformed verifier cannot match; the code is consumed, as with a wrong verifier (RFC 7636, section 4.6).
    codeChallenge: VERIFIER.test(verifier) ? challengeOf(verifier) : "",
    resources: resources.value ?? [],
    familyId: deps.random.uuid(),
    refreshJti: deps.random.uuid(),
    accessJti: deps.random.uuid(),
    at: new Date(deps.clock.now()),
    lifetimes: tokenLifetimes(deps),
  };
  const family = await deps.database.run("oauth_code.exchange", (sql) => exchangeCode(sql, exchange));
  if (!family) return await refuseCode(deps, request, codeHash);
  const narrowed = { scopes: family.scopes, resources: resources.value ?? family.resources };
  return ok(await issueFamilyTokens(deps, { family, client, ...narrowed, withNonce: true }));
}

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

async function refuseCode(deps: TokenDeps, { client, facts }: TokenRequest, codeHash: Buffer): TokenOutcome {
  const family = await deps.database.run("oauth_code.find_family", (sql) => findFamilyOfCode(sql, codeHash, client.id));
  if (family) {
    const end = { reason: "code_reuse", action: "oauth.code.reuse_detected", client: facts } as const;
    await endTokenFamily(deps, family.id, end);
  }
  return err(BAD_CODE);
}
