/** Parts of the OpenAPI document that do not come from endpoints. */
import type { TObject, TSchema } from "@sinclair/typebox";
import packageJson from "../../package.json" with { type: "json" };
import type { ProblemCode } from "../base/problem.ts";
import { KEY_SCOPES } from "../vocabulary/key-scope.ts";
import { ACCESS_COOKIE, CSRF_COOKIE, REFRESH_COOKIE } from "./cookies.ts";

export const INFO = {
  title: "Identity and Access Service",
  version: packageJson.version,
  summary: "Multi-tenant authentication and account administration",
  description:
    "Requests and responses are JSON. An error is `{error: {code, message, type}}`: branch on `error.code`, never on " +
    "the message. Every response carries `X-Request-Id`, `X-Content-Type-Options: nosniff`, `Referrer-Policy: " +
    "no-referrer` and `Cache-Control` (`no-store` unless stated otherwise), and `Strict-Transport-Security` behind " +
    "https. In a request body an optional member with the value null counts as absent; undocumented members are " +
    "ignored. Clients must tolerate unknown members of responses.",
  license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
} as const;

/** In the order of the documentation. */
export const TAGS = {
  "Sign-in": "Registration, sign-in with a password, refresh, sign-out, and the current session",
  "Multi-factor authentication": "Authenticator apps, recovery codes, the challenge at sign-in and step-up",
  Passkeys: "WebAuthn credentials: sign-in and registration",
  "Email codes": "Sign-in with an emailed code",
  Tickets: "Single-use links that a program delivers in place of an email",
  "Social sign-in": "Sign-in at another identity provider",
  "Linked providers": "Accounts elsewhere that the caller signs in with",
  Sessions: "The caller's sessions",
  "Trusted browsers": "Browsers that skip the second factor at sign-in",
  Account: "Verification of the address, and the password",
  Users: "The caller's own account, and users by their identifier",
  Avatars: "Avatars of users",
  Invitations: "Invitations into an organization",
  Members: "Members of an organization and their roles",
  Brands: "Logo, colour and links of organizations and applications on pages and in emails",
  Directories: "Provisioning of members from the directory of an organization by SCIM 2.0.",
  "Single sign-on": "Domains of an organization, verified by DNS",
  "Set-up links": "Single sign-on, set up by a person without an account",
  Policies: "Requirements of an organization on the sessions of its members",
  "Service accounts": "Service accounts of programs, and API keys",
  Webhooks: "Events of the audit trail, sent to a customer's address",
  "Shared signals": "Security events for other services (OpenID Shared Signals Framework)",
  Registration: "How users register: settings of the deployment and of applications",
  "Feature flags": "Feature flags, and their values for an organization",
  "OpenID provider": "Signing in to other applications with this service: tokens, users, grants, applications",
  "Platform administration": "Organizations and users of all tenants; needs a platform role",
  Integrations: "External services: email and identity providers",
  Audit: "The audit trail with its signed export and transparency log",
  Discovery: "Public keys, the discovery document and the session-revocation feed",
  Operations: "Liveness, readiness and metrics",
} as const;

export const SECURITY_SCHEMES = {
  bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "The access token" },
  cookie: {
    type: "apiKey",
    in: "cookie",
    name: ACCESS_COOKIE,
    description:
      "The access token. POST, PUT and PATCH also need the header X-Service-CSRF with the value of the cookie " +
      `\`${CSRF_COOKIE}\`.`,
  },
  api_key: {
    type: "http",
    scheme: "bearer",
    description: "An API key of a service account with the listed permission among its scopes",
  },
  program_token: {
    type: "oauth2",
    description: "An access token of a service account, from the token endpoint",
    flows: {
      clientCredentials: {
        tokenUrl: "/oauth2/token",
        scopes: Object.fromEntries(KEY_SCOPES.map((scope) => [scope, `The permission ${scope}`])),
      },
    },
  },
  refresh_cookie: { type: "apiKey", in: "cookie", name: REFRESH_COOKIE, description: "The refresh token" },
} as const;

const UUID_EXAMPLE = "0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e";

/** Headers of requests, as components. */
export const REQUEST_HEADERS = {
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    required: false,
    description: "A UUID that identifies the request in logs, traces and the audit trail; any other value is replaced",
    schema: { type: "string", format: "uuid" },
    example: UUID_EXAMPLE,
  },
  Csrf: {
    name: "X-Service-CSRF",
    in: "header",
    required: false,
    description: `Required where the access cookie authenticates: the value of the cookie ${CSRF_COOKIE}`,
    schema: { type: "string" },
    example: "b1946ac92492d2347c6235b4d2611184.c2lnbmF0dXJl",
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "`ETag` of a response: 412 `precondition_failed` after a change of the resource, and nothing changes",
    schema: { type: "string" },
    example: '"Yb0G5mW1gqQ0cVtqS9xw3A"',
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    required: false,
    description: "ETag of an earlier response: 304 if nothing changed",
    schema: { type: "string" },
    example: 'W/"42"',
  },
} as const;

function header(description: string, example: string | number, more: object = {}) {
  return { description, schema: { type: typeof example === "number" ? "integer" : "string", ...more }, example };
}

/** Headers of responses, as components. */
export const HEADERS = {
  "X-Request-Id": header("Identifies the request in logs, traces and the audit trail", UUID_EXAMPLE, {
    format: "uuid",
  }),
  "Set-Cookie": header(
    "Cookies, with a header for each cookie",
    `${ACCESS_COOKIE}=eyJhbGciOi; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax`,
  ),
  "Retry-After": header("Seconds until a retry can succeed", 30, { minimum: 1 }),
  RateLimit: header("State of the limits that counted the request; on a 429 the refusing limit", '"caller";r=119;t=60'),
  "RateLimit-Policy": header("Quota and window, in seconds, of the limits in RateLimit", '"caller";q=120;w=60'),
  Location: header("Target of the redirect", "https://accounts.google.com/o/oauth2/v2/auth?client_id=acme-web", {
    format: "uri-reference",
  }),
  ETag: header("Version of the response, for If-None-Match", 'W/"42"'),
  "Cache-Control": header("How long the response may be cached", "public, max-age=60"),
  "WWW-Authenticate": header(
    "Required scheme, and the flaw of the credential",
    'Bearer realm="https://id.example.com"',
  ),
  "Content-Disposition": header("File name", 'attachment; filename="audit.ndjson"'),
  "X-Service-Audit-Tree-Size": header(
    "Leaves of the transparency log that the export covers: `tree_size` of its proof; only with `proof=true`",
    "4711",
    { pattern: "^[0-9]+$" },
  ),
  "X-Service-Audit-Cosignatures": header("How many witnesses have cosigned the checkpoint.", "2"),
  "X-Service-Signature": header(
    "HMAC-SHA-256 over all lines but the trailer",
    "sha256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    { pattern: "^sha256=[0-9a-f]{64}$" },
  ),
} as const;

export type ResponseHeader = keyof typeof HEADERS;

/** Query and body of a request that the handler reads itself. */
export interface RequestDocumentation {
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Content type of the body. Default: JSON. */
  readonly contentType?: string;
}

export const EXAMPLE_MESSAGES: Readonly<Record<ProblemCode, string>> = {
  authentication_required: "Sign in to continue.",
  conflict: "This organization slug is already taken.",
  csrf_failed: "The X-Service-CSRF header is missing or does not fit.",
  forbidden: "Your role does not permit this.",
  internal_error: "Something went wrong. Try again later.",
  invalid_input: "email: is required",
  license_required: "This feature needs a license.",
  mfa_required: "Confirm your second factor to continue.",
  not_found: "There is nothing here.",
  payment_required: "The tier of this organization does not include this feature.",
  precondition_failed: "The resource has changed since it was read. Read it again.",
  rate_limited: "Too many attempts. Try again later.",
  sso_required: "This organization requires single sign-on.",
};
