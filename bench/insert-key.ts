import postgres from "postgres";
import { systemClock } from "../src/base/clock.ts";
import { systemRandom } from "../src/base/random.ts";
import { hashKey, makeKeyText } from "../src/models/service-account/key-format.ts";

interface ProgramSettings {
  /** Null: a program of the platform. */
  readonly organizationId: string | null;
  readonly scopes: readonly string[];
}

export interface InsertedProgram {
  readonly accountId: string;
  readonly key: string;
}

/** Inserts a service account and a key by SQL: the creation by the API requires a step-up. */
export async function insertProgram(
  databaseUrl: string,
  { organizationId, scopes }: ProgramSettings,
): Promise<InsertedProgram> {
  const random = systemRandom(systemClock);
  const { key, keyId } = makeKeyText(random, "bench");
  const [accountId, id] = [random.uuid(), random.uuid()];
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`
    insert into service_accounts (id, organization_id, name, created_at)
    values (${accountId}, ${organizationId}, 'bench', now())`;
  await sql`
    insert into api_keys (id, service_account_id, key_id, key_hash, scopes, permissions, allowed_ips,
                          allowed_referrers, expires_at, created_at)
    values (${id}, ${accountId}, ${keyId}, ${hashKey(key)}, ${[...scopes]}, ${[...scopes]}, '{}', '{}',
            now() + interval '1 day', now())`;
  await sql.end();
  return { accountId, key };
}

/** Inserts a program and returns the key. */
export async function insertKey(databaseUrl: string, settings: ProgramSettings): Promise<string> {
  return (await insertProgram(databaseUrl, settings)).key;
}
