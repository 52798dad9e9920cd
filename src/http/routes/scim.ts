/** SCIM 2.0 for the directories of organizations (docs/contract.md, chapter 31). */
import { Type } from "@sinclair/typebox";
import { NOT_SIGNED_IN } from "../../base/problem.ts";
import { err, ok } from "../../base/result.ts";
import { authorizeDirectory, type DirectoryDeps } from "../../flows/directories/directory-caller.ts";
import { recordRefusedRequest } from "../../flows/directories/record-refused-request.ts";
import { type AnyCall, type Endpoint, endpoint } from "../endpoint.ts";
import type { KeyCaller } from "../guards/api-key.ts";
import type { Caller } from "../guards/caller.ts";
import type { Reply } from "../reply.ts";
import { ScimErrorBody, ScimResource } from "../schemas/scim.ts";
import { handleScim, type ScimMethod } from "../scim-handlers.ts";
import { scimProblemReply, scimRefusalReply } from "../scim-reply.ts";
import { resourceIdIn } from "../scim-request.ts";

export type ScimDeps = DirectoryDeps;

const CONTENT_TYPE = "application/scim+json";
const resource = (description: string) => ({ description, schema: ScimResource, contentType: CONTENT_TYPE });
const problem = (description: string) => ({ description, schema: ScimErrorBody, contentType: CONTENT_TYPE });

const PROBLEMS = {
  400: problem("Invalid input, with `scimType`"),
  401: problem("No API key of an organization"),
  403: problem("The key lacks the scope, or the organization has no directory"),
  404: problem("No such resource"),
  405: problem("The path does not support the method"),
  409: problem("`uniqueness`"),
  412: problem("The version differs from If-Match"),
  413: problem("The body, record or request is too large"),
  415: problem("Neither application/scim+json nor application/json"),
  429: problem("The limit `scim` of the organization is exhausted"),
  500: problem("Internal error"),
  501: problem("Bulk operations and `/Me`"),
  503: problem("The directory is paused, or the database is unavailable; with `Retry-After`"),
} as const;

const OPERATIONS: readonly { readonly method: ScimMethod; readonly operationId: string; readonly summary: string }[] = [
  { method: "GET", operationId: "readScim", summary: "Read users, groups and the description of the SCIM server" },
  { method: "POST", operationId: "postScim", summary: "Create a user or a group, or search" },
  { method: "PUT", operationId: "putScim", summary: "Replace a user or a group" },
  { method: "PATCH", operationId: "patchScim", summary: "Change a user or a group" },
  { method: "DELETE", operationId: "deleteScim", summary: "Delete a user or a group" },
];

/**
 * One endpoint for each method: paths outside of RFC 7644 and wrong methods have SCIM errors too. Sessions of people
 * are 401.
 */
export function scimRoutes(deps: ScimDeps): Endpoint[] {
  return OPERATIONS.map(({ method, operationId, summary }) =>
    endpoint({
      method,
      path: "/scim/v2/:path",
      restOfPath: true,
      textParameters: true,
      params: { path: Type.String({ description: "Path of RFC 7644", examples: ["Users"] }) },
      operationId,
      tag: "Directories",
      summary,
      description: "RFC 7643 and 7644, for the directory of the organization of the API key.",
      auth: "caller_or_key",
      scope: method === "GET" || method === "POST" ? "scim.read" : "scim.write",
      countsCaller: false,
      csrfOptional: true,
      refusals: "scim",
      responses: {
        200: resource("A resource or a list"),
        201: resource("Created"),
        204: { description: "Changed or deleted" },
        304: { description: "The version equals If-None-Match" },
        ...PROBLEMS,
      },
      problems: ["not_found", "forbidden", "rate_limited", "authentication_required"],
      authorize: async (caller: Caller | KeyCaller) => (caller.via === "key" ? ok(caller) : err(NOT_SIGNED_IN)),
      handle: (async (call: AnyCall & { readonly authorized: KeyCaller; readonly params: { readonly path: string } }) =>
        ok(await respond(deps, method, call))) as never,
    }),
  );
}

async function respond(
  deps: ScimDeps,
  method: ScimMethod,
  call: AnyCall & { readonly authorized: KeyCaller; readonly params: { readonly path?: string } },
): Promise<Reply> {
  const { key } = call.authorized;
  // Directories send requests in bursts, and sessions are checked in between.
  await deps.directoryRequests.step();
  const admitted = await call.admitDirectory(key.organizationId ?? key.id);
  if (!admitted.ok) return scimRefusalReply(admitted.error);
  const caller = await authorizeDirectory(deps, key, call.client);
  if (!caller.ok) return scimProblemReply(caller.error);
  const path = call.params.path ?? "";
  const outcome = await handleScim(deps, { caller: caller.value, method, path, request: call.request });
  if (outcome.ok) return outcome.value;
  const { problem: refused, headers } = outcome.error;
  const resourceId = resourceIdIn(path) ?? null;
  await recordRefusedRequest(deps, caller.value, { method, path: `/${path}`, resourceId, problem: refused });
  return scimProblemReply(refused, undefined, headers);
}
