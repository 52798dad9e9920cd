import { Type } from "@sinclair/typebox";
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
