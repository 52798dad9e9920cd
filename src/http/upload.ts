import { invalidInput } from "../base/invalid-input.ts";
import { MULTIPART_OVERHEAD_BYTES, UPLOAD_READ_DEADLINE_MS } from "../base/limits.ts";
import type { Refusal } from "../base/problem.ts";
import { err, ok, type Result } from "../base/result.ts";
import { invalidBody, readBytes } from "./body.ts";

/** The file that an endpoint accepts as a part of a multipart/form-data body (docs/contract.md, section 12.9). */
export interface Upload {
  /** Name of the part. */
  readonly part: string;
  readonly maxBytes: number;
}

export interface Uploaded {
  readonly file: Uint8Array;
  /** The parts that are texts: hidden fields of a form of a page. */
  readonly fields: URLSearchParams;
}

/** Refuses with `invalid_input`. The file's name and declared type are ignored. */
export async function readUpload(
  request: Request,
  { part, maxBytes }: Upload,
): Promise<Result<Uploaded, Refusal<"invalid_input">>> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type)) return invalidBody("The content type must be multipart/form-data.");
  const bounds = { maxBytes: maxBytes + MULTIPART_OVERHEAD_BYTES, deadlineMs: UPLOAD_READ_DEADLINE_MS };
  const body = await readBytes(request, bounds);
  if (!body.ok) return body;
  const form = await readParts(body.value, type);
  const file = form?.get(part);
  if (!form || !(file instanceof File))
    return err(invalidInput(part, "required", "a file part of this name is required"));
  if (file.size > maxBytes) {
    const tooLarge = invalidInput(part, "too_long", `larger than ${maxBytes / 1024 ** 2} MiB`);
    return err({ ...tooLarge, bound: "body_size" });
  }
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return ok({ file: new Uint8Array(await file.arrayBuffer()), fields: new URLSearchParams(texts) });
}

async function readParts(body: Uint8Array, type: string): Promise<FormData | undefined> {
  try {
    return await new Response(body as Uint8Array<ArrayBuffer>, { headers: { "content-type": type } }).formData();
  } catch {
    return undefined;
  }
}
