import { expect, test } from "bun:test";
import { hashRows } from "../../../src/actors/audit-log-sequencer/hash-rows.ts";
import { loopTurns } from "../../../src/base/loop-turns.ts";
import { SEQUENCER_BATCH, SEQUENCER_STEP } from "../../../src/limits/audit-limits.ts";
import { leafOf } from "../../../src/models/transparency-log/tiles.ts";

test("The thread serves other work between the steps of an append; leaves have the order of the rows.", async () => {
  const rows = Array.from({ length: SEQUENCER_BATCH + 1 }, (_, id) => ({
    id,
    transactionId: "3",
    record: JSON.stringify({ event_id: id, metadata: {} }),
  }));
  let served = 0;
  const serve = () => {
    served += 1;
    serving = setImmediate(serve);
  };
  let serving = setImmediate(serve);
  const leaves = await hashRows(rows, loopTurns());
  clearImmediate(serving);
  expect(leaves).toEqual(rows.map(({ id, record }) => ({ rowId: id, hash: leafOf(record) })));
  expect(served).toBeGreaterThanOrEqual(SEQUENCER_BATCH / SEQUENCER_STEP);
});
