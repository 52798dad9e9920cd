import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import type { FamilyOwner } from "../../../models/oauth-grant/family-state.ts";
import { fitValues, mergeClaims } from "../../../models/token/mapped-size.ts";
import type { ScopeClaims } from "../../../models/token/provider-claims.ts";
import type { ClaimRecord } from "../../../vocabulary/claim-mapping.ts";
import { type MappedClaimsDeps, readMappedClaims } from "../claims/read-mapped-claims.ts";
import { grantedData, NO_MAPPINGS, selectForApplication } from "../claims/select-mappings.ts";
import { countOutcomes, ownerSubject, withTruncated } from "../claims/token-claims.ts";
import { findLiveToken, type LiveToken, type LiveTokenDeps } from "../request/live-token.ts";
import { readScopeClaims } from "../request/scope-claims.ts";
import {
  PROOF_REQUIRED,
  type PresentedProof,
  type ProofProblem,
  type VerifyProofDeps,
  verifyProof,
} from "../request/verify-proof.ts";

/** OpenID Connect Core, section 5.3.2. */
export interface UserInfo extends ScopeClaims {
  readonly sub: string;
  /** Names of claims that were cut or left out for the size. */
  readonly claims_truncated?: readonly string[];
}

/** The response with the outcomes of claim mappings. */
export interface ReadUserInfo {
  readonly user: UserInfo;
  readonly records: readonly ClaimRecord[];
}

type UserInfoDeps = LiveTokenDeps & VerifyProofDeps & MappedClaimsDeps & Pick<Deps, "telemetry" | "userClaims">;

const WRONG_SCHEME = oauthRefusal(
  "invalid_token",
  "A token with cnf needs the scheme DPoP and a proof, and any other token the scheme Bearer without a proof.",
);
const OTHER_KEY = oauthRefusal("invalid_token", "The access token is bound to another key.");
const BAD_TOKEN = oauthRefusal("invalid_token", "The access token is invalid, expired or revoked.");

/** An access token as presented to a resource (RFC 9449, section 7.1). */
export type PresentedToken = PresentedProof & {
  readonly token: string;
  readonly scheme: "Bearer" | "DPoP";
};

/**
 * GET and POST /oauth2/userinfo (OpenID Connect Core, section 5.3; docs/contract.md, section 23.9). The scope `openid`
 * decides, and not the audience: tokens bound to a resource server are accepted.
 */
export async function readUserInfo(
  deps: UserInfoDeps,
  presented: PresentedToken,
): Promise<Result<ReadUserInfo, OAuthRefusal<"invalid_token" | "insufficient_scope"> | ProofProblem>> {
  const live = await findLiveToken(deps, presented.token);
  if (!live) return err(BAD_TOKEN);
  const flaw = await bindingFlaw(deps, presented, live);
  if (flaw) return err(flaw);
  const { claims, owner } = live;
  const scopes = claims.scope.split(" ");
  if (!owner || !scopes.includes("openid")) return err(oauthRefusal("insufficient_scope", "This needs scope openid."));
  const user = await readScopeClaims(deps, owner, scopes);
  return user ? ok(await withMappedClaims(deps, live, owner, { ...user, sub: claims.sub })) : err(BAD_TOKEN);
}

async function withMappedClaims(
  deps: UserInfoDeps,
  { claims, client }: LiveToken,
  owner: FamilyOwner,
  user: UserInfo,
): Promise<ReadUserInfo> {
  const { organizationId } = owner;
  const granted = { scopes: claims.scope.split(" "), data: grantedData(client, owner), organizationId };
  const selected = selectForApplication(client, "userinfo", granted);
  if (selected === NO_MAPPINGS) return { user, records: [] };
  const mapped = await readMappedClaims(deps, ownerSubject(claims, client, owner), selected);
  const fitted = fitValues(mapped.claims);
  const records = withTruncated(mapped.records, fitted.truncated);
  return countOutcomes(deps, { user: mergeClaims(user, fitted.claims), records });
}

/** A token without its key, and a key without its token, are refused (RFC 9449, section 7.2). */
async function bindingFlaw(
  deps: VerifyProofDeps,
  { token, scheme, ...presented }: PresentedToken,
  { claims: { cnf }, client }: LiveToken,
): Promise<OAuthRefusal<"invalid_token"> | ProofProblem | undefined> {
  if (!cnf && scheme === "Bearer" && presented.proof === null) return undefined;
  if (!cnf || scheme === "Bearer") return WRONG_SCHEME;
  const thumbprint = await verifyProof(deps, presented, { client, accessToken: token });
  if (!thumbprint.ok) return thumbprint.error;
  if (thumbprint.value === undefined) return PROOF_REQUIRED;
  return thumbprint.value === cnf.jkt ? undefined : OTHER_KEY;
}
