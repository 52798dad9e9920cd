/** The leaves of rows of the trail, hashed in steps: between two steps the thread serves requests. */
import type { LoopTurns } from "../../base/loop-turns.ts";
import { SEQUENCER_STEP } from "../../limits/audit-limits.ts";
import type { TrailRow } from "../../models/audit/trail.ts";
import { type Leaf, leafOf } from "../../models/transparency-log/tiles.ts";

/** The leaves in the order of the rows; `SEQUENCER_STEP` rows in a turn of the event loop. */
export async function hashRows(rows: readonly TrailRow[], steps: LoopTurns): Promise<Leaf[]> {
  const leaves: Leaf[] = [];
  for (const [index, { id, record }] of rows.entries()) {
    if (index % SEQUENCER_STEP === 0) await steps.next();
    leaves.push({ rowId: id, hash: leafOf(record) });
  }
  return leaves;
}
