#!/usr/bin/env node
/** `identity-service-client verify …`: for auditors who trust nobody. It depends on Node.js 20 and nothing else. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { parseArgs } from "node:util";
import { verifyExport, verifyRecord } from "../dist/audit.js";

const USAGE = `Usage:
  identity-service-client verify <export> --proof <file> --key <keys> [--checkpoint <file>] [--tree-size <n>]
                                 [--organization <id>] [--retained-from <time>] [--tolerance <seconds>]
  identity-service-client verify-record <proof> --key <keys> [--event-id <id>]

--key: verifier keys, or a file with one a line: of the log, and of witnesses.
Exit code 0: everything that is printed was shown; 1: it was not; 2: wrong usage.`;
/** The document of one record is smaller than a line of an export. */
const RECORD_PROOF_MAX_BYTES = 1024 * 1024;

const text = { type: "string" };
const COMMANDS = {
  verify: {
    run: verifyFile,
    needs: ["proof", "key"],
    options: {
      ...{ proof: text, key: text, checkpoint: text, organization: text },
      ...{ "tree-size": text, "retained-from": text, tolerance: text },
    },
  },
  "verify-record": { run: verifyRecordFile, needs: ["key"], options: { key: text, "event-id": text } },
};

class UsageError extends Error {}

async function main([name, ...args]) {
  const command = Object.hasOwn(COMMANDS, name ?? "") ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError("There is no such command.");
  const { positionals, values } = readArgs(args, command.options);
  const lacking = command.needs.find((each) => !values[each]);
  if (positionals.length !== 1 || lacking)
    throw new UsageError(lacking ? `--${lacking} is missing.` : "One file is needed.");
  const shown = await command.run(positionals[0], values);
  for (const line of shown) console.log(line);
}

function readArgs(args, options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

async function verifyFile(path, options) {
  const verdict = await verifyExport({
    lines: (await open(path)).createReadStream(),
    proof: (await open(options.proof)).createReadStream(),
    keys: readKeys(options.key),
    clockToleranceMs: numberOf(options.tolerance ?? "600", "tolerance") * 1000,
    sha256: (bytes) => createHash("sha256").update(bytes).digest(),
    ...(options.checkpoint ? { kept: readFileSync(options.checkpoint, "utf8") } : {}),
    ...(options["tree-size"] ? { treeSize: numberOf(options["tree-size"], "tree-size") } : {}),
    ...(options["retained-from"] ? { retainedFrom: options["retained-from"] } : {}),
    ...(options.organization ? { organizationId: options.organization } : {}),
  });
  if (!verdict.ok)
    throw new Error(`${path}: ${verdict.line === null ? "" : `line ${verdict.line}: `}${verdict.problem}`);
  return describeExport(path, verdict);
}

/** What was shown, a sentence a line. */
function describeExport(path, verdict) {
  const { lines, firstLeaf, lastLeaf, period, organizationId, checkpoint } = verdict;
  const last = period.to ?? (verdict.later === 0 ? "the last" : `leaf ${lastLeaf}`);
  const shown = [`${path}: ${lines} records, from ${period.from ?? "the first"} to ${last}`];
  if (organizationId !== null) {
    shown.push(`of organization ${organizationId}; the log has signed that these are all of them`);
    shown.push(`${verdict.other} leaves are of others, and shown as hashes`);
  }
  shown.push(`leaves ${firstLeaf} to ${lastLeaf}, of which the period leaves out ${verdict.leftOut}`);
  if (period.from !== null) shown.push(`${firstLeaf} leaves before the first one have no record here`);
  if (period.to !== null)
    shown.push(`${verdict.treeSize - 1 - lastLeaf} leaves after the last one have no record here`);
  if (verdict.later > 0) shown.push(`${verdict.later} later leaves are not in this export`);
  if (verdict.dropped > 0) {
    shown.push(`${verdict.dropped} leaves have no record, as of before ${verdict.retainedFrom}`);
    shown.push(`the first line is of ${verdict.firstTimestamp}`);
  }
  const extended = verdict.keptSignedBy.length > 0 ? ", which extends the kept checkpoint" : "";
  shown.push(`of ${checkpoint.size} in ${checkpoint.origin}${extended}`, `signed by ${verdict.signedBy.join(", ")}`);
  if (extended) shown.push(`the kept checkpoint is signed by ${verdict.keptSignedBy.join(", ")}`);
  return shown;
}

async function verifyRecordFile(path, options) {
  if (statSync(path).size > RECORD_PROOF_MAX_BYTES) throw new Error(`${path}: the document is too long`);
  const eventId = options["event-id"];
  const evidence = { proof: readFileSync(path, "utf8"), keys: readKeys(options.key), ...(eventId ? { eventId } : {}) };
  const verdict = await verifyRecord(evidence);
  if (!verdict.ok) throw new Error(`${path}: ${verdict.problem}`);
  const { record, leaf, checkpoint, signedBy } = verdict;
  return [
    `${path}: ${record.action} of ${record.timestamp} (${record.event_id})`,
    `is leaf ${leaf} of ${checkpoint.size} in ${checkpoint.origin}`,
    `signed by ${signedBy.join(", ")}`,
  ];
}

/** Each key is one word. */
function readKeys(keys) {
  const content = existsSync(keys) ? readFileSync(keys, "utf8") : keys;
  return content.split(/\s+/).filter((key) => key !== "");
}

function numberOf(value, name) {
  if (!/^\d{1,15}$/.test(value)) throw new UsageError(`--${name} must be a whole number.`);
  return Number(value);
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error.message);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
