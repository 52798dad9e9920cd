/** The single use of a pushed request or of a signed request object. */
import type { OAuthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Database, Sql } from "../../../database/database.ts";
import { decideInTransaction } from "../../../database/decide.ts";

/** Consumes the reference. The problem of a reference that a parallel request has consumed. */
export type ConsumeReference = (sql: Sql) => Promise<Result<void, OAuthRefusal>>;

/**
 * Runs a statement in one transaction with the consumption of the reference of the request. A request without a
 * reference needs no transaction. An undefined result of the statement leaves the reference unused.
 */
export async function withReference<Value>(
  { database }: { readonly database: Pick<Database, "run" | "transaction"> },
  name: string,
  consume: ConsumeReference | undefined,
  work: (sql: Sql) => Promise<Value | undefined>,
): Promise<Result<Value | undefined, OAuthRefusal>> {
  if (!consume) return ok(await database.run(name, work));
  const decided = await decideInTransaction<Value, OAuthRefusal | undefined>(database, name, async (sql) => {
    const consumed = await consume(sql);
    if (!consumed.ok) return consumed;
    const value = await work(sql);
    return value === undefined ? err(undefined) : ok(value);
  });
  if (decided.ok) return decided;
  return decided.error ? err(decided.error) : ok(undefined);
}
