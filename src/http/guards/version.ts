/** `ETag`, `If-Match` and `If-None-Match` (docs/contract.md, section 36.5; RFC 9110, section 13). */
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Expectation, PreconditionFailed, VersionWatch, watchVersion } from "../../database/row-version.ts";
import type { Reply } from "../reply.ts";

/**
 * The tables of versioned resources, with the column of the path parameter. `isOwned`: the row belongs to the
 * organization of the path, or without one to the platform; a row of another owner is no row.
 */
const ROWS = {
  client: { table: "oauth_clients", column: "id", isOwned: false },
  connection: { table: "sso_connections", column: "id", isOwned: true },
  external_user: { table: "users", column: "external_id", isOwned: false },
  group: { table: "member_groups", column: "id", isOwned: true },
  organization: { table: "organizations", column: "id", isOwned: false },
  resource: { table: "oauth_resources", column: "id", isOwned: false },
  role: { table: "organization_roles", column: "id", isOwned: true },
  social_provider: { table: "social_providers", column: "provider", isOwned: false },
  user: { table: "users", column: "id", isOwned: false },
  webhook: { table: "webhooks", column: "id", isOwned: true },
} as const;

/** The versioned resource of an endpoint, and the path parameter with its key. */
export interface Versioned<Param extends string = string> {
  readonly of: keyof typeof ROWS;
  readonly by: Param;
}

interface VersionedEndpoint {
  readonly method: string;
  readonly version?: Versioned;
}

interface ConditionalRule extends VersionedEndpoint {
  readonly auth: string;
  readonly refusals?: string;
}

const FAILED = refusal("precondition_failed", "The resource has changed since it was read. Read it again.");
const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;
/** A list of entity tags, whole; a list may have empty elements (RFC 9110, sections 5.6.1 and 8.8.3). */
const TAGS = (() => {
  const tag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
  return new RegExp(String.raw`^(?:[\t ]*,)*[\t ]*${tag}(?:[\t ]*,(?:[\t ]*${tag})?)*[\t ]*$`);
})();

/** Runs the handler of an endpoint under the conditions of the request, and adds `ETag` to a response with a body. */
export async function withVersion(
  { method, version }: VersionedEndpoint,
  { headers }: Request,
  params: Readonly<Record<string, string>>,
  handle: () => Promise<Result<Reply, Refusal>> | Result<Reply, Refusal>,
): Promise<Result<Reply, Refusal>> {
  const value = version && params[version.by];
  if (version === undefined || value === undefined) return await handle();
  const isRead = method === "GET";
  const expected = isRead ? undefined : expectationOf(method, headers);
  const { isOwned, ...row } = ROWS[version.of];
  const owner = isOwned ? { organizationId: params.org_id ?? null } : undefined;
  const watch = new VersionWatch({ ...row, value, owner }, isRead ? "read" : "write", expected);
  try {
    const outcome = await watchVersion(watch, handle);
    if (!outcome.ok || watch.version === undefined || outcome.value.body === undefined) return outcome;
    return ok({ ...outcome.value, headers: { ...outcome.value.headers, etag: `"${watch.version}"` } });
  } catch (error) {
    if (error instanceof PreconditionFailed) return err(FAILED);
    throw error;
  }
}

/**
 * Refuses `If-Match` at an administrative endpoint of a resource without versions: no tag is the tag of the resource,
 * and a client that sends a condition relies on the comparison (RFC 9110, section 13.1.1).
 */
export function refuseUnversioned(endpoint: ConditionalRule, { headers }: Request): Result<void, Refusal> {
  if (!refusesConditions(endpoint)) return ok(undefined);
  const match = headers.get("if-match")?.trim();
  return match === undefined || match === "*" ? ok(undefined) : err(FAILED);
}

/** Whether an endpoint changes a resource without versions. The endpoints of SCIM compare versions themselves. */
export function refusesConditions({ auth, method, refusals, version }: ConditionalRule): boolean {
  const isChange = method === "PUT" || method === "PATCH" || method === "DELETE";
  return isChange && version === undefined && auth === "administrative" && refusals !== "scim";
}

/**
 * A list with a malformed part has no tag, and a weak tag equals no version (RFC 9110, section 13.1.1: strong
 * comparison).
 */
function expectationOf(method: string, headers: Headers): Expectation | undefined {
  const match = headers.get("if-match")?.trim();
  if (match !== undefined) {
    if (match === "*") return "any";
    if (!TAGS.test(match)) return { oneOf: [] };
    return { oneOf: [...match.matchAll(TAG)].flatMap(([, weak, tag = ""]) => (weak ? [] : [tag])) };
  }
  return method === "PUT" && headers.get("if-none-match")?.trim() === "*" ? "none" : undefined;
}
