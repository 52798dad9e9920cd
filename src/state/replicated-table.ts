/**
 * A small table that every replica holds in memory. Reloaded after a write of this replica, after a stream message of
 * any replica, and by a poll.
 */

import { type Loop, startLoop } from "../base/loop.ts";
import type { Database, Sql } from "../database/database.ts";
import {
  REPLICATED_TABLE_BLOCK_MS,
  REPLICATED_TABLE_POLL_MS,
  REPLICATED_TABLE_STREAM_MAX_ENTRIES,
} from "../limits/state-limits.ts";
import type { Logger } from "../telemetry/log.ts";
import type { State } from "./state.ts";

export interface ReplicatedTable {
  /** Loads the table. Rejects when PostgreSQL is away; may then be called again. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Called after a write: reloads the table and notifies the replicas. */
  changed(): Promise<void>;
}

/** A replicated table of which some rows change without a load of the table. */
export interface ReplicatedTableWithRows extends ReplicatedTable {
  /** Called after a write of rows: no replica loads the table. */
  changedRow(id: string): Promise<void>;
}

export interface ReplicatedRowsDeps {
  readonly database: Database;
  readonly state: State;
  readonly log: Logger;
}

export interface ReplicatedRowsSpec<Row, Held> {
  /** As in `ReplicatedTableDeps`. */
  readonly stream: string;
  /** `db.operation.name` of the statement. */
  readonly operation: string;
  readonly list: (sql: Sql) => Promise<readonly Row[]>;
  /** The form of the rows in memory. */
  readonly hold: (rows: readonly Row[]) => Held;
  /** The noun of the log line, in the plural. */
  readonly noun: string;
  /** As in `ReplicatedTableDeps`. */
  readonly forget?: (id: string) => void;
}

/** A replicated table whose rows PostgreSQL lists in one statement. `held`: the rows of the last load. */
export function replicateRows<Row, Held>(
  { database, state, log }: ReplicatedRowsDeps,
  { stream, operation, list, hold, noun, forget }: ReplicatedRowsSpec<Row, Held>,
): ReplicatedTableWithRows & { held(): Held } {
  let held = hold([]);
  const table = replicateTable({
    state,
    stream,
    ...(forget ? { forget } : {}),
    async load() {
      held = hold(await database.run(operation, list));
    },
    onFailure: (error) => log.debug({ err: error }, `${noun} could not be read; the last known ones stay in use`),
  });
  return { ...table, held: () => held };
}

export interface ReplicatedTableDeps {
  readonly state: State;
  /** Redis stream of change notifications. Lost: the poll finds the change. */
  readonly stream: string;
  /** Reads the table into memory. Never runs concurrently with itself. */
  readonly load: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  /** Forgets a row outside of the table. */
  readonly forget?: (id: string) => void;
  /**
   * Reads the rows of ids into memory. Never runs concurrently with itself or `load`. Default, without `forget`: a
   * message about a row loads the table.
   */
  readonly loadRows?: (ids: readonly string[]) => Promise<void>;
}

/** The message about the table. Other messages are ids of rows. */
const TABLE_CHANGED = "changed";

export function replicateTable(deps: ReplicatedTableDeps): ReplicatedTableWithRows {
  const { state, stream, load, onFailure, forget, loadRows } = deps;
  let following: Loop | undefined;
  let polling: Loop | undefined;
  let position: string | undefined;
  let loading: Promise<void> | undefined;
  let isTableStale = false;
  const staleRows = new Set<string>();

  async function loadStale(): Promise<void> {
    try {
      while (isTableStale || staleRows.size > 0) {
        const [ids, isWhole] = [[...staleRows], isTableStale];
        staleRows.clear();
        isTableStale = false;
        await (isWhole || !loadRows ? load() : loadRows(ids));
      }
    } finally {
      // Synchronously after the last check of the loop: a later call starts a load of its own.
      loading = undefined;
    }
  }

  /** A call during a load triggers one more load afterwards. */
  function loadOnce(): Promise<void> {
    isTableStale = true;
    loading ??= loadStale();
    return loading;
  }

  /** As `loadOnce`, of the rows alone. */
  function loadRowsOnce(ids: readonly string[]): Promise<void> {
    for (const id of ids) staleRows.add(id);
    loading ??= loadStale();
    return loading;
  }

  async function follow(isStopped: () => boolean): Promise<void> {
    position ??= await state.position(stream);
    const read = await state.read(stream, position, REPLICATED_TABLE_BLOCK_MS, REPLICATED_TABLE_STREAM_MAX_ENTRIES);
    position = read.position;
    const rows = read.messages.filter((message) => message !== TABLE_CHANGED);
    for (const id of rows) forget?.(id);
    const isWhole = rows.length < read.messages.length || (rows.length > 0 && !forget && !loadRows);
    if (isStopped() || (!isWhole && !(loadRows && rows.length > 0))) return;
    await (isWhole ? loadOnce() : loadRowsOnce(rows));
  }

  return {
    async start() {
      await loadOnce();
      following ??= startLoop({ pauseMs: 0, round: follow, onFailure });
      polling ??= startLoop({ pauseMs: REPLICATED_TABLE_POLL_MS, round: loadOnce, onFailure });
    },
    async stop() {
      // A draining replica does not wait for a message: the read ends with the connection.
      void following?.stop();
      await polling?.stop();
      await loading?.catch(onFailure);
    },
    async changed() {
      await loadOnce();
      await state.append(stream, TABLE_CHANGED, REPLICATED_TABLE_STREAM_MAX_ENTRIES);
    },
    async changedRow(id) {
      forget?.(id);
      if (loadRows) await loadRowsOnce([id]);
      await state.append(stream, id, REPLICATED_TABLE_STREAM_MAX_ENTRIES);
    },
  };
}
