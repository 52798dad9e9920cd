import { invalidInput } from "../../base/invalid-input.ts";
import type { ProblemCode, Refusal } from "../../base/problem.ts";
import { freeMemory } from "../../base/read-within.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { MULTIPART_OVERHEAD_BYTES, UPLOAD_READ_DEADLINE_MS } from "../../limits/avatar-limits.ts";
import { SMALL_BODY_MAX_BYTES, UPLOAD_PARTS_MAX } from "../../limits/body-limits.ts";
import { invalidBody, receiveBytes } from "./body.ts";
import { delimiterOf, fileContent, type MultipartHead, parseMultipartHead } from "./multipart.ts";

/** The file that an endpoint accepts as a part of a multipart/form-data body (docs/contract.md, section 12.9). */
export interface Upload {
  /** Name of the part. */
  readonly part: string;
  readonly maxBytes: number;
}

export interface Uploaded {
  readonly file: Uint8Array;
  /** The text parts before the file: hidden fields of a form of a page. */
  readonly fields: URLSearchParams;
}

const OTHER_PARTS = `with at most ${UPLOAD_PARTS_MAX - 1} other parts, ${SMALL_BODY_MAX_BYTES / 1024} KiB before it`;

/** Decides by the text parts before the file whether the file is read. */
export type CheckFields<Code extends ProblemCode> = (fields: URLSearchParams) => Result<void, Refusal<Code>>;

/**
 * Reads the file of a multipart body. `checkFields` refuses before the file is read.
 * The file's name and declared type are ignored.
 */
export async function readUpload<Code extends ProblemCode = never>(
  request: Request,
  upload: Upload,
  checkFields: CheckFields<Code> = () => ok(undefined),
): Promise<Result<Uploaded, Refusal<"invalid_input" | Code>>> {
  const delimiter = delimiterOf(request.headers.get("content-type") ?? "");
  if (delimiter === undefined) return invalidBody("The content type must be multipart/form-data with a boundary.");
  const head = headReader(delimiter, upload.part, checkFields);
  const bounds = { maxBytes: upload.maxBytes + MULTIPART_OVERHEAD_BYTES, deadlineMs: UPLOAD_READ_DEADLINE_MS };
  const body = await receiveBytes(request, bounds, head.receive);
  if (!body.ok) return body;
  const uploaded = uploadOf(body.value, delimiter, upload, head.result());
  if (!uploaded.ok) freeMemory(body.value);
  return uploaded;
}

function uploadOf<Code extends ProblemCode>(
  body: Buffer,
  delimiter: string,
  { part, maxBytes }: Upload,
  { refused, found }: HeadResult<Code>,
): Result<Uploaded, Refusal<"invalid_input" | Code>> {
  if (refused) return err(refused);
  const file = found && fileContent(body, delimiter, found.contentStart);
  if (!file) return err(invalidInput(part, "required", `a file part of this name is required, ${OTHER_PARTS}`));
  if (file.length > maxBytes) {
    const tooLarge = invalidInput(part, "too_long", `larger than ${maxBytes / 1024 ** 2} MiB`);
    return err({ ...tooLarge, bound: "body_size" });
  }
  return ok({ file, fields: found.fields });
}

interface HeadResult<Code extends ProblemCode> {
  readonly found?: MultipartHead;
  readonly refused?: Refusal<"invalid_input" | Code>;
}

/** Parses the parts before the file as they arrive; `receive` returns false when nothing more is to be read. */
function headReader<Code extends ProblemCode>(delimiter: string, part: string, checkFields: CheckFields<Code>) {
  let start = Buffer.alloc(0);
  let result: HeadResult<Code> = {};
  const parse = (): boolean => {
    const head = parseMultipartHead(start, delimiter, part);
    if (head === "incomplete") return true;
    if (head === "malformed") {
      result = { refused: invalidInput(part, "required", `a file part of this name is required, ${OTHER_PARTS}`) };
      return false;
    }
    const allowed = checkFields(head.fields);
    result = allowed.ok ? { found: head } : { refused: allowed.error };
    return allowed.ok;
  };
  return {
    receive(chunk: Uint8Array): boolean {
      if (result.found) return true;
      start = Buffer.concat([start, chunk]);
      return parse();
    },
    result: () => result,
  };
}
