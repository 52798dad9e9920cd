import { toBase64 } from "../../../clients/js/src/audit/note.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { findAuditEvent } from "../../models/audit/find-event.ts";
import { findLeaf, inclusionProof } from "../../models/transparency-log/transparency-log.ts";
import { findCheckpoint } from "../steps/audit/find-checkpoint.ts";
import type { AuditReader } from "../steps/authorization/authorize-audit-read.ts";

/** docs/contract.md, section 17.8. */
export interface RecordProof {
  readonly format: "audit-record/1";
  /** The signed note. */
  readonly checkpoint: string;
  readonly leaf: number;
  /** In base64, from the leaf to the root (RFC 6962, section 2.1.1). */
  readonly hashes: readonly string[];
  /** The record as in an export. */
  readonly record: Readonly<Record<string, unknown>>;
}

const NO_RECORD = refusal("not_found", "There is no such audit record.");
const NOT_IN_LOG = refusal("conflict", "No published checkpoint covers the record yet. Try again in a few seconds.");

/**
 * GET /v1/audit-logs/:event_id/proof (docs/contract.md, section 17.8). A record that the caller may not read counts as
 * not found.
 */
export async function proveRecord(
  deps: Pick<Deps, "database" | "auditLog">,
  { caller, eventId }: { readonly caller: AuditReader; readonly eventId: string },
): Promise<Result<RecordProof, Refusal<"not_found" | "conflict">>> {
  const { database } = deps;
  const { organizationIds } = caller;
  const found = await database.run("audit.find", (sql) => findAuditEvent(sql, { eventId, organizationIds }));
  if (!found) return err(NO_RECORD);
  const leaf = await database.run("transparency_tile.find_leaf", (sql) => findLeaf(sql, found.id));
  const published = leaf === undefined ? undefined : findCheckpoint(deps, leaf + 1);
  if (leaf === undefined || !published) return err(NOT_IN_LOG);
  const { note, checkpoint } = published;
  const hashes = await database.run("transparency_tile.list", (sql) => inclusionProof(sql, leaf, checkpoint.size));
  const record = JSON.parse(found.record);
  return ok({ format: "audit-record/1", checkpoint: note, leaf, hashes: hashes.map(toBase64), record });
}
