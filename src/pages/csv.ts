/** Downloads of lists as CSV (RFC 4180). */
import { type Reply, textReply } from "../http/reply.ts";

/** A spreadsheet evaluates a cell that begins with one of these characters, full-width forms included. */
const FORMULA_START = /^\s*[=+\-@\uff0b\uff0d\uff1d\uff20]/u;
/** Without the mark, spreadsheets read UTF-8 as a local encoding. */
const BYTE_ORDER_MARK = "\ufeff";

/** A quoted cell. A leading apostrophe makes a spreadsheet display a formula as text (OWASP, CSV injection). */
function csvCell(text: string): string {
  const guarded = FORMULA_START.test(text) ? `'${text}` : text;
  return `"${guarded.replaceAll('"', '""')}"`;
}

export function csvReply(filename: string, rows: readonly (readonly string[])[]): Reply {
  const lines = rows.map((row) => `${row.map(csvCell).join(",")}\r\n`);
  return textReply(200, "text/csv; charset=utf-8", BYTE_ORDER_MARK + lines.join(""), {
    headers: { "content-disposition": `attachment; filename="${filename}"` },
  });
}
