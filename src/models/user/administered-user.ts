/** The view of users for administrators of the platform and programs (docs/contract.md, section 36.1). */
import type { users } from "../../../db/schema/users.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { type Metadata, storedMetadata } from "../conditions/stored-metadata.ts";
import { type Profile, profileColumns } from "./profile.ts";

type UserRow = RowOf<typeof users>;

/** A profile with the members that the user does not read. Metadata are present in single responses, and on request. */
export interface AdministeredUser extends Profile, Partial<Metadata>, Pick<UserRow, "externalId" | "managedBy"> {}

/** Columns of `AdministeredUser`, of the table alias `u`. */
export function administeredColumns(sql: Sql, withMetadata: boolean): Fragment {
  const metadata = sql`,
    coalesce(u.public_metadata, '{}') as "publicMetadata", coalesce(u.private_metadata, '{}') as "privateMetadata"`;
  return sql`
    ${profileColumns(sql)}, u.external_id as "externalId", u.managed_by as "managedBy"
    ${withMetadata ? metadata : sql``}`;
}

export async function findAdministeredUser(sql: Sql, userId: string): Promise<AdministeredUser | undefined> {
  const [row] = await sql<AdministeredUser[]>`
    select ${administeredColumns(sql, true)} from users u where u.id = ${userId}`;
  return row;
}

/** The user with a key of a program; keys compare exactly. */
export async function findUserByExternalId(sql: Sql, externalId: string): Promise<AdministeredUser | undefined> {
  const [row] = await sql<AdministeredUser[]>`
    select ${administeredColumns(sql, true)} from users u where u.external_id = ${externalId}`;
  return row;
}

/** The external ids in use. */
export async function takenExternalIds(sql: Sql, externalIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ externalId: string; id: string }[]>`
    select external_id as "externalId", id from users where external_id = any(${[...externalIds]}::text[])`;
  return new Map(rows.map(({ externalId, id }) => [externalId, id]));
}

/** The values that an administrator or a program sets. */
export type AccountValues = Pick<AdministeredUser, "displayName" | "locale" | "timeZone" | "externalId"> & Metadata;

/** CTE fragment: stores the values of a locked user. An external id in use violates `users_external_id_key`. */
export function updateAccountValues(sql: Sql, userId: string, values: AccountValues, at: Date): Fragment {
  const { displayName, locale, timeZone, externalId, publicMetadata, privateMetadata } = values;
  return sql`
    update users
    set display_name = ${displayName}, locale = ${locale}, time_zone = ${timeZone}, external_id = ${externalId},
        public_metadata = ${storedMetadata(sql, publicMetadata)},
        private_metadata = ${storedMetadata(sql, privateMetadata)}, updated_at = ${at}
    where id = ${userId} returning id`;
}

/** The constraint of the external id. */
export const EXTERNAL_ID_CONSTRAINT = "users_external_id_key";
