/** Rollover and expiry of certificates of identity providers, and expiry of client secrets, over weeks (G183). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID, X509Certificate } from "node:crypto";
import { pino } from "pino";
import { systemClock } from "../../../../src/base/clock.ts";
import {
  learnCertificates,
  nextCertificates,
  type RolloverDeps,
  rollDueCertificates,
} from "../../../../src/flows/sso/connections/roll-certificates.ts";
import { connectionUrls } from "../../../../src/flows/sso/connections/urls.ts";
import { warnExpiringCredentials } from "../../../../src/flows/sso/connections/warn-expiring-credentials.ts";
import { warningStage } from "../../../../src/flows/sso/connections/warn-of-expiry.ts";
import type { SamlConnection, SsoDeps } from "../../../../src/flows/sso/sign-in/connection.ts";
import { verifySamlResponse } from "../../../../src/flows/sso/sign-in/verify-saml.ts";
import { requestIdOf } from "../../../../src/providers/saml/authn-request.ts";
import type { OidcConfig } from "../../../../src/vocabulary/sso/oidc-config.ts";
import { DEFAULT_SAML_CONFIG } from "../../../../src/vocabulary/sso/saml-config.ts";
import { HOUR_MS, registerAccount } from "../../../support/accounts.ts";
import { type Flows, openFlows } from "../../../support/flows.ts";
import { type SamlKey, samlKey, samlKeys } from "../../../support/saml/keys.ts";
import { IDP } from "../../../support/saml/message.ts";
import { metadataText } from "../../../support/saml/metadata.ts";
import { respondTo } from "../../../support/saml/responses.ts";
import { SSO_URL } from "../../../support/saml/saml-browser.ts";
import { storeConnection } from "../../../support/sso-connections.ts";
import { deactivateConnection } from "../../../support/states.ts";

const HANDLE = "h".repeat(43);
const DAY_MS = 24 * HOUR_MS;
const URL_OF_METADATA = "https://idp.acme.example/metadata";
let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const keys = [samlKeys.idp, samlKeys.nextIdp, samlKeys.attacker, samlKeys.service, samlKeys.otherService];
const [first, second, third, fourth, fifth] = keys.map((key) => key().certificate.trim()) as [
  string,
  string,
  string,
  string,
  string,
];
const hashOf = (pem: string) => new X509Certificate(pem).fingerprint256.replaceAll(":", "").toLowerCase();

async function connection(certificates: readonly string[], settings: object = {}) {
  const { email, organizationId, userId } = await registerAccount(flows);
  const [id, at] = [randomUUID(), new Date(flows.clock.now())];
  const config = { ...DEFAULT_SAML_CONFIG, entity_id: IDP, sso_url: "https://idp.acme.example/sso", certificates };
  await flows.sql`
    insert into sso_connections (id, organization_id, protocol, name, preset, status, config, revision, tested_at,
                                 activated_by, created_by, created_at, updated_at)
    values (${id}, ${organizationId}, 'saml', 'Acme ID', 'custom', 'active',
            ${flows.sql.json({ ...config, metadata_url: URL_OF_METADATA, ...settings } as never)}, 1, ${at}, ${userId},
            ${userId}, ${at}, ${at})`;
  return { id, organizationId, email };
}

const endOf = async ({ id }: { readonly id: string }) => {
  await deactivateConnection(flows.sql, id);
};
const stateOf = async (id: string) => {
  const [row] = await flows.sql`
    select config -> 'certificates' as certificates, revision, tested_at from sso_connections where id = ${id}`;
  return {
    hashes: ((row?.certificates ?? []) as string[]).map(hashOf),
    revision: row?.revision,
    testedAt: row?.tested_at,
  };
};
const kindsOf = async (email: string, kind: string) =>
  (await flows.emailsTo(email)).filter(({ mail }) => mail.kind === kind);

/** The dependencies with an identity provider that publishes metadata. */
function publishing(metadata: () => string | undefined): { deps: RolloverDeps; fetches: () => number } {
  let fetches = 0;
  const fetchIdpMetadata = async () => {
    fetches += 1;
    const text = metadata();
    return new Response(text ?? "maintenance", { status: text === undefined ? 503 : 200 });
  };
  return { deps: { ...flows.deps, fetchIdpMetadata }, fetches: () => fetches };
}

const published = (certificates: readonly string[]) => metadataText({ certificates: [...certificates] });

describe("reports about readings of metadata (G391)", () => {
  const reportOf = async (id: string) => {
    const [row] = await flows.sql`select metadata_report as report from sso_connections where id = ${id}`;
    return row?.report;
  };

  test("A certificate without use stops no rollover: owners learn once, and the report has the reason.", async () => {
    const { id, email } = await connection([first]);
    const short = samlKeys.shortIdp().certificate.trim();
    const { deps } = publishing(() => published([short, second]));
    for (const day of [1, 2]) {
      flows.clock.advance(DAY_MS + HOUR_MS);
      await rollDueCertificates(deps);
      expect([day, (await stateOf(id)).hashes]).toEqual([
        day,
        day === 1 ? [first, second].map(hashOf) : [hashOf(second)],
      ]);
      expect([day, await kindsOf(email, "sso_certificates_left_out")]).toEqual([day, [expect.anything()]]);
    }
    const leftOut = [{ reason: "short_key", sha256: hashOf(short), bits: 1024 }];
    expect(await reportOf(id)).toMatchObject({ problem: null, leftOut });
    await endOf({ id });
  });

  test("Owners learn of the first failed reading of a period; a successful reading ends the report.", async () => {
    const { id, email } = await connection([first]);
    let metadata: string | undefined;
    const { deps } = publishing(() => metadata);
    const readNextDay = async () => {
      flows.clock.advance(DAY_MS + HOUR_MS);
      await rollDueCertificates(deps);
      return [(await kindsOf(email, "sso_metadata_failed")).length, (await reportOf(id)).problem] as const;
    };
    const failed = "metadata_url: the metadata cannot be loaded: the response has the status 503";
    expect(await readNextDay()).toEqual([1, failed]);
    expect(await readNextDay()).toEqual([1, failed]);
    metadata = published([first]);
    expect(await readNextDay()).toEqual([1, null]);
    metadata = undefined;
    expect(await readNextDay()).toEqual([1, failed]);
    metadata = published([first]);
    for (let day = 0; day < 8; day += 1) await readNextDay();
    metadata = undefined;
    expect(await readNextDay()).toEqual([2, failed]);
    expect((await stateOf(id)).hashes).toEqual([hashOf(first)]);
    await endOf({ id });
  });
});

describe("the daily reading of metadata", () => {
  test("adds new certificates at once, and removes certificates that two readings lack.", async () => {
    const { id, email } = await connection([first]);
    let current = [first, second];
    const { deps, fetches } = publishing(() => published(current));
    const readNextDay = async () => {
      flows.clock.advance(DAY_MS + HOUR_MS);
      // Two replicas: one reads.
      await Promise.all([rollDueCertificates(deps), rollDueCertificates(deps)]);
      return (await stateOf(id)).hashes;
    };
    const before = await stateOf(id);
    expect(await readNextDay()).toEqual([first, second].map(hashOf));
    expect(fetches()).toBe(1);
    current = [second];
    expect(await readNextDay()).toEqual([first, second].map(hashOf));
    current = [first, second];
    expect(await readNextDay()).toEqual([first, second].map(hashOf));
    current = [second];
    expect(await readNextDay()).toEqual([first, second].map(hashOf));
    expect(await readNextDay()).toEqual([hashOf(second)]);
    const after = await stateOf(id);
    expect([after.revision, after.testedAt]).toEqual([before.revision, before.testedAt]);
    const records = await flows.sql`
      select metadata, actor_type from audit_logs
      where resource_id = ${id} and action = 'sso.connection.metadata_changed' order by timestamp`;
    expect(records.map(({ metadata, actor_type: actor }) => [metadata.added, metadata.removed, actor])).toEqual([
      [1, 0, "system"],
      [0, 1, "system"],
    ]);
    expect(await kindsOf(email, "sso_certificates_changed")).toHaveLength(2);
    await endOf({ id });
  });

  test("of other, expired, broken or absent metadata changes nothing, and is repeated after an hour.", async () => {
    const { id } = await connection([first]);
    const texts = [
      metadataText({ entityId: "https://evil.example", certificates: [second] }),
      published([second]).replace(" entityID", ' validUntil="2001-01-01T00:00:00Z" entityID'),
      "<EntityDescriptor/>",
      undefined,
    ];
    const { deps, fetches } = publishing(() => texts[fetches() - 1]);
    for (const _ of texts) {
      flows.clock.advance(2 * HOUR_MS);
      await rollDueCertificates(deps);
      await rollDueCertificates(deps);
    }
    expect(fetches()).toBe(texts.length);
    expect((await stateOf(id)).hashes).toEqual([hashOf(first)]);
    await endOf({ id });
  });

  test("of a connection with an error leaves no other connection unread, and is repeated after an hour.", async () => {
    const broken = await connection(["no certificate"]);
    const healthy = await connection([first]);
    const alsoBroken = await connection(["no certificate"]);
    const lines: Record<string, unknown>[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const { deps, fetches } = publishing(() => published([first, second]));
    expect(await rollDueCertificates({ ...deps, log })).toBe(3);
    expect((await stateOf(healthy.id)).hashes).toEqual([first, second].map(hashOf));
    expect(lines.map((line) => line.connection_id).sort()).toEqual([broken.id, alsoBroken.id].sort());
    expect(lines).toMatchObject(lines.map(() => ({ level: 50, err: { type: expect.any(String) } })));
    flows.clock.advance(2 * HOUR_MS);
    expect([await rollDueCertificates({ ...deps, log }), fetches()]).toEqual([2, 5]);
    for (const each of [broken, healthy, alsoBroken]) await endOf(each);
  });

  test("keeps at most four certificates: absent certificates give way, the oldest first.", () => {
    const found = (...pems: readonly string[]) => pems.map((pem) => ({ pem, sha256: hashOf(pem), notAfter: 0 }));
    expect(nextCertificates([first, second, third], found(fourth, fifth), [])).toEqual({
      certificates: [second, third, fourth, fifth],
      added: 2,
      removed: 1,
      absent: [second, third].map(hashOf),
    });
    expect(nextCertificates([first], found(second), [hashOf(first)]).certificates).toEqual([second]);
    expect(nextCertificates([first, second], found(second, third, fourth, fifth), [])).toEqual({
      certificates: [second, third, fourth, fifth],
      added: 3,
      removed: 1,
      absent: [],
    });
  });
});

describe("a response by an unknown key", () => {
  test("reads the metadata at most once in ten minutes, adds certificates and removes none.", async () => {
    const { id, organizationId } = await connection([first]);
    const { deps, fetches } = publishing(() => published([second]));
    const learn = () => learnCertificates(deps, { id, organizationId }, [first]);
    const learned = await Promise.all([learn(), learn(), learn()]);
    expect(learned.map((each) => each?.map(hashOf))).toEqual(learned.map(() => [first, second].map(hashOf)));
    expect(fetches()).toBe(1);
    flows.clock.advance(11 * 60_000);
    expect(await learnCertificates(deps, { id, organizationId }, learned[0] ?? [])).toBeUndefined();
    expect(fetches()).toBe(2);
    // A replica that has not heard of the change yet.
    expect((await learn())?.map(hashOf)).toEqual([first, second].map(hashOf));
    expect(fetches()).toBe(2);
    expect((await stateOf(id)).hashes).toEqual([first, second].map(hashOf));
    await endOf({ id });
  });

  test("reads the metadata just after a daily reading too: its key may change then.", async () => {
    const { id, organizationId } = await connection([first]);
    let current = [first];
    const { deps } = publishing(() => published(current));
    expect(await rollDueCertificates(deps)).toBe(1);
    current = [first, second];
    const learned = await learnCertificates(deps, { id, organizationId }, [first]);
    expect(learned?.map(hashOf)).toEqual(current.map(hashOf));
    await endOf({ id });
  });

  test("names in the log why the metadata were not read, or not read again.", async () => {
    const { id, organizationId } = await connection([first]);
    const lines: Record<string, unknown>[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const deps = { ...publishing(() => undefined).deps, log };
    const learn = () => learnCertificates(deps, { id, organizationId }, [first]);
    await learn();
    await learn();
    const failed = { level: 40, connection_id: id, organization_id: organizationId, reading: "unknown_key" };
    const cause = expect.stringContaining("the response has the status 503");
    const paused = { level: 30, connection_id: id, msg: expect.stringContaining("the pause") };
    expect(lines).toMatchObject([{ ...failed, cause }, { ...failed, cause }, paused]);
    await endOf({ id });
  });

  test("reads the metadata again at once after a reading that failed.", async () => {
    const { id, organizationId } = await connection([first]);
    const texts = [undefined, published([second])];
    const { deps, fetches } = publishing(() => texts[fetches() - 1]);
    const learned = await learnCertificates(deps, { id, organizationId }, [first]);
    expect([learned?.map(hashOf), fetches()]).toEqual([[first, second].map(hashOf), 2]);
    await endOf({ id });
  });

  test("reads the metadata again a minute after two readings that failed.", async () => {
    const { id, organizationId } = await connection([first]);
    const texts = [undefined, undefined, published([second])];
    const { deps, fetches } = publishing(() => texts[fetches() - 1]);
    const learn = () => learnCertificates(deps, { id, organizationId }, [first]);
    expect([await learn(), await learn(), fetches()]).toEqual([undefined, undefined, 2]);
    flows.clock.advance(61_000);
    expect([(await learn())?.map(hashOf), fetches()]).toEqual([[first, second].map(hashOf), 3]);
    await endOf({ id });
  });
});

describe("a rollover between two daily readings", () => {
  test("fails no sign-in: the metadata add the key of the response, and the response is verified again.", async () => {
    const { id, organizationId } = await connection([first]);
    const { deps } = publishing(() => published([first, second]));
    const { fetchIdpMetadata } = deps;
    const now: SsoDeps = { ...flows.deps, fetchIdpMetadata, clock: systemClock };
    const config = { ...DEFAULT_SAML_CONFIG, entity_id: IDP, sso_url: SSO_URL, certificates: [first] };
    const verify = async (key: SamlKey, metadataUrl: string | null) => {
      const held = { id, organizationId, serviceKeys: [], config: { ...config, metadata_url: metadataUrl } };
      const request = { id: requestIdOf(HANDLE), acsUrl: connectionUrls(flows.deps, id).acsUrl };
      const message = respondTo(request, "alice@acme.example", { signing: { key } });
      const connection = held as unknown as SamlConnection;
      const verified = await verifySamlResponse(now, { connection, message, handle: HANDLE, maxAgeSeconds: null });
      return verified.ok || verified.error;
    };
    const unknown = { kind: "refused", reason: "key" } as const;
    expect(await verify(samlKeys.nextIdp(), null)).toEqual(unknown);
    expect(await verify(samlKeys.nextIdp(), URL_OF_METADATA)).toBe(true);
    expect(await verify(samlKeys.attacker(), URL_OF_METADATA)).toEqual(unknown);
    await endOf({ id });
  });
});

describe("a certificate that ends", () => {
  test("is reported 30, 14, 7 and 1 days before the end and every week after, once over two replicas.", async () => {
    const key: SamlKey = samlKey("ending", ["rsa:2048"], 1_500);
    const end = new X509Certificate(key.certificate).validToDate.getTime();
    flows.clock.advance(end - 40 * DAY_MS - flows.clock.now());
    const { id, email } = await connection([key.certificate]);
    for (let day = 0; day < 60; day += 1) {
      await Promise.all([warnExpiringCredentials(flows.deps), warnExpiringCredentials(flows.deps)]);
      flows.clock.advance(DAY_MS);
    }
    const records = await flows.sql`
      select metadata from audit_logs where resource_id = ${id} and action = 'sso.certificate.expiring'
      order by timestamp`;
    expect(records.map(({ metadata }) => metadata.days)).toEqual([30, 14, 7, 1, -7, -14]);
    expect(records[0]?.metadata.sha256).toBe(hashOf(key.certificate));
    expect(await kindsOf(email, "sso_certificate_expiring")).toHaveLength(6);
    await endOf({ id });
  });

  test("has its warnings and the time until the end in the scan, beside a connection with an error.", async () => {
    const key = samlKey("ending later", ["rsa:2048"], 2_000);
    const end = new X509Certificate(key.certificate).validToDate.getTime();
    expect(warningStage(end, end - 31 * DAY_MS)).toBeUndefined();
    expect(warningStage(end, end - 29 * DAY_MS)).toBe(end - 30 * DAY_MS);
    expect(warningStage(end, end + 6 * DAY_MS)).toBe(end - DAY_MS);
    expect(warningStage(end, end + 15 * DAY_MS)).toBe(end + 14 * DAY_MS);
    flows.clock.advance(end - 2 * DAY_MS - flows.clock.now());
    const connections = [await connection(["no certificate"]), await connection([key.certificate])];
    expect(await warnExpiringCredentials(flows.deps)).toEqual({ warnings: 1, nextExpiry: end });
    for (const each of connections) await endOf(each);
  });
});

describe("a client secret that expires", () => {
  const dayIn = (days: number) => new Date(flows.clock.now() + days * DAY_MS).toISOString().slice(0, 10);

  async function withSecret(settings: Partial<OidcConfig>, sealedSecret: Buffer | null = Buffer.from("sealed")) {
    const { email, organizationId } = await registerAccount(flows);
    const id = await storeConnection(flows.sql, organizationId, settings);
    await flows.sql`update sso_connections set sealed_secret = ${sealedSecret} where id = ${id}`;
    return { id, email };
  }

  const daysOf = async (id: string) => {
    const records = await flows.sql`
      select metadata from audit_logs where resource_id = ${id} and action = 'sso.secret.expiring' order by timestamp`;
    return records.map(({ metadata }) => metadata.days);
  };

  test("is reported as a certificate is, with the expiry in the scan; a new day has warnings of its own.", async () => {
    const day = dayIn(40);
    const end = new Date(day).getTime();
    const { id, email } = await withSecret({ client_secret_expires_on: day });
    expect(await warnExpiringCredentials(flows.deps)).toEqual({ warnings: 0, nextExpiry: end });
    for (let day = 0; day < 50; day += 1) {
      await Promise.all([warnExpiringCredentials(flows.deps), warnExpiringCredentials(flows.deps)]);
      flows.clock.advance(DAY_MS);
    }
    expect(await daysOf(id)).toEqual([30, 14, 7, 1, -7]);
    expect(await kindsOf(email, "sso_secret_expiring")).toHaveLength(5);
    await flows.sql`
      update sso_connections set config = config || jsonb_build_object('client_secret_expires_on', ${dayIn(20)}::text)
      where id = ${id}`;
    expect((await warnExpiringCredentials(flows.deps)).warnings).toBe(1);
    await endOf({ id });
  });

  test("is no matter of a connection without the secret, with a key pair, or without sign-ins.", async () => {
    const expired = { client_secret_expires_on: "2020-01-01" };
    const { id: inactive } = await withSecret(expired);
    await endOf({ id: inactive });
    await withSecret(expired, null);
    await withSecret({ ...expired, token_auth: "private_key_jwt" });
    await withSecret({});
    expect(await warnExpiringCredentials(flows.deps)).toEqual({ warnings: 0, nextExpiry: undefined });
  });
});
