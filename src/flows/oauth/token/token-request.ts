import type { OAuthErrorCode, OAuthRefusal } from "../../../base/oauth-problem.ts";
import type { RequestContext } from "../../../base/request-context.ts";
import type { Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import type { OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import type { SsoDeps } from "../../sso/sign-in/connection.ts";
import type { AuthenticateProgramDeps } from "../programs/authenticate-program.ts";
import type { AuthenticateClientDeps } from "../request/authenticate-client.ts";
import type { LiveTokenDeps } from "../request/live-token.ts";
import type { Parameters } from "../request/parameters.ts";
import type { VerifyProofDeps } from "../request/verify-proof.ts";
import type { IssuedTokens } from "./issue-tokens.ts";

export type TokenDeps = AuthenticateClientDeps &
  AuthenticateProgramDeps &
  LiveTokenDeps &
  SsoDeps &
  VerifyProofDeps &
  Pick<
    Deps,
    | "apiKeyIds"
    | "claimSources"
    | "codeKey"
    | "devicePolls"
    | "keyRing"
    | "keyUsage"
    | "oauthResources"
    | "random"
    | "revocations"
    | "signing"
    | "userClaims"
  >;

/** The input of the grants: an authenticated client with a signing slot. */
export interface TokenRequest {
  readonly client: OAuthClient;
  readonly parameters: Parameters;
  readonly requestContext: RequestContext;
  /** The thumbprint of the key to which the access token is bound; undefined: a Bearer token. */
  readonly thumbprint: string | undefined;
}

export type TokenErrorCode = Extract<
  OAuthErrorCode,
  | "access_denied"
  | "authorization_pending"
  | "expired_token"
  | "invalid_client"
  | "invalid_dpop_proof"
  | "invalid_grant"
  | "invalid_request"
  | "invalid_scope"
  | "invalid_target"
  | "slow_down"
  | "temporarily_unavailable"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "use_dpop_nonce"
>;
export type TokenOutcome = Promise<Result<IssuedTokens, OAuthRefusal<TokenErrorCode>>>;
