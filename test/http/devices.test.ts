/** Names, devices and places of sessions and trusted browsers (docs/contract.md, sections 4.3, 4.7 and 7.10). */
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, PASSWORD, registered, signedIn } from "../support/client.ts";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import { geolocationFile } from "../support/geolocation.ts";
import { enrolled } from "../support/mfa.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { redisUrl } from "../support/services.ts";
import { founded, joinedAs } from "../support/team.ts";

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0";
const VIENNA = "203.0.113.7";
const GRAZ = "198.51.100.24";
const UNKNOWN = "192.0.2.1";
/** The replica looks for a replaced file every five seconds. */
const RELOAD_MS = 30_000;

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const sessionsOf = async (client: Client) => (await client.get("/v1/auth/sessions")).body.items;
const rename = (client: Client, id: string, body: unknown) => client.patch(`/v1/auth/sessions/${id}`, body);

describe("PATCH /v1/auth/sessions/:id", () => {
  test("200 names a session of the caller, on the other replica too, and null removes the name", async () => {
    const { client, sessionId } = await registered(at.one.url);
    const renamed = await rename(client, sessionId, { name: "  Laptop at work " });
    expect([renamed.status, renamed.body.name, renamed.body.current]).toEqual([200, "Laptop at work", true]);
    expect((await sessionsOf(client.at(at.other.url)))[0]).toEqual(renamed.body);
    expect((await rename(client, sessionId, { name: null })).body.name).toBeNull();
  });

  test("400 for a link or an empty name, and the name stays", async () => {
    const { client, sessionId } = await registered(at.one.url);
    await rename(client, sessionId, { name: "Mine" });
    for (const body of [{ name: "https://evil.example/now" }, { name: " " }, {}, { name: 1 }])
      expect((await rename(client, sessionId, body)).status).toBe(400);
    expect((await sessionsOf(client))[0].name).toBe("Mine");
  });

  test("404 for an ended session and for a session of another user", async () => {
    const [{ client, email }, other] = [await registered(at.one.url), await registered(at.one.url)];
    const ended = await signedIn(at.one.url, email);
    await ended.client.post("/v1/auth/logout");
    const ids = [other.sessionId, ended.answer.body.user.session_family_id, crypto.randomUUID()];
    for (const id of ids) expect((await rename(client, id, { name: "Mine" })).status).toBe(404);
    expect((await sessionsOf(other.client))[0].name).toBeNull();
  });
});

describe("the device of a session", () => {
  test("comes from a closed set, and no text of the user agent reaches the device", async () => {
    const { client, email } = await registered(at.one.url);
    const headers = { "user-agent": FIREFOX };
    await new Client(at.one.url).post("/v1/auth/login", { email, password: PASSWORD }, { headers });
    const odd = { "user-agent": "curl/8 https://evil.example" };
    await new Client(at.one.url).post("/v1/auth/login", { email, password: PASSWORD }, { headers: odd });
    const [newest, before] = await sessionsOf(client);
    expect(newest.device).toEqual({ browser: null, system: null });
    expect(before.device).toEqual({ browser: "Firefox", system: "Windows" });
  });

  test("a trusted browser names device and addresses like a session", async () => {
    const { client } = await enrolled(at);
    const headers = { "user-agent": FIREFOX };
    const { body } = await client.post("/v1/auth/trusted-browsers", {}, { headers });
    const item = { device: { browser: "Firefox", system: "Windows" }, location: null, last_ip_address: "127.0.0.1" };
    expect(body).toMatchObject(item);
    expect((await client.get("/v1/auth/trusted-browsers")).body.items[0]).toMatchObject(item);
  });
});

describe("the sessions in an organization", () => {
  const path = (organizationId: string) => `/v1/orgs/${organizationId}/sessions`;
  const end = (client: Client, organizationId: string, id: string) =>
    client.delete(`/v1/orgs/${organizationId}/sessions/${id}`);
  const idOf = async (client: Client) => String((await client.get("/v1/auth/session")).body.session.id);

  test("are listed with their users, and end on every replica by an administrator (G129)", async () => {
    const host = await founded(at);
    const { client, organizationId } = host;
    const member = await joinedAs(at, host, "member");
    const id = await idOf(member.client);
    const { body } = await client.get(path(organizationId));
    const listed = body.items.find((item: { id: string }) => item.id === id);
    expect(listed).toMatchObject({ current: false, user: { email: member.email }, device: { browser: null } });
    expect(body.items.some((item: { current: boolean }) => item.current)).toBe(true);
    expect((await end(client, organizationId, id)).status).toBe(204);
    await eventually("the end on the other replica", 1_000, async () => {
      return (await member.client.at(at.other.url).get("/v1/auth/session")).status === 401;
    });
    const [record] = await at.sql`
      select actor_id, metadata from audit_logs where resource_id = ${id} and action = 'auth.session.revoked'`;
    expect(record).toMatchObject({ actor_id: host.userId, metadata: { reason: "administrator_request" } });
    expect((await end(client, organizationId, id)).status).toBe(204);
  });

  test("are 403 for a member, 403 for a higher role, and 404 in another organization (G129)", async () => {
    const [host, other] = [await founded(at), await founded(at)];
    const { organizationId } = host;
    const [member, admin] = [await joinedAs(at, host, "member"), await joinedAs(at, host, "admin")];
    const [owner, foreign] = [await idOf(host.client), await idOf(other.client)];
    expect((await member.client.get(path(organizationId))).status).toBe(403);
    expect((await end(member.client, organizationId, owner)).status).toBe(403);
    expect((await end(admin.client, organizationId, owner)).status).toBe(403);
    expect((await end(host.client, organizationId, foreign)).status).toBe(404);
    expect((await host.client.get(path(other.organizationId))).status).toBe(404);
    for (const { client } of [host, other]) expect((await client.get("/v1/auth/session")).status).toBe(200);
  });
});

describe("with SERVICE_GEOIP_FILE", () => {
  const file = join(mkdtempSync(join(tmpdir(), "places-")), "city.mmdb");
  let replica: Replica;
  beforeAll(async () => {
    writeFileSync(file, geolocationFile());
    replica = await startReplica({
      DATABASE_URL: at.databaseUrl,
      REDIS_URL: await redisUrl(),
      SERVICE_TRUSTED_PROXIES: "127.0.0.1",
      SERVICE_GEOIP_FILE: file,
    });
  });

  const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
  const signInFrom = async (address: string) => {
    const { email } = await registered(at.one.url);
    const client = new Client(replica.url);
    await client.post("/v1/auth/login", { email, password: PASSWORD }, from(address));
    return client;
  };
  const placeOf = async (client: Client) => (await sessionsOf(client))[0].location;
  /** Replaces the file at once, as tools that update the file do. */
  const replaceFile = (content: Buffer) => {
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
  };

  test("a session has the place of its last address, and an unknown address has none", async () => {
    const client = await signInFrom(VIENNA);
    expect(await placeOf(client)).toEqual({ country: "AT", city: "Vienna" });
    await client.post("/v1/auth/refresh", {}, from(GRAZ));
    const [session] = await sessionsOf(client);
    expect(session).toMatchObject({ ip_address: VIENNA, last_ip_address: GRAZ });
    expect(session.location).toEqual({ country: "AT", city: "Graz" });
    for (const address of [UNKNOWN, "2001:db8::1"]) expect(await placeOf(await signInFrom(address))).toBeNull();
  });

  test("a replaced file takes effect, and a broken one leaves the places as they were (G130)", async () => {
    const client = await signInFrom(VIENNA);
    replaceFile(geolocationFile({ "203.0.113.0/24": { country: "CH", city: "Bern" } }));
    await eventually("the place of the replaced file", RELOAD_MS, async () => (await placeOf(client)).city === "Bern");
    const whole = geolocationFile();
    for (const broken of [Buffer.from("no places here"), whole.subarray(0, whole.length - 10)]) {
      const reports = replica.output().split("SERVICE_GEOIP_FILE:").length;
      replaceFile(broken);
      const isReported = async () => replica.output().split("SERVICE_GEOIP_FILE:").length === reports + 1;
      await eventually("the line of the log", RELOAD_MS, isReported);
      expect(await placeOf(await signInFrom(VIENNA))).toEqual({ country: "CH", city: "Bern" });
    }
  });
});

test("a file that is broken at the start is one line of the log, and sign-ins succeed (G130)", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "places-")), "broken.mmdb");
  writeFileSync(file, "no places here");
  const env = { DATABASE_URL: at.databaseUrl, REDIS_URL: await redisUrl(), SERVICE_GEOIP_FILE: file };
  const replica = await startReplica(env);
  const { client } = await registered(replica.url);
  expect((await sessionsOf(client))[0].location).toBeNull();
  expect(replica.output().split("SERVICE_GEOIP_FILE: not an MMDB file").length).toBe(2);
  await replica.kill();
});
