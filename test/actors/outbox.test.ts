import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import pino from "pino";
import { type Brands, brands } from "../../src/actors/brands.ts";
import { type OutboxDeps, outbox, retryPauseMs, sendDueEmails } from "../../src/actors/outbox.ts";
import { sweep } from "../../src/actors/sweeper.ts";
import type { BrandTenants } from "../../src/base/brand-values.ts";
import { systemClock } from "../../src/base/clock.ts";
import { systemRandom } from "../../src/base/random.ts";
import { deriveKey, sealingKey } from "../../src/base/seal.ts";
import { tenantPalettes } from "../../src/config/brand-palettes.ts";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { resolveEmailBrand } from "../../src/flows/brand/email-brand.ts";
import { OUTBOX_BATCH } from "../../src/limits/email-limits.ts";
import { insertEmail, openEmail, sealEmail } from "../../src/models/email/email.ts";
import { httpMail } from "../../src/providers/mail/http.ts";
import { loadTemplates } from "../../src/providers/mail/templates.ts";
import { codeIn, DEPLOYMENT_BRAND, MailProvider } from "../support/mail.ts";
import { TEST_SECRET } from "../support/replica.ts";
import { freshDatabase, openSql } from "../support/services.ts";
import { silentTelemetry } from "../support/telemetry.ts";
import { until } from "../support/waiting.ts";

const LIMITS_OFF = {
  enabled: false,
  mail: { count: 5, seconds: 900 },
  mailNetwork: { count: 30, seconds: 3600 },
  mailAddress: { count: 60, seconds: 3600 },
  addressInvitations: { count: 30, seconds: 3600 },
};
const HOUR_MS = 3600 * 1000;
const random = systemRandom(systemClock);
const sealing = sealingKey(deriveKey(TEST_SECRET, "seal/v1"));
let databaseUrl: string;
let database: Database;
let sql: ReturnType<typeof openSql>;
let telemetry: OutboxDeps["telemetry"];
let provider: MailProvider;
/** The simulated time in milliseconds, which emails and rounds use. */
let now: number;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  telemetry = await silentTelemetry();
  database = openDatabase({ url: databaseUrl, connections: 4, telemetry });
  sql = openSql(databaseUrl);
});
afterAll(() => database.close());
beforeEach(async () => {
  await sql`delete from outbox`;
  provider = new MailProvider();
  now = Date.now();
});

function deps(): OutboxDeps {
  const http = httpMail({ apiUrl: provider.url, apiKey: "re_key", from: "Acme <no-reply@acme.test>" });
  return {
    database,
    clock: { ...systemClock, now: () => now },
    log: pino({ level: "silent" }),
    telemetry,
    sealing,
    templates: loadTemplates(undefined),
    brandOf: () => Promise.resolve(DEPLOYMENT_BRAND),
    provider: () => http,
    limits: LIMITS_OFF,
  };
}

async function write(to: string, code = "123456", tenants?: BrandTenants): Promise<string> {
  const values = { code, minutes: 10 };
  const content = { kind: "email_code" as const, values };
  // An email of an earlier release has no member `tenants`.
  const addressed = { to, name: "Ann", locale: null, mail: content, ...(tenants ? { tenants } : {}) };
  const origin = { addressHash: "hash", network: "192.0.2.1", isMailboxOwner: true, limits: LIMITS_OFF };
  const mail = sealEmail({ sealing, random }, addressed, origin, new Date(now));
  await insertEmail(sql, mail);
  return mail.id;
}

const waiting = async () => (await sql`select id from outbox`).map(({ id }) => id);

describe("the outbox", () => {
  test("sends an email once, by POST {url}/emails with key and idempotency key, and deletes it", async () => {
    const id = await write("ann@example.test");
    await sendDueEmails(deps());
    await sendDueEmails(deps());
    expect(provider.calls).toHaveLength(1);
    expect(provider.calls[0]).toMatchObject({
      key: id,
      authorization: "Bearer re_key",
      mail: { from: "Acme <no-reply@acme.test>", to: ["ann@example.test"], subject: "Your sign-in code for acme.test" },
    });
    expect(codeIn(provider.calls[0]?.mail)).toBe("123456");
    expect(await waiting()).toEqual([]);
  });

  test("sends each of 100 emails once with any number of sending replicas", async () => {
    await Promise.all(Array.from({ length: 100 }, (_, index) => write(`p${index}@example.test`)));
    await Promise.all(Array.from({ length: 6 }, () => sendDueEmails(deps())));
    expect(provider.calls).toHaveLength(100);
    expect(new Set(provider.calls.map(({ key }) => key)).size).toBe(100);
    expect(await waiting()).toEqual([]);
  });

  test("loses nothing in an hour without the provider, tries with growing pauses, then sends once (G29)", async () => {
    const ids = [await write("one@example.test"), await write("two@example.test")];
    provider.answer = () => new Response(null, { status: 503 });
    const start = now;
    while (now - start < HOUR_MS) {
      await sendDueEmails(deps());
      const [next] = await sql`select extract(epoch from min(next_attempt_at)) * 1000 as at from outbox`;
      expect(Number(next?.at)).toBeGreaterThan(now);
      now = Math.ceil(Number(next?.at));
    }
    expect((await waiting()).sort()).toEqual(ids.sort());
    expect(provider.calls.length).toBeLessThan(40);
    provider.answer = () => Response.json({});
    await sendDueEmails(deps());
    expect(provider.delivered).toHaveLength(2);
    expect(await waiting()).toEqual([]);
  });

  test("pauses from 5 seconds to a quarter of an hour between two tries", () => {
    expect([1, 2, 3, 8, 9, 30].map(retryPauseMs)).toEqual([5_000, 10_000, 20_000, 640_000, 900_000, 900_000]);
  });

  test("uses the same idempotency key after a crash between send and mark, so one mail goes out (G29)", async () => {
    const id = await write("crash@example.test");
    const crashing: OutboxDeps = {
      ...deps(),
      database: {
        ...database,
        run: (statement, work) =>
          statement === "email.delete" ? Promise.reject(new Error("killed")) : database.run(statement, work),
      },
    };
    await expect(sendDueEmails(crashing)).rejects.toThrow("killed");
    expect(await waiting()).toEqual([id]);
    await sendDueEmails(deps());
    expect(provider.calls).toHaveLength(1);
    now += 61_000;
    await sendDueEmails(deps());
    expect(provider.calls.map(({ key }) => key)).toEqual([id, id]);
    expect(provider.delivered).toHaveLength(1);
    expect(await waiting()).toEqual([]);
  });

  test.each([400, 413, 422])("drops an email that the provider refuses for good (%d)", async (status) => {
    await write("refused@example.test");
    provider.answer = () => new Response(null, { status });
    await sendDueEmails(deps());
    expect(await waiting()).toEqual([]);
  });

  test.each([401, 403, 404, 409, 429, 500, 302])(
    "keeps an email for later when the provider answers %d",
    async (status) => {
      const id = await write("later@example.test");
      provider.answer = () => new Response(null, { status, headers: { location: `${provider.url}/elsewhere` } });
      await sendDueEmails(deps());
      expect(await waiting()).toEqual([id]);
      expect(provider.calls).toHaveLength(1);
    },
  );

  test("drops an email after a manipulation or a copy to a further row (G22)", async () => {
    const [one, other] = [await write("one@example.test"), await write("other@example.test")];
    await sql`
      update outbox set sealed_letter = (select sealed_letter from outbox where id = ${other})
      where id = ${one}`;
    await sendDueEmails(deps());
    expect(provider.calls.map(({ mail }) => mail.to)).toEqual([["other@example.test"]]);
    expect(await waiting()).toEqual([]);
  });

  test("gives an email up after 24 hours", async () => {
    const id = await write("late@example.test");
    now += 24 * HOUR_MS - 1;
    await sweep({
      database,
      clock: deps().clock,
      auditRetentionMs: undefined,
      decisionRetentionMs: 7 * 24 * 3600 * 1000,
    });
    expect(await waiting()).toEqual([id]);
    now += 2;
    await sendDueEmails(deps());
    expect(provider.calls).toHaveLength(0);
    await sweep({
      database,
      clock: deps().clock,
      auditRetentionMs: undefined,
      decisionRetentionMs: 7 * 24 * 3600 * 1000,
    });
    expect(await waiting()).toEqual([]);
  });

  test("keeps emails while no provider is set", async () => {
    const id = await write("nobody@example.test");
    await sendDueEmails({ ...deps(), provider: () => undefined });
    expect(await waiting()).toEqual([id]);
  });

  test("sends at once after a wake-up, also during a round", async () => {
    const actor = outbox({ ...deps(), clock: systemClock });
    actor.start();
    await write("first@example.test");
    actor.wake();
    await until("the first email", async () => provider.delivered.length === 1);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    provider.answer = () => held.then(() => Response.json({}));
    await write("second@example.test");
    actor.wake();
    await until("the second email is under way", async () => provider.calls.length === 2);
    provider.answer = () => Response.json({});
    await write("third@example.test");
    actor.wake();
    release();
    await until("both emails", async () => provider.delivered.length === 3);
    await actor.stop();
  });

  test("stops after the emails under way; a second replica sends the waiting emails (G25)", async () => {
    for (let index = 0; index < 3 * OUTBOX_BATCH; index += 1) await write(`waiting-${index}@example.test`);
    const held = Promise.withResolvers<void>();
    provider.answer = () => held.promise.then(() => Response.json({}));
    const actor = outbox({ ...deps(), clock: systemClock });
    actor.start();
    await until("a batch is under way", async () => provider.calls.length === OUTBOX_BATCH);
    const stopped = actor.stop();
    held.resolve();
    await stopped;
    expect([provider.calls.length, (await waiting()).length]).toEqual([OUTBOX_BATCH, 2 * OUTBOX_BATCH]);
    await sendDueEmails({ ...deps(), clock: systemClock });
    expect(await waiting()).toEqual([]);
  });
});

describe("the brand of an email", () => {
  const TEAL = { id: "019a0000-0000-7000-8000-00000000000a", name: "Teal Ltd", accent: "#0f766e" };
  const ROSE = { id: "019a0000-0000-7000-8000-00000000000b", name: "Rose Inc", accent: "#e11d48" };
  const paletteOf = tenantPalettes({ accent: undefined, style: undefined });
  let known: Brands;
  beforeEach(async () => {
    known = brands({ database, log: pino({ level: "silent" }) });
    await sql`delete from organizations`;
    for (const { id, name, accent } of [TEAL, ROSE]) {
      await sql`
        insert into organizations (id, name, slug, tier, created_at, updated_at)
        values (${id}, ${name}, ${id}, 'standard', now(), now())`;
      await sql`
        insert into brands (id, organization_id, accent, created_at, updated_at)
        values (${id}, ${id}, ${accent}, now(), now())`;
    }
  });

  const send = () =>
    sendDueEmails({
      ...deps(),
      brandOf: (tenants) =>
        resolveEmailBrand({ brands: known, deployment: async () => DEPLOYMENT_BRAND, paletteOf }, tenants),
    });
  const sentTo = (address: string) => provider.delivered.find(({ to }) => to.includes(address));

  test("is the brand of its tenant at the delivery; no email has the brand of another tenant (G148)", async () => {
    await write("teal@example.test", "111111", { organizationId: TEAL.id });
    await write("rose@example.test", "222222", { organizationId: ROSE.id });
    await write("earlier@example.test", "333333");
    await send();
    const found = ["teal", "rose", "earlier"].map((name) => {
      const { html = "", text = "" } = sentTo(`${name}@example.test`) ?? {};
      return [TEAL, ROSE].filter((each) => html.includes(each.name) || text.includes(each.name)).map(({ id }) => id);
    });
    expect(found).toEqual([[TEAL.id], [ROSE.id], []]);
    const links = ["teal", "rose"].map((name) => sentTo(`${name}@example.test`)?.html.match(/a \{ color: (#\w+)/)?.[1]);
    expect(links).toEqual([paletteOf(TEAL.accent).light.accent, paletteOf(ROSE.accent).light.accent]);
  });

  test("is the brand of the deployment of a deleted brand, a deleted organization and unknown ids", async () => {
    const unknown = "019a0000-0000-7000-8000-00000000000c";
    await write("rose@example.test", "111111", { organizationId: ROSE.id });
    await write("teal@example.test", "222222", { organizationId: TEAL.id });
    await write("nobody@example.test", "333333", { organizationId: unknown, clientId: unknown });
    await sql`delete from brands where organization_id = ${ROSE.id}`;
    await sql`delete from organizations where id = ${TEAL.id}`;
    await send();
    expect(provider.delivered).toHaveLength(3);
    for (const { html, text } of provider.delivered) {
      expect(html).toContain('<p class="logo">acme.test</p>');
      expect(`${html}${text}`).not.toMatch(/Teal|Rose|Provided by/);
    }
  });

  test("an email with tenants opens in an earlier release: kind, values and recipient are unchanged", async () => {
    const id = await write("teal@example.test", "111111", { organizationId: TEAL.id });
    const [row] = await sql`select sealed_letter from outbox where id = ${id}`;
    expect(openEmail(sealing, id, row?.sealed_letter)).toEqual({
      to: "teal@example.test",
      name: "Ann",
      locale: null,
      mail: { kind: "email_code", values: { code: "111111", minutes: 10 } },
      tenants: { organizationId: TEAL.id },
    });
  });
});
