import { Type } from "@sinclair/typebox";
import { EMAIL_MAX_CHARACTERS } from "../../limits/account-limits.ts";
import { TOKEN_MAX_CHARACTERS } from "../../limits/limits.ts";
import { REDIRECT_PATH_MAX_CHARACTERS } from "../../limits/provider-limits.ts";
import { oneOf } from "./common.ts";

const localPath = (description: string) =>
  Type.Optional(Type.String({ description, default: "/", documented: { maxLength: REDIRECT_PATH_MAX_CHARACTERS } }));

/** `iss` of an identity provider that begins the sign-in is not evaluated: the path names the connection. */
export const SsoStartQuery = Type.Object({
  redirect_to: localPath("path of this origin to redirect to afterwards; any other value counts as absent"),
  intent: Type.Optional(
    Type.String({ description: "`test`: needs `handle`; any other value is a sign-in", examples: ["sign_in"] }),
  ),
  handle: Type.Optional(
    Type.String({ description: "of the URL of a test", examples: ["Zk9uT3J2c1Jk0n3mQ2pYxw8bHcVtLrGfE5sDiA7oKuM"] }),
  ),
  target_link_uri: localPath("as `redirect_to`, from an identity provider (OpenID Connect Core, section 4)"),
});

export const SsoStartBody = Type.Object(
  {
    login_hint: Type.Optional(
      Type.String({
        maxLength: EMAIL_MAX_CHARACTERS,
        description: "the email address of the user, passed to the identity provider",
        examples: ["grace@acme.example"],
      }),
    ),
    redirect_to: localPath("path of this origin to redirect to afterwards; any other value counts as absent"),
    intent: Type.Optional(
      oneOf(["sign_in", "link", "step_up"], { default: "sign_in", description: "`link`, `step_up`: for the session" }),
    ),
    csrf: Type.Optional(
      Type.String({
        maxLength: TOKEN_MAX_CHARACTERS,
        description: "the CSRF value, from a form in place of the header",
      }),
    ),
  },
  { $id: "SsoStartRequest", examples: [{ login_hint: "grace@acme.example", redirect_to: "/" }] },
);

const parameter = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: TOKEN_MAX_CHARACTERS, description, examples: [example] }));

/** The authorization response (RFC 6749, section 4.1.2; RFC 9207). Further parameters are ignored. */
export const SsoCallbackQuery = Type.Object({
  state: parameter("the state of the request", "Zk9uT3J2c1Jk0n3mQ2pYxw8bHcVtLrGfE5sDiA7oKuM"),
  code: parameter("authorization code", "4/0AX4XfWh"),
  error: parameter("why the identity provider refused (RFC 6749, section 4.1.2.1)", "access_denied"),
  iss: parameter("issuer of the response (RFC 9207)", "https://id.acme.example"),
});
