import type { Fragment, Sql } from "../../database/database.ts";
import { cte, withParts } from "../../database/statement.ts";
import { EMAIL_CODE_ATTEMPTS_MAX } from "../../limits/credential-limits.ts";

/** A presented code, by the id of the row and the keyed hash. */
export interface CodeAttempt {
  readonly id: string;
  readonly codeHash: Buffer;
  readonly at: Date;
}

/** CTEs of the comparing statement, written for each row of their `from`. */
export type WhenWrong = (from: Fragment) => Readonly<Record<string, Fragment>>;

/**
 * Counts one attempt against a code and compares, in one statement: of 40 parallel attempts five are compared (G3).
 * Returns whether the code is right; undefined for a locked or deleted code, without a comparison. `codes`: a table
 * with the columns id, code_hash, attempts and expires_at. `whenWrong` counts every failed attempt.
 */
export async function claimAttempt(
  sql: Sql,
  codes: Fragment,
  attempt: CodeAttempt,
  whenWrong: WhenWrong,
): Promise<boolean | undefined> {
  const claimed = cte(sql, "claimed");
  const statement = withParts(sql, {
    claimed: sql`
      update ${codes} set attempts = attempts + 1
      where id = ${attempt.id} and attempts < ${EMAIL_CODE_ATTEMPTS_MAX} and expires_at > ${attempt.at}
      returning code_hash = ${attempt.codeHash} as matches`,
    ...whenWrong(sql`from ${claimed} where not ${claimed}.matches`),
  });
  const [row] = await sql<{ matches: boolean }[]>`${statement} select matches from ${claimed}`;
  return row?.matches;
}
