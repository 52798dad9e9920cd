import { MULTIPART_OVERHEAD_BYTES, UPLOAD_READ_DEADLINE_MS } from "../base/limits.ts";
import { type Refusal, refusal } from "../base/problem.ts";
import { err, ok, type Result } from "../base/result.ts";
import { invalidBody, readBytes } from "./body.ts";

/** The file that an endpoint accepts as a part of a multipart/form-data body (docs/contract.md, section 12.9). */
export interface Upload {
  /** Name of the part; other parts are ignored. */
  readonly part: string;
  readonly maxBytes: number;
}

/** Refuses with `invalid_input`. The file's name and declared type are ignored. */
export async function readUpload(
  request: Request,
  { part, maxBytes }: Upload,
): Promise<Result<Uint8Array, Refusal<"invalid_input">>> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type)) return invalidBody("The content type must be multipart/form-data.");
  const bounds = { maxBytes: maxBytes + MULTIPART_OVERHEAD_BYTES, deadlineMs: UPLOAD_READ_DEADLINE_MS };
  const body = await readBytes(request, bounds);
  if (!body.ok) return body;
  const file = await findFile(body.value, type, part);
  if (!file) return invalidBody(`${part}: a file part of this name is required`);
  if (file.size > maxBytes) {
    const tooLarge = refusal("invalid_input", `${part}: larger than ${maxBytes / 1024 ** 2} MiB`);
    return err({ ...tooLarge, bound: "body_size" });
  }
  return ok(new Uint8Array(await file.arrayBuffer()));
}

async function findFile(body: Uint8Array, type: string, part: string): Promise<File | undefined> {
  try {
    const form = await new Response(body as Uint8Array<ArrayBuffer>, { headers: { "content-type": type } }).formData();
    const found = form.get(part);
    return found instanceof File ? found : undefined;
  } catch {
    return undefined;
  }
}
