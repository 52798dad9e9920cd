import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { defineCommand } from "citty";
import { type ExportVerdict, verifyExport } from "../../clients/js/src/audit.ts";
import type { Config } from "../config/config.ts";
import { configured } from "./configured.ts";

const NEWLINE = 10;

export const verifyAuditCommand = defineCommand({
  meta: {
    name: "verify",
    description: "Verify an audit export: its signature and count, or with --proof against the transparency log",
  },
  args: {
    file: { type: "positional", required: true, description: "The downloaded export" },
    proof: {
      type: "string",
      description: "Its proof; then neither configuration nor the key of the signature is needed",
    },
    key: { type: "string", description: "Verifier keys, or a file with one a line: of the log, and of witnesses" },
    checkpoint: { type: "string", description: "A checkpoint that was kept earlier: the log must extend it" },
    "tree-size": { type: "string", description: "X-Service-Audit-Tree-Size of the export" },
    "retained-from": { type: "string", description: "A time: records of before may have been dropped by retention" },
    organization: { type: "string", description: "The id of the organization that the export must be of" },
    tolerance: { type: "string", description: "Seconds by which clocks may differ (default: 600)" },
  },
  async run({ args }) {
    const unused = ["key", "checkpoint", "tree-size", "retained-from", "organization", "tolerance"].find(
      (name) => name in args,
    );
    if (!args.proof && unused) {
      console.error(`--${unused} is for --proof, which is missing: without it, only the signature would be verified.`);
      process.exitCode = 2;
      return;
    }
    const problem = args.proof
      ? await verifyProof(args.file, args.proof, args)
      : await verifyExportSignature(args.file, configured().auditExport);
    if (problem === undefined) return;
    console.error(`${args.file}: ${problem}`);
    process.exitCode = 1;
  },
});

interface ProofOptions {
  readonly key?: string | undefined;
  readonly checkpoint?: string | undefined;
  readonly "tree-size"?: string | undefined;
  readonly "retained-from"?: string | undefined;
  readonly organization?: string | undefined;
  readonly tolerance?: string | undefined;
}

/** Returns the flaw of an export with a proof, or `undefined`. Throws when an option cannot be used. */
async function verifyProof(path: string, proofPath: string, options: ProofOptions): Promise<string | undefined> {
  const tolerance = Number(options.tolerance ?? 600);
  if (!(tolerance >= 0)) throw new Error("--tolerance must be a number of seconds.");
  const { "tree-size": treeSize, "retained-from": retainedFrom } = options;
  if (treeSize && !/^\d{1,15}$/.test(treeSize)) throw new Error("--tree-size must be a number of leaves.");
  const verdict = await verifyExport({
    lines: createReadStream(path),
    proof: createReadStream(proofPath),
    keys: readKeys(options.key),
    clockToleranceMs: tolerance * 1000,
    sha256: (bytes) => createHash("sha256").update(bytes).digest(),
    ...(options.checkpoint ? { kept: readFileSync(options.checkpoint, "utf8") } : {}),
    ...(treeSize ? { treeSize: Number(treeSize) } : {}),
    ...(retainedFrom ? { retainedFrom } : {}),
    ...(options.organization ? { organizationId: options.organization } : {}),
  });
  if (!verdict.ok) return verdict.line === null ? verdict.problem : `line ${verdict.line}: ${verdict.problem}`;
  for (const line of describe(path, verdict)) console.log(line);
  return undefined;
}

/** The verified statements, one sentence per line. */
function describe(path: string, verdict: Extract<ExportVerdict, { readonly ok: true }>): readonly string[] {
  const { lines, firstLeaf, lastLeaf, leftOut, dropped, retainedFrom, firstTimestamp, later, period } = verdict;
  const { treeSize, checkpoint, signedBy, keptSignedBy } = verdict;
  const last = period.to ?? (later === 0 ? "the last" : `leaf ${lastLeaf}`);
  const sentences = [`${path}: ${lines} records, from ${period.from ?? "the first"} to ${last}`];
  if (verdict.organizationId !== null)
    sentences.push(`of organization ${verdict.organizationId}; the log has signed that these are all of them`);
  if (lines > 0) sentences.push(`leaves ${firstLeaf} to ${lastLeaf}, of which the period leaves out ${leftOut}`);
  if (period.from !== null) sentences.push(`${firstLeaf} leaves before the first line have no record here`);
  if (period.to !== null) sentences.push(`${treeSize - 1 - lastLeaf} leaves after the last line have no record here`);
  if (later > 0) sentences.push(`${later} later leaves are not in this export`);
  if (dropped > 0) {
    sentences.push(`${dropped} leaves have no record, as of before ${retainedFrom}`);
    sentences.push(`the first line is of ${firstTimestamp}`);
  }
  const extended = keptSignedBy.length > 0 ? ", which extends the kept checkpoint" : "";
  sentences.push(`of ${checkpoint.size} in ${checkpoint.origin}${extended}`, `signed by ${signedBy.join(", ")}`);
  if (keptSignedBy.length > 0) sentences.push(`the kept checkpoint is signed by ${keptSignedBy.join(", ")}`);
  return sentences;
}

/** A key is a word without white space. */
function readKeys(keys: string | undefined): readonly string[] {
  if (keys === undefined) throw new Error("--key is missing: the verifier key of the log, which you keep yourself.");
  const text = existsSync(keys) ? readFileSync(keys, "utf8") : keys;
  return text.split(/\s+/).filter((key) => key !== "");
}

/** Returns the flaw of an export, or `undefined`. The signature covers the bytes, so lines are split only at LF. */
async function verifyExportSignature(
  path: string,
  { key, insecure }: Config["auditExport"],
): Promise<string | undefined> {
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
  const worth = insecure ? ", but SERVICE_AUDIT_EXPORT_KEY is unset: anyone can make one" : "";
  console.log(`${path}: ${count} rows, the signature is valid${worth}`);
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
