/** Responses of SCIM (RFC 7644, sections 3.1 and 3.12). */
import type { ProblemCode, Refusal } from "../../base/problem.ts";
import { type ResourceBody, StreamedGroup } from "../../flows/directories/describe-groups.ts";
import type { ResourceList, VersionedResource } from "../../flows/directories/read-resources.ts";
import { entityTag } from "../../models/directory/protocol/entity-tag.ts";
import type { JsonRecord } from "../../models/directory/protocol/scim-json.ts";
import type { ScimProblem, ScimStatus } from "../../models/directory/protocol/scim-problem.ts";
import { statusOfRefusal } from "../problem-status.ts";
import { emptyReply, type Reply, reply, streamReply } from "../reply.ts";

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
): Reply<Status> {
  const { meta } = headOf(body) as { readonly meta?: { readonly location?: string } };
  const location = status === 201 && meta?.location ? { location: meta.location } : {};
  const headers = { etag: entityTag(version), ...location };
  if (!(body instanceof StreamedGroup)) return scimReply(status, body, headers);
  return streamReply(status, SCIM_TYPE["content-type"], streamOf(textsOf(body)), { headers });
}

/** A 304 has the ETag of the response in its place (RFC 9110, section 15.4.5). */
export function notModifiedReply({ version }: VersionedResource): Reply<304> {
  return emptyReply(304, { headers: { etag: entityTag(version) } });
}

export function scimListReply({ head, resources }: ResourceList): Reply<200> {
  const whole = resources.flatMap((each) => (each instanceof StreamedGroup ? [] : [each]));
  if (whole.length === resources.length) return scimReply(200, { ...head, Resources: whole });
  return streamReply(200, SCIM_TYPE["content-type"], streamOf(listTexts(head, resources)));
}

function headOf(body: ResourceBody): JsonRecord {
  return body instanceof StreamedGroup ? body.head : body;
}

async function* listTexts(head: JsonRecord, resources: readonly ResourceBody[]): AsyncGenerator<string> {
  yield `${openText(head)},"Resources":[`;
  for (const [index, resource] of resources.entries()) {
    if (index > 0) yield ",";
    yield* textsOf(resource);
  }
  yield "]}";
}

async function* textsOf(resource: ResourceBody): AsyncGenerator<string> {
  if (!(resource instanceof StreamedGroup)) return yield JSON.stringify(resource);
  yield `${openText(resource.head)},"members":[`;
  let separator = "";
  for await (const page of resource.pages()) {
    yield `${separator}${JSON.stringify(page).slice(1, -1)}`;
    separator = ",";
  }
  yield "]}";
}

/** An object with members, without its closing brace. */
function openText(record: JsonRecord): string {
  return JSON.stringify(record).slice(0, -1);
}

/** Reads the next text when the client has taken the text before. A failure breaks the connection. */
function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}

/** The code by which refused requests are counted and explained. A status without a row does not compile. */
const RECORDED_CODES = {
  400: "invalid_input",
  401: "authentication_required",
  403: "forbidden",
  404: "not_found",
  405: "not_found",
  409: "conflict",
  412: "conflict",
  413: "invalid_input",
  415: "invalid_input",
  429: "rate_limited",
  500: "internal_error",
  501: "not_found",
  503: "internal_error",
} as const satisfies Record<ScimStatus, ProblemCode>;

export function scimProblemReply(
  problem: ScimProblem,
  refused?: Refusal,
  further: Readonly<Record<string, string>> = {},
): Reply {
  const { status, scimType, detail, retryAfterSeconds } = problem;
  const headers: Record<string, string> = { ...SCIM_TYPE, ...further };
  if (status === 401) headers["www-authenticate"] = "Bearer";
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(retryAfterSeconds);
  const body = { schemas: [ERROR_SCHEMA], status: String(status), ...(scimType ? { scimType } : {}), detail };
  return reply(status, body, { headers, refused: refused ?? recordedRefusal(problem) });
}

function recordedRefusal({ status, scimType, detail, retryAfterSeconds }: ScimProblem): Refusal {
  const cause = `scim ${status}${scimType ? ` ${scimType}` : ""}: ${detail}`;
  const code = RECORDED_CODES[status];
  const fields = code === "invalid_input" ? { fields: [] } : {};
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { code, message: detail, cause, ...fields, ...retry };
}

/** A refusal of the guards in the form of SCIM. */
export function scimRefusalReply(refusal: Refusal): Reply {
  const { message, retryAfterSeconds } = refusal;
  const status = statusOfRefusal(refusal) as ScimStatus;
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return scimProblemReply({ status, detail: message, ...retry }, refusal);
}
