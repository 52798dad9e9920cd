/** The deletion log of backups: ids of erased users and organizations (docs/contract.md, section 30.3). */
import { isUuid } from "../../base/random.ts";
import { pagesById } from "../../database/pages-by-id.ts";
import { ERASURE_ROWS_BATCH } from "../../limits/deletion-limits.ts";
import { type ErasedSubject, insertReplayedDeletions, listTombstonesAfter } from "../../models/deletion/deletion.ts";
import { type EraseDeps, eraseEach } from "./erase.ts";

/** The lines of the deletion log, in batches. */
export async function* listDeletionLog({ database }: Pick<EraseDeps, "database">): AsyncGenerator<string[]> {
  const read = (after: string) =>
    database.run("deletion.list_tombstones", (sql) => listTombstonesAfter(sql, after, ERASURE_ROWS_BATCH));
  for await (const page of pagesById(ERASURE_ROWS_BATCH, read, ({ id }) => id)) {
    yield page.map(({ subjectType, subjectId }) =>
      JSON.stringify({ subject_type: subjectType, subject_id: subjectId }),
    );
  }
}

/** Reads one line of the deletion log; undefined for a line of a different format. */
export function parseDeletionLine(line: string): ErasedSubject | undefined {
  try {
    const { subject_type: subjectType, subject_id: subjectId } = JSON.parse(line);
    const isSubject = (subjectType === "user" || subjectType === "organization") && isUuid(subjectId);
    return isSubject ? { subjectType, subjectId } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Erases the listed users and organizations that a restored backup contains again. Repeatable: a listed subject without
 * a row stays erased. Returns the number of failures.
 */
export async function replayDeletions(deps: EraseDeps, subjects: readonly ErasedSubject[]): Promise<number> {
  const at = new Date(deps.clock.now());
  const ids = subjects.map(() => deps.random.uuid());
  const due = await deps.database.run("deletion.insert_replayed", (sql) =>
    insertReplayedDeletions(sql, ids, subjects, at),
  );
  return await eraseEach(deps, due, at);
}
