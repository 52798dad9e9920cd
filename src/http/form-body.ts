import { BODY_READ_DEADLINE_MS, JSON_BODY_MAX_BYTES } from "../base/limits.ts";
import type { Refusal } from "../base/problem.ts";
import { ok, type Result } from "../base/result.ts";
import { invalidBody, readBytes } from "./body.ts";

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Refuses with `invalid_input`. The bounds are those of a JSON body. */
export async function readForm(request: Request): Promise<Result<URLSearchParams, Refusal<"invalid_input">>> {
  if (!FORM_TYPE.test(request.headers.get("content-type") ?? ""))
    return invalidBody("The content type must be application/x-www-form-urlencoded.");
  const bytes = await readBytes(request, { maxBytes: JSON_BODY_MAX_BYTES, deadlineMs: BODY_READ_DEADLINE_MS });
  return bytes.ok ? ok(new URLSearchParams(Buffer.from(bytes.value).toString())) : bytes;
}
