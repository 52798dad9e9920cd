/** The variables of the OpenID provider, and of the identity providers of social sign-in. */
import { flag, hostPattern, listOf, oneOf, plainText } from "./parsers.ts";
import { address, optional, variable } from "./variable.ts";

export const OAUTH_VARIABLES = {
  SERVICE_OAUTH_REQUIRE_PAR: variable(
    flag,
    false,
    "off",
    "whether every application must push its authorization requests to `/oauth2/par` (RFC 9126)",
  ),
  SERVICE_OAUTH_DPOP_NONCE: variable(
    oneOf("optional", "required"),
    "optional",
    "optional",
    "`required`: proofs of possession (DPoP) need a nonce of the service (RFC 9449, section 8)",
  ),
  SERVICE_OAUTH_PRIVATE_HTTP: variable(
    flag,
    false,
    "off",
    "whether redirect URIs of applications may be http in a private network (10.0.0.0/8, `.lan`, `.local`, …): " +
      "every reader of the network reads the codes",
  ),
  SERVICE_OAUTH_REGISTRATION: variable(
    oneOf("off", "token", "open"),
    "off",
    "off",
    "whether applications register themselves (RFC 7591): `token` with an initial access token, `open` without",
  ),
  SERVICE_OAUTH_CIMD: optional(
    oneOf("off", "listed", "on"),
    "whether applications identify themselves by a metadata document: `listed` for the hosts of " +
      "`SERVICE_OAUTH_CIMD_HOSTS`, `on` for every host. Default: off, and on in embedded mode",
  ),
  SERVICE_OAUTH_CIMD_HOSTS: variable(
    listOf(hostPattern),
    [],
    "none",
    "hosts of metadata documents with `listed`; `*.example.com` is every host below example.com",
  ),
  SERVICE_SOCIAL_SIGNUP: variable(
    flag,
    true,
    "on",
    "whether a social sign-in of an unknown user creates a user and an organization",
  ),
  SERVICE_OAUTH_IDP_A_CLIENT_ID: optional(plainText, "Google, unless an administrator set it"),
  SERVICE_OAUTH_IDP_A_CLIENT_SECRET: optional(plainText, "client secret of Google"),
  SERVICE_OAUTH_IDP_B_CLIENT_ID: optional(plainText, "GitHub, unless an administrator set it"),
  SERVICE_OAUTH_IDP_B_CLIENT_SECRET: optional(plainText, "client secret of GitHub"),
  SERVICE_OAUTH_IDP_A_ISSUER: address("https://accounts.google.com", "issuer of Google"),
  SERVICE_OAUTH_IDP_B_URL: address("https://github.com", "base URL of GitHub's sign-in"),
  SERVICE_OAUTH_IDP_B_API_URL: address("https://api.github.com", "base URL of GitHub's API"),
  SERVICE_OAUTH_IDP_C_ISSUER: address(
    "https://login.microsoftonline.com",
    "Microsoft's authority, to which `/<tenant>/v2.0` is added; one that has no metadata there is the whole address",
  ),
  SERVICE_OAUTH_IDP_D_ISSUER: address("https://appleid.apple.com", "issuer of Apple"),
  SERVICE_OAUTH_IDP_E_URL: address("https://www.facebook.com/v24.0", "base URL of Facebook's dialog"),
  SERVICE_OAUTH_IDP_E_API_URL: address("https://graph.facebook.com/v24.0", "base URL of Facebook's Graph API"),
} as const;
