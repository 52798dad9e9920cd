/** Searches for texts in every place where a deployment stores data: PostgreSQL, the outbox, Redis, the logs. */
import { Redis } from "ioredis";
import { deriveKey, sealingKey } from "../../src/base/seal.ts";
import { openEmail } from "../../src/models/email/email.ts";
import type { Deployment } from "./deployment.ts";
import { TEST_SECRET } from "./replica.ts";
import { redisUrl } from "./services.ts";

const sealing = sealingKey(deriveKey(TEST_SECRET, "seal/v1"));

/** Returns the places with one of the texts: `<table>`, `outbox: <kind>`, `redis: <key>`, `log of <replica>`. */
export async function placesOf(at: Deployment, texts: readonly string[]): Promise<string[]> {
  const found = await Promise.all([inTables(at, texts), inOutbox(at, texts), inRedis(texts), inLogs(at, texts)]);
  return found.flat();
}

const includes = (stored: string, texts: readonly string[]) =>
  texts.some((text) => stored.toLowerCase().includes(text.toLowerCase()));

/**
 * The text of every row, with bytes as hexadecimal digits. A search in the lower-cased row takes a fifth of the time of
 * `ilike` with the patterns, in a database that other files have filled.
 */
async function inTables({ sql }: Deployment, texts: readonly string[]): Promise<string[]> {
  const searched = texts.flatMap((text) => [text.toLowerCase(), Buffer.from(text).toString("hex")]);
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'm') and not c.relispartition`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql`
      select 1 from ${sql(name)} t, lateral (select lower(t::text) as stored offset 0) r
      where exists (select from unnest(${searched}::text[]) s where strpos(r.stored, s) > 0) limit 1`;
    if (rows.length > 0) found.push(name);
  }
  return found;
}

async function inOutbox({ sql }: Deployment, texts: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string; kind: string; sealed: Buffer }[]>`
    select id, kind, sealed_letter as sealed from outbox`;
  return rows.flatMap(({ id, kind, sealed }) =>
    includes(JSON.stringify(openEmail(sealing, id, sealed)), texts) ? [`outbox: ${kind}`] : [],
  );
}

async function inRedis(texts: readonly string[]): Promise<string[]> {
  const redis = new Redis(await redisUrl(), { maxRetriesPerRequest: 1 });
  try {
    const found: string[] = [];
    for await (const keys of redis.scanStream({ count: 1_000 })) {
      for (const key of keys as string[]) {
        if (includes(`${key} ${JSON.stringify(await readValue(redis, key))}`, texts)) found.push(`redis: ${key}`);
      }
    }
    return found;
  } finally {
    redis.disconnect();
  }
}

async function readValue(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  const readers: Readonly<Record<string, () => Promise<unknown>>> = {
    string: () => redis.get(key),
    hash: () => redis.hgetall(key),
    list: () => redis.lrange(key, 0, -1),
    set: () => redis.smembers(key),
    zset: () => redis.zrange(key, "0", "-1"),
    stream: () => redis.xrange(key, "-", "+"),
    // The key has expired since the scan.
    none: async () => null,
  };
  const read = readers[type];
  if (!read) throw new Error(`a Redis key of the unknown type ${type}`);
  return await read();
}

async function inLogs({ one, other }: Deployment, texts: readonly string[]): Promise<string[]> {
  return [one, other].flatMap(({ url, output }) => (includes(output(), texts) ? [`log of ${url}`] : []));
}
