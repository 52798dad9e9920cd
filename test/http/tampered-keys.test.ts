/** An attacker who can write the table of signing keys and does not know the sealing secret. */
import { beforeAll, describe, expect, test } from "bun:test";
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import { Client, registered } from "../support/client.ts";
import { eventually } from "../support/deployment.ts";
import { startReplica } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";

/** Each key of the ring is published with the ES256 and the EdDSA key that are derived from the key. */
const KINDS_OF_KEY = 3;

const jwksOf = async (url: string): Promise<{ kid: string; n: string }[]> =>
  (await new Client(url).get("/.well-known/jwks.json")).body.keys;

async function start() {
  const databaseUrl = await freshDatabase();
  return { databaseUrl, replica: await startReplica({ DATABASE_URL: databaseUrl }), sql: openSql(databaseUrl) };
}

async function foreignJwk() {
  const { publicKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(publicKey)), alg: "RS256", use: "sig" };
}

const TAMPERINGS: [string, (jwk: object) => Promise<object>][] = [
  ["whose public half is another key's", async (jwk) => ({ ...jwk, n: (await foreignJwk()).n })],
  [
    "whose public half says another kid",
    async (jwk) => ({ ...jwk, kid: await calculateJwkThumbprint(await foreignJwk()) }),
  ],
  ["whose public half has a member more", async (jwk) => ({ ...jwk, x5u: "https://attacker.test/" })],
];

describe("a key of the ring", () => {
  // A deployment per attack, in parallel, because a replica reads the ring every five seconds.
  const deployments = new Map<string, { url: string; output: () => string; kid: string }>();
  beforeAll(async () => {
    await Promise.all(
      TAMPERINGS.map(async ([name, tamper]) => {
        const { replica, sql } = await start();
        const [next] = await sql`select kid, public_jwk from signing_keys where state = 'next'`;
        expect((await jwksOf(replica.url)).map(({ kid }) => kid)).toContain(next?.kid);
        await sql`
          update signing_keys set public_jwk = ${sql.json((await tamper(next?.public_jwk)) as never)}
          where state = 'next'`;
        deployments.set(name, { url: replica.url, output: () => replica.output(), kid: next?.kid });
      }),
    );
  });

  test.each(TAMPERINGS)("%s counts as absent, is not published, and is reported", async (name) => {
    const { url, output, kid } = deployments.get(name) as NonNullable<ReturnType<typeof deployments.get>>;
    await eventually("not published", 8_000, async () => (await jwksOf(url)).length === KINDS_OF_KEY);
    const line = `"kid":"${kid}","msg":"key ring: a key does not open`;
    await eventually("reported", 8_000, async () => output().includes(line));
  });

  test("that is active and tampered with leaves the keys at hand in use, and no replica starts with it", async () => {
    const { databaseUrl, replica, sql } = await start();
    const { accessToken } = await registered(replica.url);
    const before = await jwksOf(replica.url);
    const foreign = await foreignJwk();
    await sql`update signing_keys set public_jwk = public_jwk || ${sql.json(foreign as never)} where state = 'active'`;
    await eventually("reported", 8_000, async () => replica.output().includes("has no active key that opens"));
    expect(await jwksOf(replica.url)).toEqual(before);
    expect((await new Client(replica.url).get("/v1/auth/session", { bearer: accessToken })).status).toBe(200);
    const late = await startReplica({ DATABASE_URL: databaseUrl });
    expect((await new Client(late.url).get("/readyz")).status).toBe(503);
    expect(await jwksOf(late.url)).toEqual([]);
    await Promise.all([replica.kill(), late.kill()]);
  });
});
