import { Type } from "@sinclair/typebox";
import { REDIRECT_PATH_MAX_CHARACTERS, TOKEN_MAX_CHARACTERS } from "../../base/limits.ts";
import { PROVIDER_KEYS } from "../../models/provider-config/provider.ts";
import { oneOf } from "./common.ts";

export const IdentityProviderKey = oneOf(
  PROVIDER_KEYS.filter((key) => key !== "email_transport"),
  { $id: "IdentityProviderKey", description: "A way to sign in", examples: ["oauth_idp_a"] },
);

export const StartQuery = Type.Object({
  redirect_to: Type.Optional(
    Type.String({
      description: "a path of this site, where to go afterwards",
      default: "/",
      documented: { maxLength: REDIRECT_PATH_MAX_CHARACTERS },
    }),
  ),
});

const parameter = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: TOKEN_MAX_CHARACTERS, description, examples: [example] }));

/** What a provider answers (RFC 6749, section 4.1.2; RFC 9207); its other parameters are not looked at. */
export const CallbackParameters = Type.Object(
  {
    state: parameter("the state that was sent to the provider", "Zk9uT3J2c1Jk0n3mQ2pYxw8bHcVtLrGfE5sDiA7oKuM"),
    code: parameter("authorization code", "4/0AX4XfWh"),
    error: parameter("why the provider refused (RFC 6749, section 4.1.2.1)", "access_denied"),
    iss: parameter("issuer of the answer (RFC 9207)", "https://accounts.google.com"),
  },
  { $id: "ProviderAnswer", examples: [{ state: "Zk9uT3J2c1Jk0n3mQ2pYxw8bHcVtLrGfE5sDiA7oKuM", code: "4/0AX4XfWh" }] },
);
