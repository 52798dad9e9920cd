/** The row of a user whom an administrator or a program creates (docs/contract.md, section 36.1). */
import type { users } from "../../../db/schema/users.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { RowOf } from "../../database/row.ts";
import { type Metadata, storedMetadata } from "../conditions/stored-metadata.ts";

type UserRow = RowOf<typeof users>;

export interface NewAccount
  extends Metadata,
    Pick<UserRow, "id" | "email" | "externalId" | "displayName" | "locale" | "timeZone" | "passwordHash"> {
  /** True: the address counts as controlled, as by an accepted invitation. */
  readonly emailVerified: boolean;
  /** True: the password of the request, and not a hash of another service. */
  readonly isNewPassword: boolean;
  readonly disabled: boolean;
  /** The organization of the first sign-in; null: any. */
  readonly lastOrganizationId: UserRow["lastOrganizationId"];
  /** A past time of a migration, or the time of the request. */
  readonly createdAt: Date;
  readonly at: Date;
}

/**
 * CTE fragment: inserts an account; one row (id). A registered or reserved address violates `users_email_key` or
 * `user_emails_email_key`, an external id in use `users_external_id_key`.
 */
export function insertAccount(sql: Sql, account: NewAccount): Fragment {
  const { at, emailVerified, passwordHash, disabled } = account;
  const verifiedAt = emailVerified ? at : null;
  return sql`
    insert into users (id, email, email_verified_at, controlled_at, password_hash, last_password_change, display_name,
                       locale, time_zone, disabled_at, last_organization_id, external_id, public_metadata,
                       private_metadata, created_at, updated_at)
    values (${account.id}, ${account.email}, ${verifiedAt}, ${verifiedAt}, ${passwordHash},
            ${account.isNewPassword ? at : null}, ${account.displayName}, ${account.locale}, ${account.timeZone},
            ${disabled ? at : null}, ${account.lastOrganizationId}, ${account.externalId},
            ${storedMetadata(sql, account.publicMetadata)}, ${storedMetadata(sql, account.privateMetadata)},
            ${account.createdAt}, ${at})
    returning id`;
}
