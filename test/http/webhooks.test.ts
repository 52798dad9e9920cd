import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { isSignedBy, readCheckpoint, readNote, readVerifierKey } from "../../clients/js/src/audit/note.ts";
import { Client, signedIn } from "../support/client.ts";
import { type Deployment, deployment, race } from "../support/deployment.ts";
import { platformUser, steppedUpPlatformUser } from "../support/platform.ts";
import { memberWith, newOwner } from "../support/team.ts";
import { until } from "../support/waiting.ts";
import { type Receiver, startReceiver, verifiesAsymmetrically, verifyDelivery } from "../support/webhook-receiver.ts";

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const PLATFORM = "/v1/admin/webhooks";
const hooksOf = (organizationId: string) => `/v1/orgs/${organizationId}/webhooks`;

let at: Deployment;
let receiver: Receiver;
beforeAll(async () => {
  receiver = startReceiver((request) => {
    if (request.path.startsWith("/gone")) return new Response("no more", { status: 410 });
    if (request.path.startsWith("/redirect")) return Response.redirect(`${receiver.url}/elsewhere`);
    if (request.path.startsWith("/long")) return new Response(`\0${"x".repeat(2_000)}`, { status: 500 });
    return new Response(null, { status: 204 });
  });
  at = await deployment();
});
afterAll(async () => {
  await receiver.stop();
});

let paths = 0;
/** Creates a webhook of an organization with a separate path. */
async function hookOf(client: Client, base: string, eventTypes: readonly string[], fields = {}, kind = "/hook") {
  paths += 1;
  const path = `${kind}-${paths}`;
  const response = await client.post(base, { url: `${receiver.url}${path}`, event_types: eventTypes, ...fields });
  if (response.status !== 201) throw new Error(`the webhook returned ${response.status}: ${response.text}`);
  return { path, id: String(response.body.id), secret: String(response.body.secret), body: response.body };
}

const signIns = (email: string, count = 1) =>
  Promise.all(Array.from({ length: count }, (_, index) => signedIn(index % 2 ? at.one.url : at.other.url, email)));

describe("POST /v1/orgs/:org_id/webhooks", () => {
  test("201: shows the secret once and stores the secret sealed; records the maker", async () => {
    const host = await newOwner(at);
    const { id, secret, body } = await hookOf(host.client, hooksOf(host.organizationId), ["member.*"]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret: _, ...shown } = body;
    expect((await host.client.get(`/v1/orgs/${host.organizationId}/webhooks`)).body.items).toEqual([shown]);
    const [row] = await at.sql`select w::text as text from webhooks w where id = ${id}`;
    expect(row?.text).not.toContain(Buffer.from(secret.slice(6), "base64").toString("hex"));
    const [record] = await at.sql`select action, actor_id from audit_logs where resource_id = ${id}`;
    expect([record?.action, record?.actor_id]).toEqual(["webhook.created", host.userId]);
  });

  test.each([
    [{ url: "http://app.example.com/x" }],
    [{ url: "http://127.0.0.1:9/x" }],
    [{ url: "https://10.0.0.1/x" }],
    [{ url: "https://169.254.169.254/latest/meta-data" }],
    [{ url: "https://[::ffff:10.0.0.1]/" }],
    [{ url: "https://0xa000001/" }],
    [{ url: "https://user:pw@app.example.com/" }],
    [{ url: "ftp://app.example.com/" }],
    [{ url: `https://app.example.com/${"x".repeat(2_000)}` }],
    [{ event_types: [] }],
    [{ event_types: ["*.created"] }],
    [{ event_types: ["AUTH.LOGIN"] }],
    [{ event_types: ["auth.%"] }],
    [{ event_types: ["member.*", "member.remvoed"] }],
    [{ event_types: ["members.*"] }],
  ])("400: refuses %j", async (fields) => {
    const host = await newOwner(at);
    const body = { url: "https://app.example.com/hook", event_types: ["*"], ...fields };
    expect((await host.client.post(hooksOf(host.organizationId), body)).status).toBe(400);
  });

  test("400: checkpoints are for webhooks of the platform, by their name", async () => {
    const host = await newOwner(at);
    const body = { url: "https://app.example.com/hook", event_types: ["audit.checkpoint.published"], enabled: false };
    expect((await host.client.post(hooksOf(host.organizationId), body)).status).toBe(400);
    const { id } = await hookOf(host.client, hooksOf(host.organizationId), ["audit.*"]);
    const changed = await host.client.patch(`${hooksOf(host.organizationId)}/${id}`, { event_types: body.event_types });
    expect(changed.status).toBe(400);
  });

  test("403 and 404: for owners and admins of the organization alone (G16)", async () => {
    const [host, stranger] = [await newOwner(at), await newOwner(at)];
    const member = await memberWith(at, host.organizationId, "member");
    const base = hooksOf(host.organizationId);
    const { id } = await hookOf(host.client, base, ["*"]);
    const calls: [string, string, object?][] = [
      ["POST", "", { url: "https://app.example.com", event_types: ["*"] }],
      ["GET", ""],
      ["PATCH", `/${id}`, { enabled: false }],
      ["DELETE", `/${id}`],
      ["POST", `/${id}/secret`],
      ["POST", `/${id}/test`],
      ["GET", `/${id}/deliveries`],
      ["POST", `/${id}/deliveries/${UNKNOWN}/resend`],
    ];
    for (const [method, path, body] of calls) {
      const ask = async (client: Client, root: string) => (await client.request(method, root + path, { body })).status;
      expect([method, path, await ask(member.client, base)]).toEqual([method, path, 403]);
      expect([method, path, await ask(stranger.client, base)]).toEqual([method, path, 404]);
      expect([method, path, await ask(host.client, PLATFORM)]).toEqual([method, path, 403]);
      if (path === "") continue;
      expect([method, path, await ask(stranger.client, hooksOf(stranger.organizationId))]).toEqual([method, path, 404]);
    }
  });

  test("409: twenty of an organization", async () => {
    const host = await newOwner(at);
    const body = { url: "https://app.example.com/hook", event_types: ["*"], enabled: false };
    const create = () => host.client.post(hooksOf(host.organizationId), body);
    const responses = (await Promise.all([race(create), race(create)])).flat();
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), ...Array(20).fill(409)]);
  });
});

describe("a delivery", () => {
  test("is the audit record, signed as Standard Webhooks says, by the secret and by the service (G57)", async () => {
    const host = await newOwner(at);
    const { path, secret } = await hookOf(host.client, hooksOf(host.organizationId), ["auth.*"]);
    await signIns(host.email);
    const [delivery] = await receiver.received(path, 1);
    if (!delivery) throw new Error("nothing came");
    verifyDelivery(secret, delivery);
    const { body: discovery } = await new Client(at.one.url).get("/.well-known/openid-configuration");
    expect(verifiesAsymmetrically(discovery.service_webhook_public_key, delivery)).toBe(true);
    const viewer = await platformUser(at, "viewer");
    const listed = await viewer.client.get(`/v1/audit-logs?user_id=${host.userId}&action=auth.login`);
    const [record] = listed.body.items;
    expect(delivery.body).toEqual({ type: "auth.login", timestamp: record.timestamp, data: record });
    expect(delivery.id).toBe(record.event_id);
  });

  test("comes for the event types that were asked for, of the organization alone", async () => {
    const [host, other] = [await newOwner(at), await newOwner(at)];
    const base = hooksOf(host.organizationId);
    const exact = await hookOf(host.client, base, ["user.updated"]);
    const below = await hookOf(host.client, base, ["auth.*"]);
    const all = await hookOf(host.client, base, ["*"]);
    await Promise.all([signIns(host.email), signIns(other.email)]);
    await host.client.patch("/v1/users/me", { display_name: "Ada" });
    await receiver.received(all.path, 3);
    await receiver.received(exact.path, 1);
    await receiver.received(below.path, 1);
    const typesAt = (path: string) => receiver.at(path).map(({ body }) => body.type);
    expect([typesAt(exact.path), typesAt(below.path), typesAt(all.path).sort()]).toEqual([
      ["user.updated"],
      ["auth.login"],
      // The creation of a webhook for all events is the first event of the webhook.
      ["auth.login", "user.updated", "webhook.created"],
    ]);
    expect(receiver.at(all.path).every(({ body }) => body.data.organization_id === host.organizationId)).toBe(true);
  });

  test("keeps the order of one user's events, whichever replica wrote and sent them (G57)", async () => {
    const host = await newOwner(at);
    const { path } = await hookOf(host.client, hooksOf(host.organizationId), ["user.updated", "auth.login"]);
    const clients = [host.client, host.client.at(at.other.url)];
    for (let step = 0; step < 12; step += 1) {
      const client = clients[step % 2] as Client;
      await client.patch("/v1/users/me", { display_name: `Name ${step}` });
    }
    const got = await receiver.received(path, 12);
    const ids = got.map(({ body }) => body.data.id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(new Set(got.map(({ id }) => id)).size).toBe(12);
  });

  test("of a checkpoint has the note that anyone may fetch, under the key of discovery", async () => {
    const admin = await steppedUpPlatformUser(at, "admin");
    const hook = await hookOf(admin.client, PLATFORM, ["audit.checkpoint.published"]);
    await at.sql`update transparency_log set announced_at = null`;
    await newOwner(at);
    const [delivery] = await receiver.received(hook.path, 1);
    if (!delivery) throw new Error("nothing came");
    verifyDelivery(hook.secret, delivery);
    const { type, data } = delivery.body;
    const { body: discovery } = await new Client(at.one.url).get("/.well-known/openid-configuration");
    const note = readNote(data.checkpoint);
    const key = readVerifierKey(discovery.service_audit_log.verifier_key);
    expect([type, await isSignedBy(note, key)]).toEqual(["audit.checkpoint.published", true]);
    expect(readCheckpoint(note.text)).toMatchObject({ origin: data.origin, size: data.tree_size });
    await admin.client.delete(`${PLATFORM}/${hook.id}`);
  });

  test("of a webhook of the platform comes from every organization; only a platform admin may make one", async () => {
    const admin = await steppedUpPlatformUser(at, "admin");
    const hook = await hookOf(admin.client, "/v1/admin/webhooks", ["auth.login"]);
    const [one, other] = [await newOwner(at), await newOwner(at)];
    await Promise.all([signIns(one.email), signIns(other.email)]);
    await until("both sign-ins come", async () => {
      const organizations = receiver.at(hook.path).map(({ body }) => body.data.organization_id);
      return [one, other].every(({ organizationId }) => organizations.includes(organizationId));
    });
    const base = `/v1/admin/webhooks/${hook.id}`;
    expect((await admin.client.get(`${base}/deliveries`)).body.total).toBeGreaterThan(1);
    expect((await admin.client.get(PLATFORM)).body.total).toBe(1);
    expect((await admin.client.post(`/v1/admin/webhooks/${hook.id}/test`)).status).toBe(202);
    expect((await admin.client.post(`/v1/admin/webhooks/${hook.id}/secret`)).status).toBe(200);
    const event = receiver.at(hook.path)[0]?.id;
    expect((await admin.client.post(`/v1/admin/webhooks/${hook.id}/deliveries/${event}/resend`)).status).toBe(202);
    expect((await admin.client.patch(`/v1/admin/webhooks/${hook.id}`, { enabled: false })).status).toBe(200);
    expect((await admin.client.delete(`/v1/admin/webhooks/${hook.id}`)).status).toBe(204);
  });
});

describe("PATCH, DELETE and the secret of /v1/orgs/:org_id/webhooks/:id", () => {
  test("a switched-off webhook gets nothing; switched on, what happens from then on", async () => {
    const host = await newOwner(at);
    const base = hooksOf(host.organizationId);
    const hook = await hookOf(host.client, base, ["*"], { enabled: false });
    await host.client.patch("/v1/users/me", { display_name: "Before" });
    const on = await host.client.patch(`/v1/orgs/${host.organizationId}/webhooks/${hook.id}`, {
      enabled: true,
      event_types: ["user.updated"],
    });
    expect(on.body).toMatchObject({ enabled: true, event_types: ["user.updated"] });
    await host.client.patch("/v1/users/me", { display_name: "After" });
    await receiver.received(hook.path, 1);
    expect((await host.client.delete(`/v1/orgs/${host.organizationId}/webhooks/${hook.id}`)).status).toBe(204);
    await host.client.patch("/v1/users/me", { display_name: "Deleted" });
    expect(receiver.at(hook.path)).toHaveLength(1);
    expect((await host.client.patch(`${base}/${hook.id}`, { enabled: true })).status).toBe(404);
    expect((await host.client.delete(`${base}/${hook.id}`)).status).toBe(404);
  });

  /** Returns the given secrets that sign a delivery at present. */
  async function signing(client: Client, path: string, secrets: readonly string[]): Promise<string[]> {
    const count = receiver.at(path).length + 1;
    await client.patch("/v1/users/me", { display_name: `Rotated ${count}` });
    const delivery = (await receiver.received(path, count)).at(-1);
    if (!delivery) throw new Error("nothing came");
    return secrets.filter((secret) => {
      try {
        verifyDelivery(secret, delivery);
        return true;
      } catch {
        return false;
      }
    });
  }

  test("after a rotation deliveries are signed with both secrets, and a double click is one rotation", async () => {
    const host = await newOwner(at);
    const hook = await hookOf(host.client, hooksOf(host.organizationId), ["user.updated"]);
    const secrets = [hook.secret, `whsec_${Buffer.alloc(32).toString("base64")}`];
    const rotate = async () => {
      const rotated = await host.client.post(`/v1/orgs/${host.organizationId}/webhooks/${hook.id}/secret`);
      expect([rotated.status, secrets.includes(rotated.body.secret)]).toEqual([200, false]);
      secrets.push(rotated.body.secret);
      return rotated.body.secret;
    };
    const first = await rotate();
    expect(await signing(host.client, hook.path, secrets)).toEqual([hook.secret, first]);
    const second = await rotate();
    expect(await signing(host.client, hook.path, secrets)).toEqual([hook.secret, second]);
    await at.sql`update webhooks set previous_expires_at = previous_expires_at - interval '10 s' where id = ${hook.id}`;
    const third = await rotate();
    expect(await signing(host.client, hook.path, secrets)).toEqual([second, third]);
    // A replica with a fast clock rotated the secret: the true time of the rotation is unknown.
    await at.sql`
      update webhooks set previous_expires_at = previous_expires_at + interval '1 min' where id = ${hook.id}`;
    const fourth = await rotate();
    expect(await signing(host.client, hook.path, secrets)).toEqual([third, fourth]);
  });
});

describe("the trail", () => {
  test("is written while a webhook is being deleted: a sign-in neither waits for that nor fails by it", async () => {
    const host = await newOwner(at);
    const hook = await hookOf(host.client, hooksOf(host.organizationId), ["*"]);
    await at.sql.begin(async (sql) => {
      await sql`delete from webhooks where id = ${hook.id}`;
      expect((await signedIn(at.one.url, host.email)).answer.status).toBe(200);
    });
    expect((await signedIn(at.one.url, host.email)).answer.status).toBe(200);
  });
});

describe("GET /v1/orgs/:org_id/webhooks/:id/deliveries", () => {
  const deliveriesOf = async (host: { client: Client; organizationId: string }, id: string) =>
    (await host.client.get(`/v1/orgs/${host.organizationId}/webhooks/${id}/deliveries`)).body.items;

  test("has status, latency and the first KiB of the last answer; redirects are not followed", async () => {
    const host = await newOwner(at);
    const base = hooksOf(host.organizationId);
    const well = await hookOf(host.client, base, ["user.updated"]);
    const long = await hookOf(host.client, base, ["user.updated"], {}, "/long");
    const redirect = await hookOf(host.client, base, ["user.updated"], {}, "/redirect");
    await host.client.patch("/v1/users/me", { display_name: "Ada" });
    const attempted = async (id: string) => {
      await until("it was attempted", async () => (await deliveriesOf(host, id))[0]?.attempted_at !== null);
      return (await deliveriesOf(host, id))[0];
    };
    expect(await attempted(well.id)).toMatchObject({
      status: "delivered",
      attempts: 1,
      answer_status: 204,
      answer: "",
    });
    const failed = await attempted(long.id);
    expect(failed).toMatchObject({ status: "pending", answer_status: 500, answer: "x".repeat(1_023) });
    expect(failed.answer_ms).toBeNumber();
    expect(Date.parse(failed.next_attempt_at)).toBeGreaterThan(Date.parse(failed.attempted_at) + 4_000);
    expect(await attempted(redirect.id)).toMatchObject({ status: "pending", answer_status: 302 });
    expect(receiver.at("/elsewhere")).toEqual([]);
    const pending = await host.client.get(`${base}/${long.id}/deliveries?status=delivered`);
    expect(pending.body.total).toBe(0);
  });

  test("410 switches the webhook off; what waits is sent again by hand once it is on", async () => {
    const host = await newOwner(at);
    const base = hooksOf(host.organizationId);
    const hook = await hookOf(host.client, base, ["user.updated"], {}, "/gone");
    await host.client.patch("/v1/users/me", { display_name: "Ada" });
    await until("it is off", async () => {
      const [item] = (await host.client.get(base)).body.items;
      return item.enabled === false && item.disabled_reason === "gone";
    });
    const [delivery] = await deliveriesOf(host, hook.id);
    expect(delivery).toMatchObject({ status: "failed", answer_status: 410, answer: "no more", next_attempt_at: null });
    const resend = `/v1/orgs/${host.organizationId}/webhooks/${hook.id}/deliveries/${delivery.event_id}/resend`;
    expect((await host.client.post(resend)).status).toBe(409);
    expect((await host.client.post(`${base}/${hook.id}/test`)).status).toBe(409);
    const [record] = await at.sql`
      select actor_type, metadata from audit_logs where resource_id = ${hook.id} and action = 'webhook.disabled'`;
    expect(record).toEqual({ actor_type: "system", metadata: { reason: "gone" } });
    const moved = await hookOf(host.client, base, ["user.updated"], { enabled: false });
    const url = `${receiver.url}${moved.path}`;
    expect((await host.client.patch(`${base}/${hook.id}`, { url, enabled: true })).body.disabled_reason).toBeNull();
    expect((await host.client.post(resend)).body.status).toBe("pending");
    const [again] = await receiver.received(moved.path, 1);
    expect(again?.id).toBe(delivery.event_id);
    const unknown = `/v1/orgs/${host.organizationId}/webhooks/${hook.id}/deliveries/${UNKNOWN}/resend`;
    expect((await host.client.post(unknown)).status).toBe(404);
  });

  test("a test event comes whatever the event types are", async () => {
    const host = await newOwner(at);
    const hook = await hookOf(host.client, hooksOf(host.organizationId), ["member.removed"]);
    const response = await host.client.post(`/v1/orgs/${host.organizationId}/webhooks/${hook.id}/test`);
    expect([response.status, response.body.event_type]).toEqual([202, "webhook.tested"]);
    const [delivery] = await receiver.received(hook.path, 1);
    if (!delivery) throw new Error("nothing came");
    verifyDelivery(hook.secret, delivery);
    expect(delivery.body.data).toMatchObject({ action: "webhook.tested", resource_id: hook.id, actor_id: host.userId });
  });
});
