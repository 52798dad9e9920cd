import type { Deps } from "../../../deps.ts";
import { COSIGNATURE_WAIT_SECONDS } from "../../../limits/audit-limits.ts";
import type { PublishedLog } from "../../../models/transparency-log/published-log.ts";

/**
 * Returns the checkpoint for a proof: the newest cosigned checkpoint with at least `treeSize` leaves. While
 * cosignatures are pending, the result is undefined, so that the caller retries; with silent witnesses, and without
 * witnesses, the result is the newest published checkpoint.
 */
export function findCheckpoint({ auditLog }: Pick<Deps, "auditLog">, treeSize: number): PublishedLog | undefined {
  const covers = (log: PublishedLog | undefined) => log !== undefined && log.checkpoint.size >= treeSize;
  const [published, cosigned] = [auditLog.published(), auditLog.cosigned()];
  if (covers(cosigned) && cosigned?.checkpoint.origin === published?.checkpoint.origin) return cosigned;
  const waitSeconds = auditLog.cosignatureWait();
  if (!covers(published) || (waitSeconds !== undefined && waitSeconds < COSIGNATURE_WAIT_SECONDS)) return undefined;
  return published;
}
