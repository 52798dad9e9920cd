/**
 * Example code for common libraries, displayed on the page "Connect". The files beside this file are complete programs
 * that read issuer, client ID and secret from the environment, so that no copied code contains a secret.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OAuthClient } from "../../../../models/oauth-client/oauth-client.ts";

/**
 * How a client uses the provider: to sign users in (without a secret, with a secret, with keys of its own), or without
 * users (`machine`: with a secret, `machine_keys`).
 */
export type ClientUse = "public" | "secret" | "keys" | "machine" | "machine_keys";

export function clientUse(client: Pick<OAuthClient, "grantTypes" | "tokenAuthMethod">): ClientUse {
  const hasKeys = client.tokenAuthMethod === "private_key_jwt";
  if (!client.grantTypes.includes("authorization_code")) return hasKeys ? "machine_keys" : "machine";
  if (hasKeys) return "keys";
  return client.tokenAuthMethod === "none" ? "public" : "secret";
}

export interface Snippet {
  readonly library: string;
  readonly install: string;
  readonly file: string;
  /** The path of the redirect URI of the code. */
  readonly callback: string;
  /** A further variable of the code, with a random text. */
  readonly variable?: string;
  /** The code by the use of the client; absent: the library does not support this use. */
  readonly code: Readonly<Partial<Record<ClientUse, string>>>;
  /** True: the library sends no PKCE challenge, so the client has `require_pkce: false`. */
  readonly withoutPkce?: boolean;
}

function codeIn(file: string): string {
  return readFileSync(join(import.meta.dirname, `${file}.txt`), "utf8");
}

/** The code with a part replaced. Throws at start if the example no longer contains the part. */
function replaced(code: string, part: string, by: string): string {
  if (!code.includes(part)) throw new Error(`the example does not contain ${part}`);
  return code.replace(part, () => by);
}

/** The code of a public client: `authentication` takes the place of the secret. */
function withoutSecret(code: string, secret: string, authentication: string): string {
  return replaced(replaced(code, "CLIENT_SECRET, ", ""), secret, authentication);
}

const AUTH_JS = codeIn("auth-js.mjs");
const AUTHLIB = codeIn("authlib.py");
const OPENID_CLIENT = codeIn("openid-client.mjs");
const OPENID_CLIENT_MACHINE = codeIn("openid-client-machine.mjs");

/** PRIVATE_KEY is a private JWK of an elliptic curve; the client has registered the public key. */
function withPrivateKey(code: string): string {
  const authentication = replaced(
    code,
    "const authentication = openid.ClientSecretBasic(CLIENT_SECRET);",
    `const jwk = JSON.parse(PRIVATE_KEY);
const algorithm = { name: "ECDSA", namedCurve: jwk.crv };
const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["sign"]);
const authentication = openid.PrivateKeyJwt({ key, kid: jwk.kid });`,
  );
  return replaced(authentication, "CLIENT_SECRET", "PRIVATE_KEY").replace(
    "CLIENT_ID, CLIENT_SECRET,",
    "CLIENT_ID, {},",
  );
}

export const SNIPPETS: readonly Snippet[] = [
  {
    library: "Auth.js",
    install: "npm install express @auth/express",
    file: "server.mjs",
    callback: "/auth/callback/service",
    variable: "AUTH_SECRET",
    code: {
      secret: AUTH_JS,
      public: withoutSecret(AUTH_JS, "clientSecret: CLIENT_SECRET", 'client: { token_endpoint_auth_method: "none" }'),
    },
  },
  {
    library: "express-openid-connect",
    install: "npm install express express-openid-connect",
    file: "server.mjs",
    callback: "/callback",
    variable: "COOKIE_SECRET",
    code: { secret: codeIn("express-openid-connect.mjs") },
  },
  {
    library: "passport-openidconnect",
    install: "npm install express express-session passport passport-openidconnect",
    file: "server.mjs",
    callback: "/callback",
    variable: "SESSION_SECRET",
    code: { secret: codeIn("passport-openidconnect.mjs") },
    withoutPkce: true,
  },
  {
    library: "oidc-client-ts",
    install: "npm install oidc-client-ts",
    file: "sign-in.js",
    callback: "/callback",
    code: { public: codeIn("oidc-client-ts.js") },
  },
  {
    library: "openid-client",
    install: "npm install openid-client",
    file: "server.mjs",
    callback: "/callback",
    code: {
      secret: OPENID_CLIENT,
      public: replaced(
        withoutSecret(OPENID_CLIENT, "openid.ClientSecretBasic(CLIENT_SECRET)", "openid.None()"),
        "CLIENT_SECRET, ",
        "{}, ",
      ),
      keys: withPrivateKey(OPENID_CLIENT),
      machine: OPENID_CLIENT_MACHINE,
      machine_keys: withPrivateKey(OPENID_CLIENT_MACHINE),
    },
  },
  {
    library: "Authlib",
    install: "pip install Authlib Flask requests",
    file: "app.py",
    callback: "/callback",
    variable: "SESSION_SECRET",
    code: {
      secret: AUTHLIB,
      public: replaced(
        AUTHLIB,
        'client_secret=os.environ["CLIENT_SECRET"],\n    client_kwargs={',
        'client_kwargs={"token_endpoint_auth_method": "none", ',
      ),
      machine: codeIn("authlib-machine.py"),
    },
  },
];
