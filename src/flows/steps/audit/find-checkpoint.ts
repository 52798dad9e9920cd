import type { Deps } from "../../../deps.ts";
import { COSIGNATURE_WAIT_SECONDS } from "../../../limits/audit-limits.ts";
import type { PublishedLog } from "../../../models/transparency-log/published-log.ts";

/**
 * The checkpoint for a proof: the newest cosigned one if it has so many leaves. Where cosignatures are about to come,
 * undefined, so that the caller retries; where witnesses are silent, and without witnesses, the newest published one.
 */
export function findCheckpoint({ auditLog }: Pick<Deps, "auditLog">, treeSize: number): PublishedLog | undefined {
  const covers = (log: PublishedLog | undefined) => log !== undefined && log.checkpoint.size >= treeSize;
  const [published, cosigned] = [auditLog.published(), auditLog.cosigned()];
  if (covers(cosigned) && cosigned?.checkpoint.origin === published?.checkpoint.origin) return cosigned;
  const waitSeconds = auditLog.cosignatureWait();
  if (!covers(published) || (waitSeconds !== undefined && waitSeconds < COSIGNATURE_WAIT_SECONDS)) return undefined;
  return published;
}
