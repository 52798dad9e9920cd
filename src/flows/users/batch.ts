/** Many users in one request, for migrations (docs/contract.md, section 36.1). */
import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, type Result } from "../../base/result.ts";
import type { SignInDeps } from "../../deps.ts";
import { USER_BATCH_PARALLEL } from "../../limits/management-limits.ts";
import { takenExternalIds } from "../../models/user/administered-user.ts";
import type { AccountAuthor } from "./account-author.ts";
import { type AccountFields, isExternalId } from "./account-fields.ts";
import { createAccount } from "./create.ts";

/** A row of a batch as sent: the fields, or the problem of a row of another form. */
export type BatchRow = Result<AccountFields, Refusal<"invalid_input">>;

export type BatchOutcome =
  | { readonly outcome: "created" | "exists"; readonly userId: string }
  | { readonly outcome: "refused"; readonly refusal: Refusal };

const PLAIN_PASSWORD = invalidInput("password", "not_allowed", "a batch accepts password_hash alone");

/**
 * POST /v1/admin/users/batch: one transaction for each row, so that a refused row stops no other row. A user whose
 * external id exists stays unchanged. Returns the outcomes in the order of the rows.
 */
export async function createUsers(
  deps: SignInDeps,
  { rows, ...author }: AccountAuthor & { readonly rows: readonly BatchRow[] },
): Promise<readonly BatchOutcome[]> {
  const externalIds = rows.flatMap((row) => (row.ok ? (row.value.externalId ?? []) : [])).filter(isExternalId);
  const known = await findKnown(deps, externalIds);
  const outcomes: BatchOutcome[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < rows.length; index = next++) {
      outcomes[index] = await createRow(deps, author, rows[index] as BatchRow, known);
    }
  };
  await Promise.all(Array.from({ length: USER_BATCH_PARALLEL }, work));
  return outcomes;
}

async function createRow(
  deps: SignInDeps,
  author: AccountAuthor,
  row: BatchRow,
  known: ReadonlyMap<string, string>,
): Promise<BatchOutcome> {
  if (!row.ok) return { outcome: "refused", refusal: row.error };
  const { externalId, password } = row.value;
  const existing = externalId ? known.get(externalId) : undefined;
  if (existing !== undefined) return { outcome: "exists", userId: existing };
  const created =
    password === undefined
      ? await createAccount(deps, { ...author, fields: row.value, source: "batch" })
      : err(PLAIN_PASSWORD);
  if (created.ok) return { outcome: "created", userId: created.value };
  if (created.error.code !== "conflict" || !externalId) return { outcome: "refused", refusal: created.error };
  // Another row or request created the user meanwhile.
  const userId = (await findKnown(deps, [externalId])).get(externalId);
  return userId === undefined ? { outcome: "refused", refusal: created.error } : { outcome: "exists", userId };
}

async function findKnown(deps: SignInDeps, externalIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (externalIds.length === 0) return new Map();
  return await deps.database.run("user.taken_external_ids", (sql) => takenExternalIds(sql, externalIds));
}
