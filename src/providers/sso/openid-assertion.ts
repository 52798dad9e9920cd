/** Identity assertion authorization grants (draft-ietf-oauth-identity-assertion-authz-grant, section 4). */
import { type JWTVerifyGetKey, jwtVerify } from "jose";
import { IDENTITY_ASSERTION_LIFETIME_SECONDS } from "../../limits/oauth-limits.ts";
import { SSO_SUBJECT_MAX_CHARACTERS } from "../../limits/sso-sign-in-limits.ts";
import { type Claims, ID_TOKEN_ALGORITHMS } from "../identity/id-token.ts";
import type { Metadata } from "../identity/read-metadata.ts";
import { step } from "./openid-failure.ts";
import { remoteKeys } from "./openid-logout-token.ts";
import type { OpenidPartyOptions } from "./openid-options.ts";

export interface ExpectedAssertion {
  /** The issuer of this service. */
  readonly audience: string;
  /** The authenticated client. */
  readonly clientId: string;
}

export interface VerifiedAssertion {
  readonly claims: Claims;
  readonly jti: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

export type VerifyAssertion = (
  server: Metadata,
  assertion: string,
  expected: ExpectedAssertion,
) => Promise<VerifiedAssertion>;

export function assertionVerifier(options: OpenidPartyOptions): VerifyAssertion {
  let keys: { readonly uri: string; readonly find: JWTVerifyGetKey } | undefined;
  const keysOf = ({ jwks_uri: uri = "" }: Metadata) => {
    if (keys?.uri !== uri) keys = { uri, find: remoteKeys(options, uri) };
    return keys.find;
  };
  return async (server, assertion, { audience, clientId }) =>
    await step("id_token", async () => {
      const { issuer, clockSkewSeconds, clock } = options;
      const { payload } = await jwtVerify(assertion, keysOf(server), {
        typ: "oauth-id-jag+jwt",
        algorithms: [...ID_TOKEN_ALGORITHMS],
        issuer,
        audience,
        requiredClaims: ["sub", "iat", "exp", "jti", "client_id"],
        maxTokenAge: IDENTITY_ASSERTION_LIFETIME_SECONDS,
        clockTolerance: clockSkewSeconds,
        currentDate: new Date(clock.now()),
      });
      const { aud, iat = 0, exp = 0, jti = "", client_id: client } = payload;
      // With a second audience, another server could present the assertion here.
      if (aud !== audience) throw new Error("the assertion has a list of audiences");
      if (client !== clientId) throw new Error("the assertion is for another client");
      if (exp - iat > IDENTITY_ASSERTION_LIFETIME_SECONDS) throw new Error("the assertion lives too long");
      if (jti === "" || jti.length > SSO_SUBJECT_MAX_CHARACTERS) throw new Error("the assertion has no usable jti");
      return { claims: payload, jti, expiresAt: exp + clockSkewSeconds };
    });
}
