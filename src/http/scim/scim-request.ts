/** Paths, parameters and bodies of SCIM requests (RFC 7644, sections 3.2 to 3.4). */
import { isAbsent } from "../../base/absent.ts";
import { isUuid } from "../../base/random.ts";
import { ok } from "../../base/result.ts";
import type { ListParameters } from "../../flows/directories/read-resources.ts";
import { SCIM_BODY_MAX_BYTES } from "../../limits/directory-limits.ts";
import { BODY_READ_DEADLINE_MS } from "../../limits/limits.ts";
import { isRecord, type Json, type JsonRecord, listOf } from "../../models/directory/protocol/scim-json.ts";
import { type ScimResult, scimError, scimProblem } from "../../models/directory/protocol/scim-problem.ts";
import { memberOf, requireSchema } from "../../models/directory/protocol/user-document.ts";
import { readBytes } from "../input/body.ts";
import { parseObject } from "../input/json-body.ts";
import { searchOf } from "../search.ts";

/** A path below `/scim/v2`, without a trailing slash. `id`: of the resource, type or schema. */
export interface ScimPath {
  readonly name: string;
  readonly id: string | undefined;
}

/** The path of a request below `/scim/v2/`, as sent. */
export function scimPathIn({ url }: Request): string {
  return /\/scim\/v2\/?([^?#]*)/.exec(url)?.[1] ?? "";
}

/**
 * Undefined for a path with further segments. A base URL with a slash at its end makes two slashes, so empty segments
 * do not count. An empty name: the base URL.
 */
export function parseScimPath(rest: string): ScimPath | undefined {
  const [name = "", id, ...further] = rest.split("/").filter((segment) => segment !== "");
  return further.length > 0 ? undefined : { name, id: id === undefined ? undefined : decodeSegment(id) };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The id of a resource in the form of the database; undefined for an id that no resource has. */
export function resourceId(id: string): string | undefined {
  return isUuid(id) ? id.toLowerCase() : undefined;
}

/** The id of the resource that a path addresses. */
export function resourceIdIn(rest: string): string | undefined {
  return resourceId(parseScimPath(rest)?.id ?? "");
}

/** A body without a type is read as JSON, the only format of SCIM. */
const CONTENT_TYPE = /^(?:(?:application\/(?:scim\+)?|text\/)json\s*(?:;|$)|$)/i;
const TOO_LARGE = scimProblem(413, `The body is larger than ${SCIM_BODY_MAX_BYTES / 1024} KiB.`);
const WRONG_TYPE = scimProblem(415, "The content type must be application/scim+json or application/json.");

/** Reads a JSON object of at most `SCIM_BODY_MAX_BYTES`. */
export async function readScimBody(request: Request): Promise<ScimResult<JsonRecord>> {
  if (!CONTENT_TYPE.test(request.headers.get("content-type") ?? "")) return WRONG_TYPE;
  const bytes = await readBytes(request, { maxBytes: SCIM_BODY_MAX_BYTES, deadlineMs: BODY_READ_DEADLINE_MS });
  if (!bytes.ok) {
    return bytes.error.bound === "body_size" || bytes.error.fields?.[0]?.rule === "too_long"
      ? TOO_LARGE
      : scimError("invalidSyntax", bytes.error.message);
  }
  const text = decodeUtf8(bytes.value);
  if (text === undefined) return scimError("invalidSyntax", "The body is not UTF-8.");
  const parsed = parseObject(text);
  return parsed.ok ? ok(parsed.value as JsonRecord) : scimError("invalidSyntax", parsed.error.message);
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The parameters of a query; the names have no case, and the last value of a repeated name counts. */
export function queryParameters(request: Request): ListParameters {
  const values = new Map([...searchOf(request)].map(([name, value]) => [name.toLowerCase(), value]));
  const names = (name: string) => (values.get(name) ?? "").split(/,(?![^[]*\])/).flatMap((each) => each.trim() || []);
  return {
    filter: filterOf(values.get("filter")),
    startIndex: values.get("startindex"),
    count: values.get("count"),
    cursor: values.get("cursor"),
    attributes: names("attributes"),
    excludedAttributes: names("excludedattributes"),
  };
}

/** An address in quotes whose plus signs the client did not encode: a query has a space in their place. */
const ADDRESS_WITH_SPACES = /"[^\s"@\\]+(?: [^\s"@\\]+)+@[^\s"@\\]+"/g;

/** An empty filter is absent. */
function filterOf(text: string | undefined): string | undefined {
  if (isAbsent(text)) return undefined;
  return text?.replace(ADDRESS_WITH_SPACES, (address) => address.replaceAll(" ", "+"));
}

const SEARCH_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:SearchRequest";

/** The parameters of the body of `.search`. */
export function searchParameters(body: JsonRecord): ScimResult<ListParameters> {
  const named = requireSchema(body, SEARCH_SCHEMA);
  if (!named.ok) return named;
  const text = (name: string) => textOf(memberOf(body, name));
  const filter = memberOf(body, "filter");
  if (filter !== undefined && typeof filter !== "string") return scimError("invalidFilter", "filter must be a string.");
  return ok({
    filter,
    startIndex: text("startIndex"),
    count: text("count"),
    cursor: text("cursor"),
    attributes: textsOf(memberOf(body, "attributes")),
    excludedAttributes: textsOf(memberOf(body, "excludedAttributes")),
  });
}

function textOf(value: Json | undefined): string | undefined {
  return value === undefined || value === null ? undefined : isRecord(value) ? "" : String(value);
}

function textsOf(value: Json | undefined): string[] {
  return listOf(value).flatMap((each) => (typeof each === "string" ? [each] : []));
}
