/** A small table that every replica holds in memory: read again after an own write, when another replica tells of one, and by a poll. */
import { FOLLOWED_TABLE_BLOCK_MS, FOLLOWED_TABLE_POLL_MS, FOLLOWED_TABLE_STREAM_MAX_ENTRIES } from "../base/limits.ts";
import { type Loop, startLoop } from "../base/loop.ts";
import type { State } from "./state.ts";

export interface FollowedTable {
  /** Loads it. Rejects when Postgres is away, and may then be called again. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** It was just written here: loads it, and tells the other replicas. */
  changed(): Promise<void>;
}

export interface FollowedTableDeps {
  readonly state: State;
  /** Redis stream on which replicas tell each other. Gone: the poll finds it. */
  readonly stream: string;
  /** Reads the table and keeps what it found. Never runs twice at once. */
  readonly load: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

export function followTable({ state, stream, load, onFailure }: FollowedTableDeps): FollowedTable {
  let loops: readonly Loop[] = [];
  let position: string | undefined;
  let loading: Promise<void> | undefined;
  let again = false;

  async function loadAll(): Promise<void> {
    try {
      do {
        again = false;
        await load();
      } while (again);
    } finally {
      // Synchronously with the last look at `again`: whoever comes later starts a load of its own.
      loading = undefined;
    }
  }

  /** A write that comes while a load is under way is read by another one after it. */
  function loadOnce(): Promise<void> {
    again = loading !== undefined;
    loading ??= loadAll();
    return loading;
  }

  async function follow(): Promise<void> {
    position ??= await state.position(stream);
    const read = await state.read(stream, position, FOLLOWED_TABLE_BLOCK_MS, FOLLOWED_TABLE_STREAM_MAX_ENTRIES);
    position = read.position;
    if (read.messages.length > 0) await loadOnce();
  }

  return {
    async start() {
      await loadOnce();
      if (loops.length > 0) return;
      loops = [
        startLoop({ pauseMs: 0, round: follow, onFailure }),
        startLoop({ pauseMs: FOLLOWED_TABLE_POLL_MS, round: loadOnce, onFailure }),
      ];
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
    async changed() {
      await loadOnce();
      await state.append(stream, "changed", FOLLOWED_TABLE_STREAM_MAX_ENTRIES);
    },
  };
}
