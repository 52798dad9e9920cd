/**
 * `npm run docs:errors` generates docs/errors.md from the declared endpoints. `errors.test.ts` fails if the document is
 * stale.
 */
import { join } from "node:path";
import type { ProblemCode } from "../src/base/problem.ts";
import type { Endpoint } from "../src/http/endpoint.ts";
import { problemsOf } from "../src/http/openapi/openapi.ts";
import { EXAMPLE_MESSAGES } from "../src/http/openapi-parts.ts";
import { PROBLEM_CODES, statusOf, typeOf } from "../src/http/problem-status.ts";
import { allEndpoints, type ServerDeps } from "../src/http/server.ts";

export const ERRORS_FILE = join(import.meta.dir, "../docs/errors.md");

interface Explanation {
  readonly meaning: string;
  /** The recommended action of a client. */
  readonly action: string;
}

const EXPLANATIONS: Readonly<Record<ProblemCode, Explanation>> = {
  authentication_required: {
    meaning:
      "The request has no valid credential: no session, or an expired, revoked or forged session; wrong " +
      "sign-in data; an unknown, used or expired token or code. The response deliberately does not tell the cases " +
      "apart.",
    action:
      "With an access token: refresh once and repeat the request. From refresh: the user is signed out, show the " +
      "sign-in page. From a sign-in or a link: let the user try again or request a new code or link.",
  },
  conflict: {
    meaning: "The current state does not allow the request. Nothing was changed.",
    action: "Do not repeat the request unchanged. Show the message, or read the resource again and decide.",
  },
  csrf_failed: {
    meaning:
      "The request is authenticated by cookie and has no valid `X-Service-CSRF` header, or is a cross-site DELETE " +
      "(contract.md, section 3.3).",
    action: "Read the cookie `service_csrf` again, which changes with the session, and repeat with the new value.",
  },
  forbidden: {
    meaning:
      "The caller is signed in without the right: the role does not permit the request, the organization is " +
      "suspended, or the address is not verified where `SERVICE_REQUIRE_VERIFIED_EMAIL` is on " +
      "(contract.md, section 3.11).",
    action: "Do not repeat the request. If `email_verified` of GET /v1/users/me is false, offer to verify the address.",
  },
  internal_error: {
    meaning:
      "The service or a store failed, or the state of a session cannot be read now. The response has no detail; " +
      "the log has the cause under the same `X-Request-Id`. With status 503 the database " +
      "is unavailable, or GET /readyz is not ready.",
    action:
      "Keep the tokens: the user is still signed in. Repeat safe requests with growing pauses; any other request may " +
      "have been carried out (contract.md, section 2.12).",
  },
  invalid_input: {
    meaning:
      "The input failed validation: the body, the query, a file or the Host header. `fields` names every invalid " +
      "field with the rule (contract.md, section 2.6).",
    action: "Correct the input. The same request always fails.",
  },
  license_required: {
    meaning: "A premium feature without a license.",
    action: "Handle the code like `forbidden`.",
  },
  mfa_required: {
    meaning:
      "A second factor must be presented first (contract.md, section 3.9). Not to be confused with the 200 response " +
      "of status `mfa_required` at sign-in (section 4.1).",
    action: "Step the session up with POST /v1/auth/mfa/verify or a passkey sign-in, then repeat the request.",
  },
  not_found: {
    meaning:
      "The resource does not exist, or the caller may not know of the resource. Also: an unknown path, a known path " +
      "with another method, an identifier that is not a UUID.",
    action: "Do not repeat the request. Remove the resource from the view.",
  },
  payment_required: {
    meaning: "The tier of the organization does not include the feature (contract.md, section 14.1).",
    action: "Do not repeat the request. Show that the feature is part of another tier.",
  },
  precondition_failed: {
    meaning: "A condition of the request (`If-Match`, `If-None-Match`) does not hold. Nothing changed.",
    action: "Read the resource again, apply the change to the new state, and send the new `ETag`.",
  },
  rate_limited: {
    meaning: "Too many attempts, or the service is at capacity. `RateLimit` describes the refusing limit, if any.",
    action: "Wait for the seconds of `Retry-After`, then repeat.",
  },
  sso_required: {
    meaning:
      "The organization requires single sign-on of this member, and the session or sign-in began by another method " +
      "(contract.md, section 29.46).",
    action: "Navigate to `continue_at`, if present: the path starts the sign-in at the company's identity provider.",
  },
};

/** Renders the document. */
export function errorCatalogue(): string {
  // Routes are data: no dependency is used before the first request.
  const endpoints = allEndpoints({} as ServerDeps);
  const rows = PROBLEM_CODES.map((code) => `| [\`${code}\`](#${code}) | ${statusOf(code)} | \`${typeOf(code)}\` |`);
  const source = "the endpoints in `src/http/routes/`";
  const lines = [
    "# Error codes",
    "",
    `Generated by \`npm run docs:errors\` from ${source}; do not edit. The envelope and the order`,
    "of checks are in [contract.md](contract.md), sections 2.6 to 2.8.",
    "",
    "| Code | Status | Type |",
    "| --- | --- | --- |",
    ...rows,
    ...PROBLEM_CODES.flatMap((code) => ["", ...sectionOf(code, endpoints)]),
  ];
  return `${lines.join("\n")}\n`;
}

function sectionOf(code: ProblemCode, endpoints: readonly Endpoint[]): string[] {
  const { meaning, action } = EXPLANATIONS[code];
  const envelope = { error: { code, message: EXAMPLE_MESSAGES[code], type: typeOf(code) } };
  return [
    `## ${code}`,
    "",
    `Status ${statusOf(code)}, type \`${typeOf(code)}\`.`,
    "",
    `- Meaning: ${meaning}`,
    `- Client: ${action}`,
    "",
    "```json",
    JSON.stringify(envelope),
    "```",
    "",
    returnedBy(code, endpoints),
  ];
}

/** Lists up to this many endpoints by name; of further ones the OpenAPI document has the errors of each endpoint. */
const NAMED_ENDPOINTS_MAX = 12;

function returnedBy(code: ProblemCode, endpoints: readonly Endpoint[]): string {
  const returning = endpoints.filter((endpoint) => problemsOf(endpoint).has(code));
  if (returning.length === 0) return "Reserved: no endpoint returns this code.";
  if (returning.length === endpoints.length) return "Every endpoint can return this code.";
  if (returning.length > NAMED_ENDPOINTS_MAX)
    return `Returned by ${returning.length} of ${endpoints.length} endpoints: see \`/openapi.json\` for each.`;
  const names = returning.map(({ method, path, prefixed = true }) => `\`${method} ${prefixed ? "/v1" : ""}${path}\``);
  return `Returned by ${names.join(", ")}.`;
}

if (import.meta.main) await Bun.write(ERRORS_FILE, errorCatalogue());
