import { beforeAll, describe, expect, test } from "bun:test";
import { DATA_EXPORT_MAX_BYTES } from "../../src/limits/deletion-limits.ts";
import { PASSWORD, registered } from "../support/client.ts";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import { withAuthenticator } from "../support/mfa.ts";
import { steppedUpPlatformUser } from "../support/platform.ts";
import { founded, joinedAs } from "../support/team.ts";
import { provenUser } from "../support/user-emails.ts";

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

const READY_MS = 60_000;
const LARGE_RECORD_BYTES = 20_000;
/** Together more than a copy can hold. */
const LARGE_RECORDS = 2_800;
const READY = /copy of your data/;

describe("POST /v1/users/me/export", () => {
  test("202: the copy is made outside of the request, mailed, and downloaded by its user alone (G135)", async () => {
    const { client, email, userId } = await provenUser(at);
    const requested = await client.post("/v1/users/me/export");
    expect([requested.status, requested.body.status]).toEqual([202, "pending"]);
    const other = client.at(at.other.url);
    expect((await other.post("/v1/users/me/export", { password: PASSWORD })).status).toBe(429);
    await at.mail.mailsTo(email, READY);
    const { body } = await other.get("/v1/users/me/exports");
    const [item] = body.items;
    expect(item).toMatchObject({ id: requested.body.id, status: "ready" });
    const download = await other.get(`/v1/users/me/exports/${item.id}`);
    expect(download.status).toBe(200);
    expect(Buffer.byteLength(download.text)).toBe(item.bytes);
    expect(download.body).toMatchObject({
      schema_version: 1,
      user: { user_id: userId, email },
      emails: [{ email, primary: true }],
      sessions: [{ auth_method: "password" }],
      audit_records_complete: true,
    });
    expect(download.body.audit_records[0].action).toBe("user.export_requested");
    expect(download.text).not.toContain("$argon2");
    const stranger = await registered(at.one.url);
    expect((await stranger.client.get(`/v1/users/me/exports/${item.id}`)).status).toBe(404);
    await at.sql`update data_exports set expires_at = now() - interval '1 second' where id = ${item.id}`;
    expect((await other.get(`/v1/users/me/exports/${item.id}`)).status).toBe(404);
  });

  test("401: a sign-in of more than five minutes needs the password or a step-up", async () => {
    const { client, userId } = await provenUser(at);
    await at.sql`update sessions set auth_time = now() - interval '1 hour' where user_id = ${userId}`;
    const other = client.at(at.other.url);
    expect((await other.post("/v1/users/me/export")).status).toBe(401);
    expect((await other.post("/v1/users/me/export", { password: PASSWORD })).status).toBe(202);
  });

  test("a copy beyond 50 MiB lacks the oldest audit records, says so, and is complete otherwise", async () => {
    const { client, email, userId } = await provenUser(at);
    await at.sql`update sessions set name = 'Work laptop' where user_id = ${userId}`;
    await at.sql`
      insert into audit_logs (event_id, timestamp, actor_id, actor_type, action, resource_type, metadata, outcome)
      select gen_random_uuid(), now(), ${userId}, 'user', 'auth.logout', 'session',
             jsonb_build_object('n', n, 'text', repeat('x', ${LARGE_RECORD_BYTES})), 'success'
      from generate_series(1, ${LARGE_RECORDS}) n`;
    const { body } = await client.post("/v1/users/me/export");
    await at.mail.mailsTo(email, READY);
    const { text, body: copy } = await client.at(at.other.url).get(`/v1/users/me/exports/${body.id}`);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(DATA_EXPORT_MAX_BYTES);
    expect(Buffer.byteLength(text)).toBeGreaterThan(DATA_EXPORT_MAX_BYTES - 2 * LARGE_RECORD_BYTES);
    expect(copy).toMatchObject({ audit_records_complete: false, user: { email }, sessions: [{ name: "Work laptop" }] });
    const numbers = copy.audit_records.flatMap(({ metadata }: { metadata: { n?: number } }) => metadata.n ?? []);
    expect(numbers[0]).toBe(LARGE_RECORDS);
    expect(numbers.at(-1)).toBe(LARGE_RECORDS - numbers.length + 1);
  });

  test("a replica that ended while making an export leaves the export to any replica", async () => {
    const { client, email, userId } = await provenUser(at);
    await at.sql`
      insert into data_exports (id, user_id, status, attempts, next_attempt_at, requested_at)
      values (gen_random_uuid(), ${userId}, 'pending', 1, now() - interval '1 second', now() - interval '6 minutes')`;
    await eventually("the export", READY_MS, async () => {
      const { body } = await client.get("/v1/users/me/exports");
      return body.items[0]?.status === "ready";
    });
    await at.mail.mailsTo(email, READY);
  });
});

describe("GET /v1/orgs/:org_id/export", () => {
  test("200: an owner gets every row as a line without secrets; 403 for members, 404 for others (G136)", async () => {
    const host = await withAuthenticator(at, await founded(at));
    const member = await joinedAs(at, host, "admin");
    const path = `/v1/orgs/${host.organizationId}/export`;
    const exported = await host.client.get(path);
    expect(exported.status).toBe(200);
    const lines = exported.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ type: "organization", id: host.organizationId });
    const members = lines.filter(({ type }) => type === "member").map(({ email }) => email);
    expect(members.sort()).toEqual([host.email, member.email].sort());
    const admin = await steppedUpPlatformUser(at, "admin");
    expect((await admin.client.get(`/v1/admin/orgs/${host.organizationId}/export`)).text).toBe(exported.text);
    const asked = await admin.client.post(`/v1/admin/users/${member.userId}/export`, { reason: "Request by letter" });
    expect([asked.status, (await member.client.get("/v1/users/me/exports")).body.total]).toEqual([202, 1]);
    expect((await member.client.get(path)).status).toBe(403);
    expect((await (await registered(at.one.url)).client.get(path)).status).toBe(404);
  });
});
