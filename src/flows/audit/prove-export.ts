import { toBase64 } from "../../../clients/js/src/audit/note.ts";
import { writeProofHeader } from "../../../clients/js/src/audit/proof.ts";
import { subtreesBetween } from "../../../clients/js/src/audit/range-check.ts";
import { PROOF_RETRY_AFTER_SECONDS } from "../../base/audit-limits.ts";
import { invalidInput } from "../../base/invalid-input.ts";
import { EXPORT_DEADLINE_MS, EXPORT_RETRY_AFTER_SECONDS } from "../../base/limits.ts";
import { type Refusal, rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { openSpool, type Spool } from "../../base/spool.ts";
import type { Deps } from "../../deps.ts";
import { periodCondition, recordJson } from "../../models/audit/export-query.ts";
import { hashesOf } from "../../models/transparency-log/log.ts";
import { proofQuery } from "../../models/transparency-log/proof-query.ts";
import type { PublishedLog } from "../../models/transparency-log/published-log.ts";
import type { ExportCaller } from "../steps/authorize-audit-export.ts";
import { findCheckpoint } from "../steps/find-checkpoint.ts";
import { type Period, validatePeriod } from "./period.ts";

export type ProofDeps = Pick<Deps, "config" | "database" | "clock" | "random" | "exporting" | "reads" | "auditLog">;

export interface ProofInput {
  readonly caller: ExportCaller;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** `X-Service-Audit-Tree-Size` of the export. */
  readonly treeSize: number;
  /** The size of a checkpoint that the auditor kept. */
  readonly keptSize: number | undefined;
}

export interface ExportProof {
  /** The first line. */
  readonly head: string;
  /** All other lines. Owned by the caller: reading it to its end closes it; otherwise the caller must close it. */
  readonly spool: Spool;
  readonly bytes: number;
}

/**
 * GET /v1/admin/audit-export/proof (docs/contract.md, section 17.7). Refuses with `invalid_input`, and `rate_limited`
 * beyond `EXPORTS_MAX` and while the checkpoint of that size is about to be published. Throws when the spool or the
 * database fails; the spool is closed in every case.
 */
export async function proveExport(
  deps: ProofDeps,
  input: ProofInput,
): Promise<Result<ExportProof, Refusal<"invalid_input" | "rate_limited">>> {
  const period = validatePeriod(input.from, input.to);
  if (!period.ok) return period;
  const published = findCheckpoint(deps, input.treeSize);
  if (!published) {
    return err(
      rateLimited("proof_checkpoint", PROOF_RETRY_AFTER_SECONDS, "no checkpoint of that size is published yet"),
    );
  }
  if (input.keptSize !== undefined && input.keptSize > published.checkpoint.size) {
    return err(invalidInput("kept_size", "too_large", "the log is smaller"));
  }
  const spool = openSpool(deps.config.spoolDirectory, deps.random.uuid());
  try {
    const proved = await fillSpool(deps, spool, input, period.value, published);
    if (!proved.ok) spool.close();
    return proved;
  } catch (error) {
    spool.close();
    throw error;
  }
}

async function fillSpool(
  deps: ProofDeps,
  spool: Spool,
  input: ProofInput,
  period: Period,
  published: PublishedLog,
): Promise<Result<ExportProof, Refusal<"rate_limited">>> {
  const [primaryUrl = ""] = (await deps.reads.exportUrls(input.caller.reader)).slice(-1);
  const scope = { period: periodCondition(period), record: recordJson("a"), treeSize: input.treeSize };
  const result = await deps.exporting.run({
    databaseUrl: primaryUrl,
    query: proofQuery(scope),
    key: undefined,
    fd: spool.fd,
    deadlineMs: EXPORT_DEADLINE_MS,
  });
  if (!result.ok && result.code === "queue_full") {
    return err(rateLimited("export_slots", EXPORT_RETRY_AFTER_SECONDS, "two exports are running"));
  }
  if (!result.ok) throw new Error(`proof of an audit export failed: ${result.code}`);
  const head = await composeHeader(deps, input, period, published, JSON.parse(result.head));
  return ok({ head: `${head}\n`, spool, bytes: result.bytes });
}

/** `range`: first leaf, last leaf and lines, as the query found them. */
async function composeHeader(
  deps: ProofDeps,
  { treeSize, keptSize: kept }: ProofInput,
  { from, to }: Period,
  { note, checkpoint }: PublishedLog,
  [first, last, lines]: readonly [number | null, number | null, number],
): Promise<string> {
  const [firstLeaf, lastLeaf] = [first ?? 0, last ?? -1];
  const keptSize = kept ?? null;
  const before = subtreesBetween(0, firstLeaf, keptSize);
  const after = subtreesBetween(lastLeaf + 1, checkpoint.size, keptSize);
  const hashes = await deps.database.run("transparency_tile.list", (sql) => hashesOf(sql, [...before, ...after]));
  const header = {
    checkpoint: note,
    treeSize,
    from: from?.toISOString() ?? null,
    to: to?.toISOString() ?? null,
    retainedFrom: retainedFrom(deps),
    keptSize,
    firstLeaf,
    lastLeaf,
    lines,
    leftOut: lastLeaf - firstLeaf + 1 - lines,
    left: hashes.slice(0, before.length),
    right: hashes.slice(before.length),
  };
  return writeProofHeader(header, toBase64);
}

/** The beginning of the first month that retention keeps; null without retention. */
function retainedFrom({ config, clock }: ProofDeps): string | null {
  if (config.auditRetentionMs === undefined) return null;
  const oldest = new Date(clock.now() - config.auditRetentionMs);
  return new Date(Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth())).toISOString();
}
