import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import postgres from "postgres";
import { DATABASE_CLIENT_NAME_0_1_0, OLDER_REPLICA_GRACE_MS } from "../../src/base/compatibility-0-1.ts";
import { openDatabase } from "../../src/database/database.ts";
import { loadRing } from "../../src/models/signing-key/signing-key.ts";
import { splitCompact } from "../../src/models/token/compact.ts";
import { callerOf, DAY_MS, registerAccount, SECOND_MS } from "../support/accounts.ts";
import { type Flows, openFlows } from "../support/flows.ts";
import { silentTelemetry } from "../support/telemetry.ts";
import { eventually } from "../support/waiting.ts";

const MAX_AGE_MS = 90 * DAY_MS;
let flows: Flows;

beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const kids = ({ jwks }: Pick<Flows["deps"]["keyRing"], "jwks">) => {
  const rsaKeys = jwks().keys.filter(({ kty }) => kty === "RSA");
  return rsaKeys.map(({ kid }) => kid);
};
const headerOf = (token: string) => splitCompact(token, "access")?.header ?? "";

describe("the active signing key", () => {
  test("is replaced by the published next one once it is older than ninety days, and no verifier fails", async () => {
    const replica = flows.deps.keyRing;
    const [active, published] = [replica.active().kid, kids(replica)];
    const next = published.find((kid) => kid !== active);
    expect(published).toHaveLength(2);

    flows.clock.advance(MAX_AGE_MS);
    expect((await flows.keyRingAfterOneRound()).active().kid).toBe(active);
    const { signedIn } = await registerAccount(flows);
    const old = headerOf(signedIn.tokens.accessToken);

    flows.clock.advance(1);
    const rotated = await flows.keyRingAfterOneRound();
    expect(rotated.active().kid).toBe(String(next));
    expect(kids(rotated)).toHaveLength(3);
    expect(rotated.verifier(old)).toBeDefined();
    // A replica without the new key continues to sign with the old key, and verifies signatures of the new key.
    const ahead = await registerAccount({ deps: { ...flows.deps, keyRing: rotated } });
    flows.clock.advance(SECOND_MS);
    expect((await callerOf(flows, ahead.signedIn)).userId).toBe(ahead.userId);
    expect((await callerOf(flows, signedIn)).email).toBeString();
  });

  test("is replaced by a single one of two replicas at the same moment", async () => {
    flows.clock.advance(MAX_AGE_MS + 1);
    const before = (await flows.sql`select 1 from signing_keys where state = 'retiring'`).length;
    const rings = await Promise.all([flows.keyRingAfterOneRound(), flows.keyRingAfterOneRound()]);
    const states = await flows.sql<{ state: string }[]>`select state from signing_keys where state <> 'retiring'`;
    expect(states.map(({ state }) => state).sort()).toEqual(["active", "next"]);
    expect(new Set(rings.map((ring) => ring.active().kid)).size).toBe(1);
    expect((await flows.sql`select 1 from signing_keys where state = 'retiring'`).length).toBeLessThanOrEqual(
      before + 1,
    );
  });

  test("is forgotten once it has retired for longer than any token lives", async () => {
    const { keyRing } = flows.deps;
    await keyRing.reload();
    const retiring = keyRing.active().kid;
    flows.clock.advance(MAX_AGE_MS + 1);
    expect(kids(await flows.keyRingAfterOneRound())).toContain(retiring);
    flows.clock.advance(MAX_AGE_MS + 1);
    const ring = await flows.keyRingAfterOneRound();
    expect(kids(ring)).not.toContain(retiring);
    expect(kids(ring)).toHaveLength(3);
  });
});

describe("the key of refresh and MFA tokens", () => {
  test("signs unless a replica of version 0.1.0 was connected within the last ten seconds", async () => {
    const ring = flows.deps.keyRing;
    expect(ring.activeRefresh()).toBeDefined();
    const older = postgres(flows.databaseUrl, {
      max: 1,
      connection: { application_name: DATABASE_CLIENT_NAME_0_1_0 },
    });
    await older`select 1`;
    flows.clock.advance(SECOND_MS);
    await ring.reload();
    expect(ring.activeRefresh()).toBeUndefined();
    // A replica that has just started does not sign with the key during the grace period.
    expect((await flows.keyRingAfterOneRound()).activeRefresh()).toBeUndefined();
    await older.end();
    flows.clock.advance(OLDER_REPLICA_GRACE_MS - 1);
    await eventually("its connection is gone", 5_000, async () => {
      return (await flows.keyRingAfterOneRound()).activeRefresh() !== undefined;
    });
    await ring.reload();
    expect(ring.activeRefresh()).toBeUndefined();
    flows.clock.advance(1);
    expect(ring.activeRefresh()).toBeDefined();
  });

  test("does not sign beside a replica of 0.1.0 whose connections the operator named in DATABASE_URL", async () => {
    const url = `${flows.databaseUrl}?application_name=sign%20in&connect_timeout=5`;
    const database = openDatabase({ url, connections: 1, telemetry: await silentTelemetry() });
    const seesOlder = async () =>
      (await database.run("signing_key.load", (sql) => loadRing(sql, flows.deps.sealing.id))).olderReplicaConnected;
    expect(await seesOlder()).toBe(false);
    const older = postgres(url, { max: 1, connection: { application_name: DATABASE_CLIENT_NAME_0_1_0 } });
    await older`select 1`;
    expect(await seesOlder()).toBe(true);
    await Promise.all([older.end(), database.close()]);
  });
});
