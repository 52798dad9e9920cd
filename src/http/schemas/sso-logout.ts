import { Type } from "@sinclair/typebox";
import { SAML_RELAY_STATE_MAX_CHARACTERS } from "../../limits/saml-limits.ts";
import { SSO_LOGOUT_TOKEN_MAX_CHARACTERS } from "../../limits/sso-sign-in-limits.ts";

/** OpenID Connect Back-Channel Logout 1.0, section 2.5. */
export const BackchannelLogoutForm = Type.Object(
  {
    logout_token: Type.String({
      minLength: 1,
      maxLength: SSO_LOGOUT_TOKEN_MAX_CHARACTERS,
      examples: ["eyJhbGciOiJSUzI1NiIsInR5cCI6ImxvZ291dCtqd3QifQ.e30.c2ln"],
      description: "signed by the identity provider of the connection",
    }),
  },
  { $id: "BackchannelLogoutRequest" },
);

const MESSAGE = "in Base64; deflated in a query";
const RELAY_STATE = {
  description: `repeated in the response, at most ${SAML_RELAY_STATE_MAX_CHARACTERS} characters`,
  examples: ["ss:mem:1f0c"],
};

/** Either message. Longer values are read and refused by the profile of SAML 2.0. */
const LOGOUT_MESSAGE = {
  SAMLRequest: Type.Optional(
    Type.String({ description: `a LogoutRequest ${MESSAGE}`, examples: ["PHNhbWxwOkxvZ291dFJlcXVlc3Q"] }),
  ),
  SAMLResponse: Type.Optional(
    Type.String({ description: `a LogoutResponse ${MESSAGE}`, examples: ["PHNhbWxwOkxvZ291dFJlc3BvbnNl"] }),
  ),
  RelayState: Type.Optional(Type.String(RELAY_STATE)),
};

export const SamlLogoutForm = Type.Object(LOGOUT_MESSAGE, { $id: "SamlLogoutForm" });

/** The message in the redirect binding (SAML bindings, section 3.4.4.1), or a sign-out at the service. */
export const SamlLogoutQuery = Type.Object({
  ...LOGOUT_MESSAGE,
  SigAlg: Type.Optional(
    Type.String({
      description: "the algorithm of the signature",
      examples: ["http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"],
    }),
  ),
  Signature: Type.Optional(Type.String({ description: "of the query, in Base64", examples: ["c2ln"] })),
  h: Type.Optional(
    Type.String({
      description: "the handle of a sign-out at the service",
      examples: ["Zk9uT3J2c1Jk0n3mQ2pYxw8bHcVtLrGfE5sDiA7oKuM"],
    }),
  ),
});
