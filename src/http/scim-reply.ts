/** Responses of SCIM (RFC 7644, sections 3.1 and 3.12). */
import type { ProblemCode, Refusal } from "../base/problem.ts";
import type { VersionedResource } from "../flows/directories/read-resources.ts";
import { entityTag } from "../models/directory/protocol/entity-tag.ts";
import type { JsonRecord } from "../models/directory/protocol/json.ts";
import type { ScimProblem, ScimStatus } from "../models/directory/protocol/scim-problem.ts";
import { statusOf } from "./problem-status.ts";
import { type Reply, reply } from "./reply.ts";

const ERROR_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error";
const SCIM_TYPE = { "content-type": "application/scim+json; charset=utf-8" };

export function scimReply<const Status extends 200 | 201>(
  status: Status,
  body: JsonRecord,
  headers: Readonly<Record<string, string>> = {},
): Reply<Status, JsonRecord> {
  return reply(status, body, { headers: { ...headers, ...SCIM_TYPE } });
}

/** A resource with its version and, after a creation, its location. */
export function resourceReply<const Status extends 200 | 201>(
  status: Status,
  { body, version }: VersionedResource,
): Reply<Status, JsonRecord> {
  const { meta } = body as { readonly meta?: { readonly location?: string } };
  const location = status === 201 && meta?.location ? { location: meta.location } : {};
  return scimReply(status, body, { etag: entityTag(version), ...location });
}

/** The code by which refused requests are counted and explained. */
const RECORDED_CODES: Partial<Record<ScimStatus, Exclude<ProblemCode, "invalid_input">>> = {
  401: "authentication_required",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  412: "conflict",
  429: "rate_limited",
  500: "internal_error",
};

export function scimProblemReply(
  { status, scimType, detail, retryAfterSeconds }: ScimProblem,
  refused?: Refusal,
  further: Readonly<Record<string, string>> = {},
): Reply {
  const headers: Record<string, string> = { ...SCIM_TYPE, ...further };
  if (status === 401) headers["www-authenticate"] = "Bearer";
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(retryAfterSeconds);
  const body = { schemas: [ERROR_SCHEMA], status: String(status), ...(scimType ? { scimType } : {}), detail };
  return reply(status, body, { headers, refused: refused ?? recordedRefusal(status, scimType, detail) });
}

function recordedRefusal(status: ScimStatus, scimType: string | undefined, detail: string): Refusal {
  const cause = `scim ${status}${scimType ? ` ${scimType}` : ""}: ${detail}`;
  const code = RECORDED_CODES[status];
  return code ? { code, message: detail, cause } : { code: "invalid_input", message: detail, fields: [], cause };
}

/** A refusal of the guards in the form of SCIM. */
export function scimRefusalReply(refusal: Refusal): Reply {
  const { code, message, retryAfterSeconds } = refusal;
  const status = statusOf(code) as ScimStatus;
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return scimProblemReply({ status, detail: message, ...retry }, refusal);
}
