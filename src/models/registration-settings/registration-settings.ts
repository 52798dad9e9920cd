import type { Fragment, Sql } from "../../database/database.ts";
import { json } from "../../database/json.ts";
import type { StoredRegistration } from "../../vocabulary/registration.ts";

/** Redis stream that announces a change to the replicas. Lost: the poll of PostgreSQL finds the change. */
export const REGISTRATION_STREAM = "service:registration";

/** The stored row. */
export interface RegistrationRow {
  readonly settings: StoredRegistration;
  readonly revision: number;
  readonly updatedAt: Date;
}

/** The row, if any, as a list. */
export async function listRegistrationSettings(sql: Sql): Promise<RegistrationRow[]> {
  return await sql<RegistrationRow[]>`
    select settings, revision, updated_at as "updatedAt" from registration_settings`;
}

/** CTE fragment: stores the settings under the next revision, and returns the row. */
export function replaceRegistrationSettings(sql: Sql, settings: StoredRegistration, at: Date): Fragment {
  return sql`
    insert into registration_settings as stored (id, settings, revision, updated_at)
    values (true, ${json(sql, settings)}, 1, ${at})
    on conflict (id) do update
      set settings = excluded.settings, revision = stored.revision + 1, updated_at = excluded.updated_at
    returning settings, revision, updated_at as "updatedAt"`;
}
