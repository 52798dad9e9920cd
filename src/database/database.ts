import type postgres from "postgres";
import { DATABASE_CLIENT_NAME, markConnectionName } from "../base/compatibility-0-1.ts";
import { deadlineWatch } from "../base/deadline-watch.ts";
import { keyedTurns } from "../base/keyed-turns.ts";
import { DatabaseUnavailable } from "../base/unavailable.ts";
import {
  DATABASE_CONNECT_TIMEOUT_SECONDS,
  DATABASE_DEADLINE_MS,
  DATABASE_QUEUE_MAX,
  DATABASE_RECONNECT_PAUSE_MAX_SECONDS,
  DATABASE_TURN_MAX,
  TRANSACTION_ATTEMPTS,
} from "../limits/database-limits.ts";
import { inQuerySpan } from "../telemetry/spans.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { type Caller, openConnections } from "./connections.ts";
import { LIST_TYPES } from "./list-types.ts";
import { watched } from "./row-version.ts";
import { pooledStartupParameters, startupParameters } from "./server-settings.ts";
import { inTransaction } from "./transaction.ts";

/** A connection pool or a transaction. */
export type Sql = postgres.ISql;
/** A statement fragment: a `sql\`…\`` that is not awaited but embedded in another statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/**
 * Access to PostgreSQL. Every statement goes through `run` or `transaction`, which add a name (span and metric), bound
 * the number of waiting statements, and enforce a client-side deadline.
 */
export interface Database {
  /**
   * Runs a single statement. `statement` is the name in spans and metrics, for example `session.rotate`. A deadlock
   * rolls the statement back, so the statement is retried.
   */
  run<T>(statement: string, work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Runs several statements atomically. Deadlocks and serialization failures are retried. Transactions of one `turn`,
   * such as changes of one organization that lock the same rows, run in sequence in this process and occupy one
   * connection: they wait for one another in memory, without a time-out of a lock, and no further tenant waits.
   */
  transaction<T>(name: string, work: (sql: Sql) => Promise<T>, turn?: string): Promise<T>;
  close(): Promise<void>;
}

/** The pooler between this service and PostgreSQL (SERVICE_DATABASE_POOLER, docs/decisions/0011). */
export type Pooler = "none" | "session" | "transaction";

export interface DatabaseOptions {
  readonly url: string;
  readonly connections: number;
  /** Default: `none`. */
  readonly pooler?: Pooler;
  readonly telemetry: Telemetry;
  /** Name of the pool in metrics. Default: primary. */
  readonly name?: string;
  /** From `run` to the response, in milliseconds. Default: `DATABASE_DEADLINE_MS`. */
  readonly deadlineMs?: number;
  readonly onNotice?: (message: string) => void;
}

/** deadlock_detected, serialization_failure (PostgreSQL manual, appendix A): a retry can succeed. */
const RETRIABLE = new Set(["40P01", "40001"]);

/** The SQLSTATE of a server error, or the driver's own code; `undefined` for anything else. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The name of the violated unique constraint (SQLSTATE 23505); `undefined` for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  if (errorCode(error) !== "23505") return undefined;
  return error instanceof Error && "constraint_name" in error ? String(error.constraint_name) : undefined;
}

interface PendingStatement extends Caller {
  readonly statement: string;
  readonly reject: (error: Error) => void;
  readonly deadlineAt: number;
}

export function openDatabase(options: DatabaseOptions): Database {
  const { clock, metrics } = options.telemetry;
  const { deadlineMs = DATABASE_DEADLINE_MS } = options;
  const connections = openConnections({
    url: markConnectionName(options.url),
    max: options.connections,
    clock,
    deadlineMs,
    driver: {
      connect_timeout: DATABASE_CONNECT_TIMEOUT_SECONDS,
      idle_timeout: 60,
      // The driver's default pauses grow to twenty seconds, which would delay the recovery.
      backoff: (attempts: number) => Math.min(2 ** attempts / 100, DATABASE_RECONNECT_PAUSE_MAX_SECONDS),
      fetch_types: false,
      types: LIST_TYPES,
      onnotice: (notice) => options.onNotice?.(String(notice.message)),
      ...poolerSettings(options.pooler ?? "none"),
    },
  });
  const inTurn = transactionTurns(metrics);
  let underway = 0;
  metrics.observeConnections({
    name: options.name ?? "primary",
    max: options.connections,
    underway: () => underway,
  });
  const deadlines = deadlineWatch<PendingStatement>(clock, (pending) => {
    metrics.boundRefused("database_deadline");
    connections.cancel(pending);
    pending.reject(
      new DatabaseUnavailable(`${pending.statement}: no response from the database within ${deadlineMs} ms`),
    );
  });

  /**
   * Rejects after the deadline; work without a connection at the deadline never begins (G78). A late result is dropped;
   * the outcome of a late COMMIT is unknown (G27a).
   */
  function withDeadline<T>(statement: string, work: (caller: Caller) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const pending = { statement, reject, deadlineAt: clock.monotonic() + deadlineMs, cancelled: false };
      deadlines.add(pending);
      work(pending).then(
        (result) => {
          deadlines.delete(pending);
          resolve(result);
        },
        (error) => {
          deadlines.delete(pending);
          reject(error);
        },
      );
    });
  }

  async function bounded<T>(statement: string, work: (caller: Caller) => Promise<T>): Promise<T> {
    if (underway >= DATABASE_QUEUE_MAX) {
      metrics.boundRefused("database_queue");
      throw new DatabaseUnavailable(`database queue is full (${DATABASE_QUEUE_MAX}) at ${statement}`);
    }
    underway += 1;
    try {
      return await inQuerySpan(options.telemetry, statement, () => withDeadline(statement, work));
    } finally {
      underway -= 1;
    }
  }

  const statements: Pick<Database, "run" | "transaction"> = {
    run: (statement, work) => bounded(statement, (caller) => retried(() => connections.use(caller, work))),
    transaction: (name, work, turn) =>
      bounded(name, (caller) =>
        inTurn(name, turn, () =>
          retried(() => connections.use(caller, (sql, closed) => inTransaction(sql, closed, work))),
        ),
      ),
  };
  return {
    ...watched(statements, options.name === undefined),
    async close() {
      await connections.end(5);
      deadlines.close();
    },
  };
}

/** Runs work after earlier work of the turn; work without a turn at once. Throws beyond `DATABASE_TURN_MAX`. */
function transactionTurns(metrics: Telemetry["metrics"]) {
  const turns = keyedTurns(DATABASE_TURN_MAX);
  return <T>(name: string, turn: string | undefined, work: () => Promise<T>): Promise<T> => {
    const outcome = turn === undefined ? work() : turns.run(turn, work);
    if (outcome) return outcome;
    metrics.boundRefused("database_queue");
    throw new DatabaseUnavailable(`too many transactions of one turn wait (${DATABASE_TURN_MAX}) at ${name}`);
  };
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= TRANSACTION_ATTEMPTS || !RETRIABLE.has(errorCode(error) ?? "")) throw error;
    }
  }
}

/**
 * Options of a connection that depend on the pooler. With a pooler, the settings of sessions are settings of the
 * database role, made by `migrate` (`setRoleSettings`): PgBouncer refuses most of them as startup parameters. In
 * transaction mode every statement may reach another server connection, so no statement may be prepared.
 */
export function poolerSettings(pooler: Pooler) {
  const parameters = pooler === "none" ? startupParameters : pooledStartupParameters;
  return {
    prepare: pooler !== "transaction",
    connection: { application_name: DATABASE_CLIENT_NAME, ...parameters },
  };
}
