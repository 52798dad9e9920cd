/**
 * The version of the row behind one resource, for `ETag` and `If-Match` (RFC 9110, sections 8.8.3 and 13.1). While a
 * handler runs, `Database` compares the expected version under the lock of the row, in the transaction of the change:
 * no flow needs a parameter, and no change between the comparison and the write is lost.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import type postgres from "postgres";

type Sql = postgres.ISql;

/** The row of a resource. Table and column are constants of the declaration, never input. */
export interface VersionedRow {
  readonly table: string;
  /** A unique column. */
  readonly column: string;
  readonly value: string;
  /** The organization that owns the row; null: the platform. Undefined: rows have no owner. */
  readonly owner: { readonly organizationId: string | null } | undefined;
}

/** What a change expects: one of the versions, any row, or no row. */
export type Expectation = { readonly oneOf: readonly string[] } | "any" | "none";

/** The row has another version than expected; the transaction is rolled back. */
export class PreconditionFailed extends Error {
  constructor() {
    super("the row has another version than expected");
  }
}

/** The versions that the statements of one handler have seen. */
export class VersionWatch {
  readonly row: VersionedRow;
  /** Undefined: no condition. */
  readonly expected: Expectation | undefined;
  /** `read`: the version before the statement, without a lock. `write`: under lock if there is a condition. */
  readonly mode: "read" | "write";
  /** The version of the response: null without a row; undefined where reads differ. */
  #seen: { readonly version: string | null; readonly isOwn: boolean } | "differs" | undefined;
  #isClosed = false;

  constructor(row: VersionedRow, mode: "read" | "write", expected: Expectation | undefined) {
    this.row = row;
    this.mode = mode;
    this.expected = expected;
  }

  /** True while the handler runs, until its own change: later statements neither compare nor change the version. */
  get isActive(): boolean {
    return !this.#isClosed && !(typeof this.#seen === "object" && this.#seen.isOwn);
  }

  /** Ends the watch: work after the response is not compared. */
  close(): void {
    this.#isClosed = true;
  }

  /** The version of the body of the response; undefined if the body may be older. */
  get version(): string | undefined {
    return typeof this.#seen === "object" ? (this.#seen.version ?? undefined) : undefined;
  }

  /** Compares the version before a statement. */
  compare(version: string | null): void {
    if (this.expected !== undefined && !fits(this.expected, version)) throw new PreconditionFailed();
    const first = this.#seen === undefined || (typeof this.#seen === "object" && this.#seen.version === version);
    this.#seen = first ? { version, isOwn: false } : "differs";
  }

  /** Keeps the version after the commit of the change of the handler. */
  keepOwn(version: string | null): void {
    this.#seen = { version, isOwn: true };
  }
}

function fits(expected: Expectation, version: string | null): boolean {
  if (expected === "none") return version === null;
  // An absent row is the problem of the flow (404): a condition of a change needs a row.
  if (version === null) return true;
  return expected === "any" || expected.oneOf.includes(version);
}

const watches = new AsyncLocalStorage<VersionWatch>();

/** Runs a handler whose statements are watched. */
export async function watchVersion<T>(watch: VersionWatch, work: () => Promise<T> | T): Promise<T> {
  try {
    return await watches.run(watch, async () => await work());
  } finally {
    watch.close();
  }
}

/** The watch of the running handler. */
function activeWatch(): VersionWatch | undefined {
  const watch = watches.getStore();
  return watch?.isActive ? watch : undefined;
}

interface ReadVersion {
  /** Null: there is no row. */
  readonly version: string | null;
  /** Whether the present transaction wrote the row. */
  readonly isOwn: boolean;
}

/** The version of a row. `lock`: other changes of the row wait until the transaction ends. */
async function readVersion(
  sql: Sql,
  { table, column, value, owner }: VersionedRow,
  lock: boolean,
): Promise<ReadVersion> {
  // The id of the writing transaction differs after every change, also within one tick of the clock.
  const [row] = await sql<{ version: string; isOwn: boolean }[]>`
    select xmin::text || ' ' || extract(epoch from updated_at)::text as version,
           coalesce(xmin::text = pg_current_xact_id_if_assigned()::xid::text, false) as "isOwn"
    from ${sql(table)}
    where ${sql(column)} = ${value}
      ${owner ? sql`and organization_id is not distinct from ${owner.organizationId}::uuid` : sql``}
    ${lock ? sql`for no key update` : sql``}`;
  if (!row) return { version: null, isOwn: false };
  const version = createHash("sha256").update(`${table} ${row.version}`).digest("base64url").slice(0, VERSION_LENGTH);
  return { version, isOwn: row.isOwn };
}

const VERSION_LENGTH = 22;

/** The statements of a database (`Database`). */
interface Statements {
  run<T>(statement: string, work: (sql: Sql) => Promise<T>): Promise<T>;
  transaction<T>(name: string, work: (sql: Sql) => Promise<T>, turn?: string): Promise<T>;
}

/**
 * Compares versions while a handler is watched: a read has the version from before the read on the same connection, so
 * the body is as new or newer; a change runs in one transaction with the comparison. `isPrimary`: false for a replica,
 * which locks no row.
 */
export function watched({ run, transaction }: Statements, isPrimary: boolean): Statements {
  async function change<T>(
    watch: VersionWatch,
    name: string,
    work: (sql: Sql) => Promise<T>,
    turn?: string,
  ): Promise<T> {
    const { result, own } = await transaction(
      name,
      async (sql) => {
        const before = await readVersion(sql, watch.row, watch.expected !== undefined);
        watch.compare(before.version);
        const value = await work(sql);
        const after = await readVersion(sql, watch.row, false);
        // A version of another transaction, committed meanwhile, is no own change.
        const isDeleted = before.version !== null && after.version === null;
        return { result: value, own: after.isOwn || isDeleted ? after.version : undefined };
      },
      turn,
    );
    if (own !== undefined) watch.keepOwn(own);
    return result;
  }

  return {
    async run(statement, work) {
      const watch = activeWatch();
      if (!watch || (watch.mode === "write" && !isPrimary)) return await run(statement, work);
      if (watch.mode === "write") return await change(watch, statement, work);
      return await run(statement, async (sql) => {
        watch.compare((await readVersion(sql, watch.row, false)).version);
        return await work(sql);
      });
    },
    async transaction(name, work, turn) {
      const watch = activeWatch();
      return watch?.mode === "write" ? await change(watch, name, work, turn) : await transaction(name, work, turn);
    },
  };
}
