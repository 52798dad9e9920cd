import { err, ok, type Result } from "../base/result.ts";
import type { Database, Sql } from "./database.ts";

/**
 * A refusal inside a transaction: thrown, so that the transaction is rolled back as a whole. Work throws the refusal
 * itself where its callers have no refusal to pass on.
 */
export class RolledBack extends Error {
  readonly refusal: unknown;
  constructor(refusal: unknown) {
    super("refused");
    this.refusal = refusal;
  }
}

/** Runs a decision and its writes in one transaction; a refusal rolls every write back. */
export async function decideInTransaction<Value, Refusal>(
  database: Pick<Database, "transaction">,
  name: string,
  work: (sql: Sql) => Promise<Result<Value, Refusal>>,
): Promise<Result<Value, Refusal>> {
  try {
    const value = await database.transaction(name, async (sql) => {
      const result = await work(sql);
      if (!result.ok) throw new RolledBack(result.error);
      return result.value;
    });
    return ok(value);
  } catch (error) {
    if (error instanceof RolledBack) return err(error.refusal as Refusal);
    throw error;
  }
}

/** The statements of a transaction in place of the pool, for a step that runs in both. */
export function runIn(sql: Sql): Pick<Database, "run"> {
  return { run: (_statement, work) => work(sql) };
}
