/** Parts of the OpenAPI document that no endpoint says by itself. */
import packageJson from "../../package.json" with { type: "json" };
import type { ProblemCode } from "../base/problem.ts";
import { ACCESS_COOKIE, CSRF_COOKIE, REFRESH_COOKIE } from "./cookies.ts";

export const INFO = {
  title: "Identity and Access Service",
  version: packageJson.version,
  summary: "Multi-tenant authentication and account administration",
  description:
    "Requests and answers are JSON. A refusal is `{error: {code, message, type}}`: branch on `error.code`, never on the message. Every " +
    "answer carries `X-Request-Id`, `X-Content-Type-Options: nosniff`, `Referrer-Policy: no-referrer` and `Cache-Control` (`no-store` " +
    "unless it says otherwise), and `Strict-Transport-Security` behind https. In a request body an optional member that is null counts " +
    "as absent; members that are not documented are ignored. Clients tolerate members of answers that they do not know.",
  license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
} as const;

/** In the order of the documentation. */
export const TAGS = {
  "Sign-in": "Registration, sign-in with a password, refresh, sign-out, and who is signed in",
  "Multi-factor authentication": "Authenticator apps, recovery codes, the challenge at sign-in and step-up",
  Passkeys: "WebAuthn credentials: sign-in and registration",
  "E-mail codes": "Sign-in with a code that is e-mailed",
  "Social sign-in": "Sign-in at another identity provider",
  Sessions: "The caller's sessions",
  "Trusted browsers": "Browsers that skip the second factor at sign-in",
  Account: "Proof of the address, and the password",
  Users: "The caller's own account, and users by their identifier",
  Avatars: "Pictures of users",
  Invitations: "Invitations into an organization",
  Members: "Members of an organization and their roles",
  "Feature flags": "Flags, and what they are for an organization",
  "Platform administration": "Organizations and users of all tenants, for platform roles",
  Integrations: "External services: e-mail and identity providers",
  Audit: "The audit trail and its signed export",
  Discovery: "Public keys, the discovery document and the session-revocation feed",
  Operations: "Liveness, readiness and metrics",
} as const;

export const SECURITY_SCHEMES = {
  bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "The access token" },
  cookie: {
    type: "apiKey",
    in: "cookie",
    name: ACCESS_COOKIE,
    description: `The access token. POST, PUT and PATCH repeat the value of the cookie \`${CSRF_COOKIE}\` in the header X-Service-CSRF.`,
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
    description: "A UUID that names the request in logs, traces and the audit trail; anything else is replaced",
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
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    required: false,
    description: "ETag of an earlier answer: 304 when nothing is new",
    schema: { type: "string" },
    example: 'W/"42"',
  },
} as const;

function header(description: string, example: string | number, more: object = {}) {
  return { description, schema: { type: typeof example === "number" ? "integer" : "string", ...more }, example };
}

/** Headers of answers, as components. */
export const HEADERS = {
  "X-Request-Id": header("Names the request in logs, traces and the audit trail", UUID_EXAMPLE, { format: "uuid" }),
  "Set-Cookie": header(
    "Cookies, one header each",
    `${ACCESS_COOKIE}=eyJhbGciOi; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax`,
  ),
  "Retry-After": header("Seconds until a retry can succeed", 30, { minimum: 1 }),
  RateLimit: header(
    "What is left of the limits that counted the request; of a 429 the one that refused",
    '"caller";r=119;t=60',
  ),
  "RateLimit-Policy": header("Those limits: quota and window in seconds", '"caller";q=120;w=60'),
  Location: header("Where the browser goes", "https://accounts.google.com/o/oauth2/v2/auth?client_id=acme-web", {
    format: "uri-reference",
  }),
  ETag: header("Version of the answer, for If-None-Match", 'W/"42"'),
  "Cache-Control": header("How long the answer may be kept", "public, max-age=60"),
  "Content-Disposition": header("Name of the file", 'attachment; filename="audit.ndjson"'),
  "X-Service-Signature": header(
    "HMAC-SHA-256 over all lines but the trailer",
    "sha256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    { pattern: "^sha256=[0-9a-f]{64}$" },
  ),
} as const;

export type AnswerHeader = keyof typeof HEADERS;

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
  payment_required: "The tier of this organization does not include the audit export.",
  rate_limited: "Too many attempts. Try again later.",
};
