import { createHmac, timingSafeEqual } from "node:crypto";
import { createReadStream } from "node:fs";
import { defineCommand } from "citty";
import { configured } from "./configured.ts";

const NEWLINE = 10;

export const verifyAuditCommand = defineCommand({
  meta: { name: "verify", description: "Verify the signature and the count of an audit export" },
  args: { file: { type: "positional", required: true, description: "The downloaded export" } },
  async run({ args }) {
    const problem = await verifyExport(args.file, configured().auditExport.key);
    if (problem === undefined) return;
    console.error(`${args.file}: ${problem}`);
    process.exitCode = 1;
  },
});

/**
 * Returns what is wrong with an export, or `undefined`. The signature covers the bytes, so lines are split only at LF.
 */
async function verifyExport(path: string, key: string): Promise<string | undefined> {
  const hmac = createHmac("sha256", key);
  let count = 0;
  let last: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path)) {
    const text: Buffer = Buffer.concat([last, chunk]);
    const end = text.lastIndexOf(NEWLINE, text.length - 2) + 1;
    hmac.update(text.subarray(0, end));
    for (let at = text.indexOf(NEWLINE); at !== -1 && at < end; at = text.indexOf(NEWLINE, at + 1)) count += 1;
    last = text.subarray(end);
  }
  const trailer = readTrailer(last.toString());
  if (!trailer) return "the last line is not a trailer: the file is truncated or not an export";
  if (trailer.count !== count) return `the trailer counts ${trailer.count} rows, the file has ${count}`;
  const expected = Buffer.from(`sha256=${hmac.digest("hex")}`);
  const found = Buffer.from(trailer.signature);
  if (found.length !== expected.length || !timingSafeEqual(found, expected)) {
    return "the signature is invalid: the export was changed or signed with another key";
  }
  console.log(`${path}: ${count} rows, the signature is valid`);
  return undefined;
}

function readTrailer(line: string): { readonly signature: string; readonly count: number } | undefined {
  try {
    const { _signature: signature, _count: count } = JSON.parse(line);
    return typeof signature === "string" && Number.isInteger(count) ? { signature, count } : undefined;
  } catch {
    return undefined;
  }
}
