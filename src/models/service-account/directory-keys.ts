/** The API keys of directories. */
import type { Sql } from "../../database/database.ts";
import { type ApiKey, apiKeyColumns } from "./api-key.ts";

/** A live key with a scope of directories, with the name of the service account. */
export interface DirectoryKey extends ApiKey {
  readonly accountName: string;
}

/** The live keys of an organization with a scope of directories, the next to expire first, at most `limit`. */
export async function listDirectoryKeys(
  sql: Sql,
  organizationId: string,
  at: Date,
  limit: number,
): Promise<DirectoryKey[]> {
  return await sql<DirectoryKey[]>`
    select ${apiKeyColumns(sql)}, a.name as "accountName"
    from api_keys k join service_accounts a on a.id = k.service_account_id
    where a.organization_id = ${organizationId} and k.revoked_at is null and k.expires_at > ${at}
      and k.scopes && array['scim.read', 'scim.write']
    order by k.expires_at, k.id limit ${limit}`;
}
