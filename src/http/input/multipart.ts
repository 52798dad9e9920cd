/**
 * Parses `multipart/form-data` (RFC 7578) with one file, within bounds on the parts and on the content before the file.
 */
import { BOUNDARY_MAX_CHARACTERS, SMALL_BODY_MAX_BYTES, UPLOAD_PARTS_MAX } from "../../limits/body-limits.ts";

const MULTIPART_TYPE = /^multipart\/form-data\s*;/i;
const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i;
const DISPOSITION = /^content-disposition:\s*form-data\s*((?:;.*)?)$/im;
const NAME = /;\s*name=(?:"([^"]*)"|([^\s;"]+))/i;
const FILE_NAME = /;\s*filename\*?=/i;
const LINE_END = "\r\n";
const HEADERS_END = "\r\n\r\n";

/** The line that separates parts; undefined for another content type. */
export function delimiterOf(contentType: string): string | undefined {
  const [, quoted, plain] = (MULTIPART_TYPE.test(contentType) && BOUNDARY.exec(contentType)) || [];
  const boundary = quoted ?? plain ?? "";
  return boundary !== "" && boundary.length <= BOUNDARY_MAX_CHARACTERS ? `--${boundary}` : undefined;
}

/** The parts before the file. */
export interface MultipartHead {
  readonly fields: URLSearchParams;
  /** Offset of the first byte of the file. */
  readonly contentStart: number;
}

/**
 * Parses the beginning of a body up to the content of the file part. `incomplete`: more bytes are needed; `malformed`:
 * no further byte helps.
 */
export function parseMultipartHead(
  received: Buffer,
  delimiter: string,
  filePart: string,
): MultipartHead | "incomplete" | "malformed" {
  const start = received.subarray(0, SMALL_BODY_MAX_BYTES);
  const unfinished = start.length < SMALL_BODY_MAX_BYTES ? "incomplete" : "malformed";
  const fields = new URLSearchParams();
  let at = start.indexOf(delimiter);
  if (at === -1) return unfinished;
  for (let parts = 0; parts < UPLOAD_PARTS_MAX; parts += 1) {
    const headersStart = at + delimiter.length;
    if (start.toString("latin1", headersStart, headersStart + 2) === "--") return "malformed";
    const headersEnd = start.indexOf(HEADERS_END, headersStart);
    if (headersEnd === -1) return unfinished;
    const { name, isFile } = dispositionOf(start.toString("utf8", headersStart, headersEnd));
    const contentStart = headersEnd + HEADERS_END.length;
    if (isFile && name === filePart) return { fields, contentStart };
    const contentEnd = start.indexOf(LINE_END + delimiter, contentStart);
    if (contentEnd === -1) return unfinished;
    if (!isFile) fields.append(name, start.toString("utf8", contentStart, contentEnd));
    at = contentEnd + LINE_END.length;
  }
  return "malformed";
}

/** The content of the file part; undefined if the end of the file is missing or too many parts follow. */
export function fileContent(body: Buffer, delimiter: string, contentStart: number): Buffer | undefined {
  const separator = LINE_END + delimiter;
  const end = body.indexOf(separator, contentStart);
  let at = end;
  for (let parts = 0; at !== -1 && parts < UPLOAD_PARTS_MAX; parts += 1) {
    const next = at + separator.length;
    if (body.toString("latin1", next, next + 2) === "--") return body.subarray(contentStart, end);
    at = body.indexOf(separator, next);
  }
  return undefined;
}

function dispositionOf(headers: string): { readonly name: string; readonly isFile: boolean } {
  const [, parameters = ""] = DISPOSITION.exec(headers) ?? [];
  const [, quoted, plain] = NAME.exec(parameters) ?? [];
  return { name: quoted ?? plain ?? "", isFile: FILE_NAME.test(parameters) };
}
