import postgres from "postgres";
import {
  DATABASE_CONNECT_TIMEOUT_SECONDS,
  DATABASE_DEADLINE_MS,
  DATABASE_QUEUE_MAX,
  DATABASE_RECONNECT_PAUSE_MAX_SECONDS,
  DATABASE_STATEMENT_TIMEOUT_MS,
  TRANSACTION_ATTEMPTS,
} from "./limits.ts";
import { inQuerySpan, type Telemetry } from "./telemetry.ts";

/** A connection pool or a transaction: statements do not care which. */
export type Sql = postgres.ISql;
/** A piece of a statement that another statement takes in: `sql\`…\`` that nobody has awaited. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/**
 * The way to Postgres. Every statement goes through `run` or `transaction`, which name it (span and metric), bound how
 * many may wait, and give up on a server that does not answer.
 */
export interface Database {
  /**
   * One statement; `statement` is its name in spans and metrics, for example `session.rotate`. One that ran into a deadlock did nothing
   * and is tried again.
   */
  run<T>(statement: string, work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Several statements, all or none. Deadlocks and serialization failures are tried again. */
  transaction<T>(name: string, work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly connections: number;
  readonly telemetry: Telemetry;
  readonly onNotice?: (message: string) => void;
}

/** Deadlock detected, serialization failure (PostgreSQL manual, appendix A): the same work may succeed when tried again. */
const RETRIABLE = new Set(["40P01", "40001"]);

/** The SQLSTATE of a server error, or the driver's own code; `undefined` for anything else. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The unique constraint that a statement ran into (SQLSTATE 23505), if that is what happened. */
export function violatedConstraint(error: unknown): string | undefined {
  if (errorCode(error) !== "23505") return undefined;
  return error instanceof Error && "constraint_name" in error ? String(error.constraint_name) : undefined;
}

export function openDatabase(options: DatabaseOptions): Database {
  const sql = postgres(options.url, {
    max: options.connections,
    connect_timeout: DATABASE_CONNECT_TIMEOUT_SECONDS,
    idle_timeout: 60,
    // The driver's own pauses grow to twenty seconds, for which a server that is back would wait.
    backoff: (attempts: number) => Math.min(2 ** attempts / 100, DATABASE_RECONNECT_PAUSE_MAX_SECONDS),
    onnotice: (notice) => options.onNotice?.(String(notice.message)),
    connection: {
      application_name: "identity-service",
      statement_timeout: DATABASE_STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: DATABASE_STATEMENT_TIMEOUT_MS,
    },
  });
  let underway = 0;

  async function bounded<T>(statement: string, work: () => Promise<T>): Promise<T> {
    if (underway >= DATABASE_QUEUE_MAX)
      throw new Error(`database queue is full (${DATABASE_QUEUE_MAX}) at ${statement}`);
    underway += 1;
    try {
      return await inQuerySpan(options.telemetry, statement, () => withDeadline(statement, work()));
    } finally {
      underway -= 1;
    }
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

  return {
    run: (statement, work) => bounded(statement, () => retried(() => work(sql))),
    transaction: (name, work) =>
      bounded(name, () => retried(async () => (await sql.begin(work)) as Awaited<ReturnType<typeof work>>)),
    close: () => sql.end({ timeout: 5 }),
  };
}

/** Rejects after `DATABASE_DEADLINE_MS`. The late answer is dropped; what a late COMMIT did is unknown to the caller. */
function withDeadline<T>(statement: string, pending: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${statement}: no answer from the database in ${DATABASE_DEADLINE_MS} ms`)),
      DATABASE_DEADLINE_MS,
    );
    pending.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
