/** Limits of emails to an address (docs/contract.md, section 20.2), for every kind and with a clock that moves. */
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { systemRandom } from "../../src/base/random.ts";
import { deriveKey, sealingKey } from "../../src/base/seal.ts";
import { EMAIL_KINDS, type EmailContent, insertEmail, sealEmail } from "../../src/models/email/email.ts";
import { deleteExpiredEmailLog, releaseHeldEmails } from "../../src/models/email/email-allowance.ts";
import { TEST_SECRET } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";

type Kind = EmailContent["kind"];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START = Date.parse("2026-03-01T00:00:00Z");
const LIMITS = {
  enabled: true,
  mail: { count: 5, seconds: 900 },
  mailNetwork: { count: 30, seconds: 3600 },
  mailAddress: { count: 60, seconds: 3600 },
  addressInvitations: { count: 30, seconds: 3600 },
};
const REQUESTS: readonly Kind[] = [
  "email_code",
  "email_verification",
  "email_change",
  "email_in_use",
  "password_reset",
  "sign_up_code",
  "sign_up_refused",
];
const INVITATIONS: readonly Kind[] = ["invitation", "organization_ready", "sso_setup_link"];
const NOTICES = EMAIL_KINDS.filter((kind) => !REQUESTS.includes(kind) && !INVITATIONS.includes(kind));
/** More than the held rows of all tests of this file. */
const BATCH = 1_000;
const random = systemRandom(systemClock);
const sealing = sealingKey(deriveKey(TEST_SECRET, "seal/v1"));
let sql: ReturnType<typeof openSql>;
let addresses = 0;
beforeAll(async () => {
  sql = openSql(await freshDatabase());
});

const newAddress = () => `address-${++addresses}`;

interface Origin {
  readonly addressHash: string;
  readonly network?: string;
  readonly isMailboxOwner?: boolean;
}

/** Queues an email `minutes` after the start; returns the row, if the queue accepted the email. */
async function queue(kind: Kind, minutes: number, origin: Origin) {
  const at = new Date(START + minutes * MINUTE_MS);
  const mail = { kind, values: {} } as unknown as EmailContent;
  const addressed = { to: "ann@example.test", name: null, locale: null, mail };
  const from = { network: "192.0.2.1", isMailboxOwner: true, limits: LIMITS, ...origin };
  const [row] = await sql<{ held: boolean; merged: number; nextAttemptAt: Date }[]>`
    ${insertEmail(sql, sealEmail({ sealing, random }, addressed, from, at))}
    returning held, merged, next_attempt_at as "nextAttemptAt"`;
  return row;
}

async function queueMany(kind: Kind, count: number, minutes: number, origin: Origin) {
  const rows = [];
  while (rows.length < count) rows.push(await queue(kind, minutes, origin));
  return rows;
}

const sent = (rows: readonly ({ held: boolean } | undefined)[]) => rows.filter((row) => row && !row.held).length;
const heldOf = async (address: string) => await sql`select merged from outbox where address_hash = ${address} and held`;

describe("notices of one kind to one address", () => {
  test.each([...REQUESTS])("%s: five in any quarter of an hour, and no row for more", async (kind) => {
    const addressHash = newAddress();
    const rows = [
      ...(await queueMany(kind, 3, 0, { addressHash })),
      ...(await queueMany(kind, 4, 10, { addressHash })),
    ];
    expect(sent(rows)).toBe(5);
    expect(rows.slice(5)).toEqual([undefined, undefined]);
    expect(sent(await queueMany(kind, 5, 16, { addressHash }))).toBe(3);
  });

  test.each([...NOTICES])("%s: five are sent, the next notice tells of the held notices", async (kind) => {
    const addressHash = newAddress();
    expect(sent(await queueMany(kind, 8, 0, { addressHash }))).toBe(5);
    expect(await heldOf(addressHash)).toMatchObject([{ merged: 2 }]);
    expect(await queue(kind, 16, { addressHash })).toMatchObject({ held: false, merged: 3 });
    expect(await queue(kind, 16, { addressHash })).toMatchObject({ held: false, merged: 0 });
  });

  test.each([...NOTICES])("%s: two are sent to an address without a controlling proof", async (kind) => {
    expect(sent(await queueMany(kind, 8, 0, { addressHash: newAddress(), isMailboxOwner: false }))).toBe(2);
  });

  test.each([...INVITATIONS])("%s: 30 an hour, by any number of networks", async (kind) => {
    const addressHash = newAddress();
    let count = 0;
    for (let host = 0; host < 40; host += 1)
      count += sent([await queue(kind, 0, { addressHash, network: `192.0.2.${host}` })]);
    expect(count).toBe(30);
  });

  test("the count is exact for parallel statements", async () => {
    const addressHash = newAddress();
    const rows = await Promise.all(Array.from({ length: 20 }, () => queue("password_changed", 0, { addressHash })));
    expect(sent(rows)).toBe(5);
    expect(rows.length).toBe(20);
    expect(await heldOf(addressHash)).toMatchObject([{ merged: 14 }]);
  });
});

describe("one network and one address (G91)", () => {
  test("no hour has more than 30 emails of all kinds together, whenever it begins", async () => {
    const addressHash = newAddress();
    const times: number[] = [];
    for (let minutes = 0; minutes <= 180; minutes += 5)
      for (const kind of EMAIL_KINDS)
        for (const row of await queueMany(kind, 4, minutes, { addressHash }))
          if (row && !row.held) times.push(row.nextAttemptAt.getTime());
    const hours = times.map((end) => times.filter((time) => time > end - HOUR_MS && time <= end).length);
    expect(Math.max(...hours)).toBe(30);
  });

  test("requested emails and invitations leave room for notices", async () => {
    const addressHash = newAddress();
    const requested = [...REQUESTS, "invitation"] as const;
    let count = 0;
    for (let minutes = 0; minutes < 60; minutes += 16)
      for (const kind of requested) count += sent(await queueMany(kind, 10, minutes, { addressHash }));
    expect(count).toBe(20);
    expect(sent(await queueMany("password_changed", 1, 50, { addressHash }))).toBe(1);
  });

  test("one network leaves room for further networks, and all networks together have 60 an hour", async () => {
    const addressHash = newAddress();
    const perNetwork: number[] = [];
    for (const network of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
      let count = 0;
      for (const minutes of [0, 16, 32, 48])
        for (const kind of EMAIL_KINDS) count += sent(await queueMany(kind, 5, minutes, { addressHash, network }));
      perNetwork.push(count);
    }
    expect(perNetwork[0]).toBe(30);
    expect(perNetwork.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(60);
  });
});

describe("a held notice", () => {
  test("is sent alone after a quarter of an hour without a next notice, and tells of the held notices", async () => {
    const addressHash = newAddress();
    await queueMany("mfa_enabled", 8, 0, { addressHash });
    await releaseHeldEmails(sql, LIMITS, new Date(START + 14 * MINUTE_MS), BATCH);
    expect(await heldOf(addressHash)).toHaveLength(1);
    await releaseHeldEmails(sql, LIMITS, new Date(START + 16 * MINUTE_MS), BATCH);
    expect(await heldOf(addressHash)).toHaveLength(0);
    const rows = await sql`select merged from outbox where address_hash = ${addressHash} and merged > 0 and not held`;
    expect(rows).toMatchObject([{ merged: 2 }]);
  });

  test("is not postponed by later notices, and counts at its release", async () => {
    const addressHash = newAddress();
    await queueMany("mfa_enabled", 6, 0, { addressHash });
    const later = await queue("mfa_enabled", 10, { addressHash });
    expect(later).toMatchObject({ held: true, merged: 1, nextAttemptAt: new Date(START + 15 * MINUTE_MS) });
    await releaseHeldEmails(sql, LIMITS, new Date(START + 16 * MINUTE_MS), BATCH);
    const [log] = await sql`select count(*)::int as count from email_log where address_hash = ${addressHash}`;
    expect(log?.count).toBe(6);
  });

  test("remains held while its network is beyond the limit", async () => {
    const addressHash = newAddress();
    // Fewer kinds than the limit of the network: one later round can release a notice of each.
    for (const kind of NOTICES.slice(0, 20)) await queueMany(kind, 5, 0, { addressHash });
    const held = (await heldOf(addressHash)).length;
    expect(held).toBeGreaterThan(0);
    await releaseHeldEmails(sql, LIMITS, new Date(START + 20 * MINUTE_MS), BATCH);
    expect(await heldOf(addressHash)).toHaveLength(held);
    await releaseHeldEmails(sql, LIMITS, new Date(START + 61 * MINUTE_MS), BATCH);
    expect(await heldOf(addressHash)).toHaveLength(0);
  });
});

test("the rows of ended windows are deleted", async () => {
  const addressHash = newAddress();
  await queue("email_code", 0, { addressHash });
  await deleteExpiredEmailLog(sql, new Date(START + 59 * MINUTE_MS), 1_000);
  expect(await sql`select 1 from email_log where address_hash = ${addressHash}`).toHaveLength(1);
  await deleteExpiredEmailLog(sql, new Date(START + 61 * MINUTE_MS), 1_000);
  expect(await sql`select 1 from email_log where address_hash = ${addressHash}`).toHaveLength(0);
});

test("insertEmail is the only way into the outbox, and counts every email", async () => {
  const root = join(import.meta.dir, "../..");
  const writers = [];
  for (const folder of ["src", "workers"])
    for await (const file of new Bun.Glob("**/*.{ts,tsx}").scan(join(root, folder)))
      if (/insert into outbox/i.test(await Bun.file(join(root, folder, file)).text())) writers.push(file);
  expect(writers).toEqual(["models/email/email.ts"]);
});
