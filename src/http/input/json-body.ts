import { findJsonFlaw } from "../../base/json-text.ts";
import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import { BODY_READ_DEADLINE_MS, JSON_BODY_MAX_BYTES } from "../../limits/limits.ts";
import { invalidBody, readBytes } from "./body.ts";

export type JsonObject = Record<string, unknown>;

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * Reads a JSON object (docs/contract.md, section 2.2). Refused before the body is read completely: a wrong content
 * type, more than the bound, a body that is not complete in time. Refused afterwards: invalid JSON or UTF-8 (RFC 8259),
 * no object, too much nesting, duplicate keys, which parsers resolve differently, and unpaired surrogates, which are
 * not text (RFC 7493, section 2.1) and which PostgreSQL rejects.
 */
export async function readJsonObject(
  request: Request,
  maxBytes: number = JSON_BODY_MAX_BYTES,
): Promise<Result<JsonObject, Refusal<"invalid_input">>> {
  if (!JSON_TYPE.test(request.headers.get("content-type") ?? ""))
    return invalidBody("The content type must be application/json.");
  const bytes = await readBytes(request, { maxBytes, deadlineMs: BODY_READ_DEADLINE_MS });
  if (!bytes.ok) return bytes;
  const text = decode(bytes.value);
  if (text === undefined) return invalidBody("The body is not UTF-8.");
  return parseObject(text);
}

/** Without the option `stream`, no call of `decode` depends on an earlier call. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Exported for tests of the grammar. */
export function parseObject(text: string): Result<JsonObject, Refusal<"invalid_input">> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalidBody("The body is not JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return invalidBody("The body is not a JSON object.");
  const flaw = findJsonFlaw(text);
  return flaw ? invalidBody(flaw) : ok(value as JsonObject);
}
