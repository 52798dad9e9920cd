import postgres from "postgres";
import { systemClock } from "../src/base/clock.ts";
import { systemRandom } from "../src/base/random.ts";
import { hashKey, makeKeyText } from "../src/models/service-account/key-format.ts";

/** Inserts a key by SQL: the creation by the API requires a step-up. `organizationId` null: of the platform. */
export async function insertKey(
  databaseUrl: string,
  { organizationId, scopes }: { readonly organizationId: string | null; readonly scopes: readonly string[] },
): Promise<string> {
  const random = systemRandom(systemClock);
  const { key, keyId } = makeKeyText(random, "bench");
  const [accountId, id] = [random.uuid(), random.uuid()];
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`
    insert into service_accounts (id, organization_id, name, created_at)
    values (${accountId}, ${organizationId}, 'bench', now())`;
  await sql`
    insert into api_keys (id, service_account_id, key_id, key_hash, scopes, allowed_ips, allowed_referrers, expires_at,
                          created_at)
    values (${id}, ${accountId}, ${keyId}, ${hashKey(key)}, ${[...scopes]}, '{}', '{}', now() + interval '1 day',
            now())`;
  await sql.end();
  return key;
}
