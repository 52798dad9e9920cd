/** Creations of users that wait for their turn, and the batch in which the first one takes the others along. */
import { DIRECTORY_CREATIONS_AT_ONCE } from "../../limits/directory-limits.ts";
import type { CreationOutcome, WaitingCreation } from "../../models/directory/new-users.ts";

/** Creates the users of a batch, and returns their outcomes in the order of the batch. */
export type RunBatch = (batch: readonly WaitingCreation[]) => Promise<readonly CreationOutcome[]>;

export interface WaitingEntry {
  /** In its turn: the outcome by an earlier batch, or by a batch of all that wait. */
  run(runBatch: RunBatch): Promise<CreationOutcome>;
  /** Leaves without a turn. */
  leave(): void;
}

interface Entry {
  readonly creation: WaitingCreation;
  readonly outcome: PromiseWithResolvers<CreationOutcome>;
}

/** Returns a function that admits a creation to the next batch of a key; keys are in the order of arrival. */
export function creationBatches(): (keyId: string, creation: WaitingCreation) => WaitingEntry {
  const waiting = new Map<string, readonly Entry[]>();

  function remove(keyId: string, taken: readonly Entry[]): void {
    const rest = (waiting.get(keyId) ?? []).filter((entry) => !taken.includes(entry));
    if (rest.length > 0) waiting.set(keyId, rest);
    else waiting.delete(keyId);
  }

  function takeBatch(keyId: string, first: Entry): readonly Entry[] {
    const shared = (waiting.get(keyId) ?? []).filter(({ creation }) => creation.isShared);
    const batch = first.creation.isShared ? shared.slice(0, DIRECTORY_CREATIONS_AT_ONCE) : [first];
    remove(keyId, batch);
    return batch;
  }

  return (keyId, creation) => {
    const entry: Entry = { creation, outcome: Promise.withResolvers() };
    // The requester may await a failed batch only later, in its own turn; until then the rejection has this handler.
    entry.outcome.promise.catch(() => undefined);
    waiting.set(keyId, [...(waiting.get(keyId) ?? []), entry]);
    return {
      async run(runBatch) {
        if (waiting.get(keyId)?.includes(entry)) await settle(takeBatch(keyId, entry), runBatch);
        return await entry.outcome.promise;
      },
      leave: () => remove(keyId, [entry]),
    };
  };
}

async function settle(batch: readonly Entry[], runBatch: RunBatch): Promise<void> {
  try {
    const outcomes = await runBatch(batch.map(({ creation }) => creation));
    for (const [index, { outcome }] of batch.entries()) outcome.resolve(outcomes[index]);
  } catch (error) {
    for (const { outcome } of batch) outcome.reject(error);
  }
}
