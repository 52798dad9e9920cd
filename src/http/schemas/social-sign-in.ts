import { Type } from "@sinclair/typebox";
import { TOKEN_MAX_CHARACTERS } from "../../limits/limits.ts";
import { REDIRECT_PATH_MAX_CHARACTERS } from "../../limits/provider-limits.ts";

export const IdentityProviderKey = Type.String({
  $id: "IdentityProviderKey",
  pattern: "^[a-z][a-z0-9_]{1,31}$",
  rule: "must be the key of an identity provider",
  description: "An identity provider: `oauth_idp_a` to `oauth_idp_e`, or the key of a social provider by configuration",
  examples: ["oauth_idp_a"],
});

export const StartQuery = Type.Object({
  redirect_to: Type.Optional(
    Type.String({
      description: "path of this origin to redirect to afterwards",
      default: "/",
      documented: { maxLength: REDIRECT_PATH_MAX_CHARACTERS },
    }),
  ),
});

const parameter = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: TOKEN_MAX_CHARACTERS, description, examples: [example] }));

/** The authorization response (RFC 6749, section 4.1.2; RFC 9207). Further parameters are ignored. */
export const CallbackParameters = Type.Object(
  {
    state: parameter("the state that was sent to the provider", "Zk9uT3J2c1Jk0n3mQ2pYxw8bHcVtLrGfE5sDiA7oKuM"),
    code: parameter("authorization code", "4/0AX4XfWh"),
    error: parameter("why the provider refused (RFC 6749, section 4.1.2.1)", "access_denied"),
    iss: parameter("issuer of the response (RFC 9207)", "https://accounts.google.com"),
  },
  { $id: "ProviderAnswer", examples: [{ state: "Zk9uT3J2c1Jk0n3mQ2pYxw8bHcVtLrGfE5sDiA7oKuM", code: "4/0AX4XfWh" }] },
);
