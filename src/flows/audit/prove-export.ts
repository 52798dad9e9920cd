import { toBase64 } from "../../../clients/js/src/audit/note.ts";
import { statementOf, writeProofHeader } from "../../../clients/js/src/audit/proof.ts";
import { subtreesBetween } from "../../../clients/js/src/audit/range-check.ts";
import { invalidInput } from "../../base/invalid-input.ts";
import { type Refusal, rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { openSpool, type Spool } from "../../base/spool.ts";
import type { AuditDeps } from "../../deps.ts";
import {
  EXPORT_DEADLINE_MS,
  EXPORT_RETRY_AFTER_SECONDS,
  PROOF_RETRY_AFTER_SECONDS,
} from "../../limits/audit-limits.ts";
import { periodCondition, recordJson } from "../../models/audit/export-query.ts";
import { organizationProofQuery } from "../../models/transparency-log/organization-proof-query.ts";
import { proofQuery } from "../../models/transparency-log/proof-query.ts";
import type { PublishedLog } from "../../models/transparency-log/published-log.ts";
import { hashesOf } from "../../models/transparency-log/transparency-log.ts";
import type { OrganizationRange } from "../../pool/protocol.ts";
import { findCheckpoint } from "../steps/audit/find-checkpoint.ts";
import type { ExportCaller } from "../steps/authorization/authorize-audit-export.ts";
import { type Period, validatePeriod } from "./period.ts";

export interface ProofInput {
  readonly caller: ExportCaller;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** `X-Service-Audit-Tree-Size` of the export. */
  readonly treeSize: number;
  /** The size of a checkpoint in the auditor's possession. */
  readonly keptSize: number | undefined;
}

export interface ExportProof {
  /** The first line. */
  readonly head: string;
  /**
   * All further lines. Owned by the caller: reading the spool to its end closes the spool; otherwise the caller must
   * close it.
   */
  readonly spool: Spool;
  readonly bytes: number;
}

/**
 * GET /v1/admin/audit-export/proof (docs/contract.md, section 17.7). Throws when the spool or the database fails; the
 * spool is closed in every case.
 */
export async function proveExport(
  deps: AuditDeps,
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
  deps: AuditDeps,
  spool: Spool,
  input: ProofInput,
  period: Period,
  published: PublishedLog,
): Promise<Result<ExportProof, Refusal<"rate_limited">>> {
  const [primaryUrl = ""] = (await deps.reads.exportUrls(input.caller.reader)).slice(-1);
  const result = await deps.exporting.run({
    databaseUrl: primaryUrl,
    ...queryOf(input, period),
    key: undefined,
    fd: spool.fd,
    deadlineMs: EXPORT_DEADLINE_MS,
  });
  if (!result.ok && result.code === "queue_full") {
    return err(rateLimited("export_slots", EXPORT_RETRY_AFTER_SECONDS, "two exports are running"));
  }
  if (!result.ok) throw new Error(`proof of an audit export failed: ${result.code}`);
  const head = await composeHeader(deps, input, period, published, rangeOf(input, result.head));
  return ok({ head: `${head}\n`, spool, bytes: result.bytes });
}

function queryOf({ caller, treeSize, keptSize }: ProofInput, period: Period) {
  const scope = { period: periodCondition(period), record: recordJson("a"), treeSize };
  if (caller.only === undefined) return { query: proofQuery(scope) };
  const bounds = { hasFrom: period.from !== undefined, hasTo: period.to !== undefined };
  const query = organizationProofQuery({ ...scope, ...bounds, organizationId: caller.only });
  return { query, organizationBorder: keptSize ?? null };
}

/** The range found by the worker. */
type Range = Pick<OrganizationRange, "first" | "last" | "lines"> & Partial<OrganizationRange>;

function rangeOf({ caller }: ProofInput, head: string): Range {
  if (caller.only !== undefined) return JSON.parse(head);
  const [first, last, lines] = JSON.parse(head);
  return { first: first ?? 0, last: last ?? -1, lines };
}

async function composeHeader(
  deps: AuditDeps,
  { caller, treeSize, keptSize: kept }: ProofInput,
  { from, to }: Period,
  { note, checkpoint }: PublishedLog,
  range: Range,
): Promise<string> {
  const { first: firstLeaf, last: lastLeaf, lines } = range;
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
    leftOut: range.leftOut ?? lastLeaf - firstLeaf + 1 - lines,
    left: hashes.slice(0, before.length),
    right: hashes.slice(before.length),
  };
  if (caller.only === undefined) return writeProofHeader(header, toBase64);
  const { other = 0, nobody = 0, root = "" } = range;
  const organization = { organizationId: caller.only, other, nobody, statement: "" };
  const { origin } = checkpoint;
  const text = statementOf(origin, { ...header, organization }, Buffer.from(root, "base64"));
  const statement = deps.auditLog.signStatement(origin, text) ?? "";
  return writeProofHeader({ ...header, organization: { ...organization, statement } }, toBase64);
}

/** The beginning of the first month within retention; null without retention. */
function retainedFrom({ config, clock }: AuditDeps): string | null {
  if (config.auditRetentionMs === undefined) return null;
  const oldest = new Date(clock.now() - config.auditRetentionMs);
  return new Date(Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth())).toISOString();
}
