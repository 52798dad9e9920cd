import type { Fragment, Sql } from "../../database/database.ts";

/** A row with a sealed secret, as it was read. */
export interface SealedRow {
  readonly provider: string;
  readonly revision: number;
}

/** The new sealed form of a secret. */
export interface SealedForm {
  readonly sealed: Buffer;
  readonly keyId: string;
}

/**
 * CTE fragment: replaces the sealed form of the same secret; no row if the row changed concurrently. `providers`: a
 * table with the columns provider, sealed_secret, key_id and revision.
 */
export function reseal(
  sql: Sql,
  providers: Fragment,
  { provider, revision }: SealedRow,
  { sealed, keyId }: SealedForm,
): Fragment {
  return sql`
    update ${providers} set sealed_secret = ${sealed}, key_id = ${keyId}, revision = revision + 1
    where provider = ${provider} and revision = ${revision}
    returning provider`;
}
