import type { Refusal } from "../../base/problem.ts";
import { ok, type Result } from "../../base/result.ts";
import { FORM_FIELDS_MAX } from "../../limits/body-limits.ts";
import { BODY_READ_DEADLINE_MS, JSON_BODY_MAX_BYTES } from "../../limits/limits.ts";
import { invalidBody, readBytes } from "./body.ts";

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Without the option `stream`, no call of `decode` depends on an earlier call. */
const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

export function isForm(request: Request): boolean {
  return FORM_TYPE.test(request.headers.get("content-type") ?? "");
}

export async function readForm(
  request: Request,
  maxBytes: number = JSON_BODY_MAX_BYTES,
): Promise<Result<URLSearchParams, Refusal<"invalid_input">>> {
  const bytes = await readFormBytes(request, maxBytes);
  if (!bytes.ok) return bytes;
  const text = UTF8.decode(bytes.value);
  const isBounded = text.split("&", FORM_FIELDS_MAX + 1).length <= FORM_FIELDS_MAX;
  return isBounded ? ok(new URLSearchParams(text)) : invalidBody(`The form has more than ${FORM_FIELDS_MAX} fields.`);
}

/** The body of a form, encoded. */
export async function readFormBytes(
  request: Request,
  maxBytes: number = JSON_BODY_MAX_BYTES,
): Promise<Result<Uint8Array, Refusal<"invalid_input">>> {
  if (!isForm(request)) return invalidBody("The content type must be application/x-www-form-urlencoded.");
  return await readBytes(request, { maxBytes, deadlineMs: BODY_READ_DEADLINE_MS });
}

/** Decodes a name or a value of a form: the text has no separator. */
export function decodeFormText(bytes: Uint8Array): string {
  return new URLSearchParams(`=${UTF8.decode(bytes)}`).get("") ?? "";
}
