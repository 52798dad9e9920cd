import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, Client, PASSWORD } from "../support/client.ts";
import { type Deployment, deployment, eventually, race } from "../support/deployment.ts";
import { codeOf, forgetUsedStep, weakSession } from "../support/mfa.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { ISSUER } from "../support/replica.ts";
import { memberInSession } from "../support/roles.ts";
import { accountsOf, keyOf, type MadeKey, steppedUpOwner } from "../support/service-accounts.ts";
import {
  bodyOf,
  endedSessionIn,
  keyCaller,
  openStream,
  receiverKeyOf,
  type SecurityEvent,
  startPushReceiver,
  tokenVerifier,
  typeOf,
} from "../support/signal-receiver.ts";
import { memberWith } from "../support/team.ts";
import { changeAddress, provenUser, undo } from "../support/user-emails.ts";
import { until } from "../support/waiting.ts";

/** Returns the SQL of a migration. */
function migrationOf(name: string): string {
  const folder = join(import.meta.dir, "../../db/migrations");
  const file = readdirSync(folder).find((each) => each.endsWith(`_${name}.sql`));
  if (!file) throw new Error(`there is no migration ${name}`);
  return readFileSync(join(folder, file), "utf8");
}

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const CAEP = "https://schemas.openid.net/secevent/caep/event-type/";
const IDENTIFIER_CHANGED = "https://schemas.openid.net/secevent/risc/event-type/identifier-changed";
const ACCOUNT_DISABLED = "https://schemas.openid.net/secevent/risc/event-type/account-disabled";
const ACCOUNT_PURGED = "https://schemas.openid.net/secevent/risc/event-type/account-purged";
const POLL = { method: "urn:ietf:rfc:8936" };

let at: Deployment;
let owner: Awaited<ReturnType<typeof steppedUpOwner>>;
let admin: Awaited<ReturnType<typeof steppedUpAdmin>>;
/** A key of the owner's organization. */
let key: MadeKey;
let call: ReturnType<typeof keyCaller>;
let receiver: ReturnType<typeof startPushReceiver>;
beforeAll(async () => {
  at = await deployment();
  [owner, admin] = await Promise.all([steppedUpOwner(at), steppedUpAdmin(at)]);
  key = await receiverKey();
  call = keyCaller(at.one.url, key.key);
  receiver = startPushReceiver((push, attempt) => {
    if (push.path === "/lost" && attempt === 1) return new Response(null, { status: 503 });
    if (push.path === "/refuses") return Response.json({ err: "invalid_audience" }, { status: 400 });
    return new Response(null, { status: 202 });
  });
});
afterAll(async () => {
  await receiver.stop();
  // A stream of the platform would receive the events of all other tests.
  await at.sql`delete from webhooks where service_account_id is not null`;
});

const receiverKey = () => receiverKeyOf(owner);
const streamOf = async (body: object = {}, made?: MadeKey) => await openStream(at, made ?? (await receiverKey()), body);
const endedSession = () => endedSessionIn(at, owner.organizationId);
const types = (events: readonly SecurityEvent[]) => events.map(typeOf);
const acks = (events: readonly SecurityEvent[]) => events.map(({ jti }) => jti);

describe("GET /.well-known/ssf-configuration", () => {
  test("200: says where and how streams are managed (G64)", async () => {
    const { status, body } = await new Client(at.one.url).get("/.well-known/ssf-configuration");
    expect(status).toBe(200);
    expect(body).toEqual({
      spec_version: "1_0",
      issuer: ISSUER,
      jwks_uri: `${ISSUER}/.well-known/jwks.json`,
      delivery_methods_supported: ["urn:ietf:rfc:8935", "urn:ietf:rfc:8936"],
      configuration_endpoint: `${ISSUER}/v1/ssf/stream`,
      status_endpoint: `${ISSUER}/v1/ssf/status`,
      verification_endpoint: `${ISSUER}/v1/ssf/verify`,
      authorization_schemes: [{ spec_urn: "urn:ietf:rfc:6749" }, { spec_urn: "urn:ietf:rfc:6750" }],
      default_subjects: "ALL",
    });
  });
});

describe("/v1/ssf/stream", () => {
  test("201 and 200: a stream is made, read, changed and replaced, and each change is recorded", async () => {
    const events = [`${CAEP}session-revoked`, `${CAEP}device-compliance-change`];
    const stream = await streamOf({ events_requested: events, description: "first" });
    const { id, body } = stream;
    expect(body).toEqual({
      stream_id: id,
      iss: ISSUER,
      aud: stream.accountId,
      events_supported: [
        ...["session-revoked", "credential-change", "assurance-level-change"].map((n) => CAEP + n),
        ACCOUNT_DISABLED,
        ACCOUNT_PURGED,
        IDENTIFIER_CHANGED,
      ],
      events_requested: events,
      events_delivered: [`${CAEP}session-revoked`],
      delivery: { ...POLL, endpoint_url: `${ISSUER}/v1/ssf/poll/${id}` },
      min_verification_interval: 30,
      description: "first",
    });
    expect((await stream.call("GET", `/v1/ssf/stream?stream_id=${id}`)).body).toEqual(body);
    expect((await stream.call("GET", "/v1/ssf/stream")).body).toEqual([body]);
    const changed = await stream.call("PATCH", "/v1/ssf/stream", {
      stream_id: id,
      events_requested: [ACCOUNT_DISABLED],
    });
    expect(changed.body).toMatchObject({ events_delivered: [ACCOUNT_DISABLED], description: "first" });
    const push = {
      method: "urn:ietf:rfc:8935",
      endpoint_url: `${receiver.url}/new`,
      authorization_header: "Bearer s3cret",
    };
    const replaced = await stream.call("PUT", "/v1/ssf/stream", { ...changed.body, description: null, delivery: push });
    const { authorization_header: _, ...shown } = push;
    expect(replaced.body).toEqual({ ...changed.body, description: undefined, delivery: shown });
    const [row] = await at.sql`select w::text as text from webhooks w where id = ${id}`;
    expect(row?.text).not.toContain(Buffer.from("s3cret").toString("hex"));
    // A new address without a header receives no earlier header (G300).
    const delivery = { method: push.method, endpoint_url: `${receiver.url}/other` };
    expect((await stream.call("PATCH", "/v1/ssf/stream", { stream_id: id, delivery })).status).toBe(200);
    expect((await at.sql`select length(sealed_secret) as length from webhooks where id = ${id}`)[0]?.length).toBe(0);
    expect((await stream.call("DELETE", `/v1/ssf/stream?stream_id=${id}`)).status).toBe(204);
    expect((await stream.call("GET", "/v1/ssf/stream")).body).toEqual([]);
    const records = await at.sql`
      select action, actor_id, actor_type from audit_logs where resource_id = ${id} order by id`;
    const actions = ["created", "updated", "updated", "updated", "deleted"].map((change) => `signal_stream.${change}`);
    expect(records.map(({ action }) => action)).toEqual(actions);
    expect(records.every((r) => r.actor_id === stream.keyId && r.actor_type === "api_key")).toBe(true);
  });

  test.each([
    [{ method: "urn:ietf:rfc:8935" }],
    [{ method: "urn:ietf:rfc:8935", endpoint_url: "http://app.example.com/x" }],
    [{ method: "urn:ietf:rfc:8935", endpoint_url: "https://10.0.0.1/x" }],
    [{ method: "urn:ietf:rfc:8935", endpoint_url: "https://169.254.169.254/latest" }],
    [{ method: "urn:ietf:rfc:8935", endpoint_url: "https://[::ffff:10.0.0.1]/" }],
    [{ method: "urn:ietf:rfc:8935", endpoint_url: "https://0xa000001/" }],
    [{ method: "urn:ietf:rfc:8935", endpoint_url: "https://app.example.com/\0" }],
    [{ method: "urn:ietf:rfc:8935", endpoint_url: "https://app.example.com/", authorization_header: "a\r\nb: c" }],
    [{ ...POLL, endpoint_url: "https://app.example.com/" }],
    [{ method: "urn:ietf:rfc:1149" }],
  ])("400: refuses the delivery %j", async (delivery) => {
    expect((await call("POST", "/v1/ssf/stream", { delivery })).status).toBe(400);
  });

  test("400: refuses a change of members of the service, and changes no member", async () => {
    const { id, body, call: own } = await streamOf();
    const others = [
      { aud: "me" },
      { iss: "https://evil.example" },
      { events_delivered: [] },
      { min_verification_interval: 1 },
    ];
    for (const other of others) {
      expect((await own("PATCH", "/v1/ssf/stream", { stream_id: id, description: "x", ...other })).status).toBe(400);
    }
    expect((await own("GET", `/v1/ssf/stream?stream_id=${id}`)).body).toEqual(body);
  });

  test("200: of changes at once none takes back another, nor mixes address and header of two", async () => {
    const stream = await streamOf();
    const other = keyCaller(at.other.url, stream.key);
    const patch = (as: typeof call, change: object) =>
      as("PATCH", "/v1/ssf/stream", { stream_id: stream.id, ...change });
    for (const n of [1, 2, 3, 4, 5, 6]) {
      const delivery = { method: "urn:ietf:rfc:8935", endpoint_url: `${receiver.url}/${n}` };
      await Promise.all([patch(stream.call, { delivery }), patch(other, { description: `${n}` })]);
      const { body } = await stream.call("GET", `/v1/ssf/stream?stream_id=${stream.id}`);
      expect(body).toMatchObject({ delivery, description: `${n}` });
    }
  });

  test("401, 403 and 404: for keys with the scope alone, and each account has its own streams (G65)", async () => {
    const mine = await streamOf();
    const other = await receiverKey();
    const lacking = await keyOf(owner.client, accountsOf(owner.organizationId), ["members.list"]);
    const body = { stream_id: mine.id };
    const calls: [string, string, object?][] = [
      ["GET", `/v1/ssf/stream?stream_id=${mine.id}`],
      ["PATCH", "/v1/ssf/stream", body],
      ["PUT", "/v1/ssf/stream", body],
      ["DELETE", `/v1/ssf/stream?stream_id=${mine.id}`],
      ["GET", `/v1/ssf/status?stream_id=${mine.id}`],
      ["POST", "/v1/ssf/status", { ...body, status: "paused" }],
      ["POST", "/v1/ssf/verify", body],
      ["POST", `/v1/ssf/poll/${mine.id}`, { returnImmediately: true }],
    ];
    const ask = async (as: ReturnType<typeof keyCaller>) =>
      await Promise.all(calls.map(async ([method, path, sent]) => (await as(method, path, sent)).status));
    const all = (status: number) => calls.map(() => status);
    expect(await ask((method, path, sent) => new Client(at.one.url).request(method, path, { body: sent }))).toEqual(
      all(401),
    );
    expect(await ask((method, path, sent) => owner.client.request(method, path, { body: sent }))).toEqual(all(403));
    expect(await ask(keyCaller(at.one.url, lacking.key))).toEqual(all(403));
    expect(await ask(keyCaller(at.one.url, other.key))).toEqual(all(404));
    expect((await mine.call("GET", "/v1/ssf/status?stream_id=none")).status).toBe(404);
    expect((await mine.call("GET", `/v1/ssf/status?stream_id=${UNKNOWN}`)).status).toBe(404);
    const hooks = await owner.client.get(`/v1/orgs/${owner.organizationId}/webhooks`);
    expect(hooks.body.items.map(({ id }: { id: string }) => id)).not.toContain(mine.id);
    expect((await owner.client.delete(`/v1/orgs/${owner.organizationId}/webhooks/${mine.id}`)).status).toBe(404);
  });

  test("409: five of a service account", async () => {
    const { call: own } = await streamOf();
    const made = await race(() => own("POST", "/v1/ssf/stream", {}));
    expect(made.map(({ status }) => status).sort()).toEqual([...Array(4).fill(201), ...Array(16).fill(409)]);
    expect((await own("GET", "/v1/ssf/stream")).body).toHaveLength(5);
  });
});

describe("POST /v1/ssf/poll/:stream_id", () => {
  test("200: an event comes until it is acknowledged, with the same jti, oldest first (G64)", async () => {
    const stream = await streamOf();
    const people = [await endedSession(), await endedSession(), await endedSession()];
    const first = await stream.poll({ maxEvents: 2 });
    expect(first.more).toBe(true);
    expect(first.events.map(({ sub_id }) => sub_id.user.sub)).toEqual(people.slice(0, 2).map(({ userId }) => userId));
    // The acknowledgement was lost.
    const again = await stream.poll();
    expect(again.events.slice(0, 2)).toEqual(first.events);
    expect([again.events.length, again.more]).toEqual([3, false]);
    const [one, two, three] = acks(again.events);
    const setErrs = { [String(two)]: { err: "invalid_audience", description: "not mine" }, nonsense: { err: "x" } };
    const rest = await stream.poll({ ack: [one, UNKNOWN, "nonsense"], setErrs });
    expect(acks(rest.events)).toEqual([three]);
    expect((await stream.poll({ maxEvents: 0 })).more).toBe(true);
    expect((await stream.poll({ ack: [three] })).events).toEqual([]);
    const rows = await at.sql`
      select status, answer from webhook_deliveries where webhook_id = ${stream.id} order by sequence`;
    expect(rows.map(({ status }) => status)).toEqual(["delivered", "failed", "delivered"]);
    expect(rows[1]?.answer).toBe("invalid_audience: not mine");
  });

  test("200: of parallel polls with the same events in different orders none fails", async () => {
    const stream = await streamOf();
    const other = keyCaller(at.other.url, stream.key);
    const rows = await at.sql`
      insert into webhook_deliveries (webhook_id, event_id, subject, event_type, payload, status, next_attempt_at,
                                      expires_at, created_at)
      select ${stream.id}, gen_random_uuid(), '', 'stream.verification', '{}', 'pending', now(),
             now() + interval '1 day', now() from generate_series(1, 500)
      returning event_id`;
    const ids = rows.map(({ event_id }) => event_id);
    const orders = [ids, [...ids].reverse(), [...ids].sort(), [...ids].sort().reverse()];
    const path = `/v1/ssf/poll/${stream.id}`;
    const responses = await race((n) => {
      return (n % 2 ? other : stream.call)("POST", path, { maxEvents: 0, ack: orders[n % 4] });
    }, 8);
    expect(responses.map(({ status, body }) => [status, body.moreAvailable])).toEqual(
      responses.map(() => [200, false]),
    );
  });

  test("200: waits for an event of a second replica, unless asked to return", async () => {
    const stream = await streamOf();
    const polled = stream.poll({ returnImmediately: false });
    await endedSession();
    const { events } = await polled;
    expect(types(events)).toEqual(["session-revoked"]);
  });

  test("400: refuses what is no poll", async () => {
    const { id, call: own } = await streamOf();
    const bodies = [{ maxEvents: -1 }, { ack: "all" }, { setErrs: { a: "b" } }, { ack: Array(501).fill("a") }];
    for (const body of bodies) {
      expect([body, (await own("POST", `/v1/ssf/poll/${id}`, body)).status]).toEqual([body, 400]);
    }
  });

  test("401: a revoked key gets nothing more, also where its poll already waits (G65)", async () => {
    const made = await receiverKey();
    const stream = await streamOf({}, made);
    const waiting = stream.call("POST", `/v1/ssf/poll/${stream.id}`, {});
    const keys = `${accountsOf(owner.organizationId)}/${made.accountId}/keys/${made.id}`;
    // The request follows the pending poll; a poll that arrives too late to wait is also refused.
    await stream.call("GET", "/v1/ssf/stream");
    expect((await owner.client.delete(keys)).status).toBe(204);
    expect((await waiting).status).toBe(401);
    await endedSession();
    expect((await stream.call("POST", `/v1/ssf/poll/${stream.id}`, {})).status).toBe(401);
  });

  test("404: a stream that is pushed is not polled", async () => {
    const delivery = { method: "urn:ietf:rfc:8935", endpoint_url: `${receiver.url}/quiet` };
    const { id, call: own } = await streamOf({ delivery });
    expect((await own("POST", `/v1/ssf/poll/${id}`, { returnImmediately: true })).status).toBe(404);
  });
});

describe("an event", () => {
  test("tells the former and the new address of a user, after a change and after its undo", async () => {
    const person = await provenUser(at);
    await at.sql`
      insert into members (organization_id, user_id, role, joined_at)
      values (${owner.organizationId}, ${person.userId}, 'member', now())`;
    const stream = await streamOf({ events_requested: [IDENTIFIER_CHANGED] });
    const { changed, undoToken } = await changeAddress(at, person);
    expect((await undo(at.other.url, undoToken)).status).toBe(204);
    const { events } = await stream.poll();
    expect(events.map((event) => event.sub_id)).toEqual([
      { format: "email", email: person.email },
      { format: "email", email: changed },
    ]);
    expect(events.map((event) => event.events)).toEqual([
      { [IDENTIFIER_CHANGED]: { "new-value": changed } },
      { [IDENTIFIER_CHANGED]: { "new-value": person.email } },
    ]);
  });

  test("tells sessions with user and tenant, credentials, assurance and disabled accounts (G64)", async () => {
    const stream = await streamOf();
    const weak = await weakSession(at.one.url, owner);
    await forgetUsedStep(at.sql, owner.userId);
    expect((await weak.post("/v1/auth/mfa/verify", { code: codeOf(owner.secret) })).status).toBe(200);
    await forgetUsedStep(at.sql, owner.userId);
    // The session is already aal2: the request changes no state.
    expect((await weak.post("/v1/auth/mfa/verify", { code: codeOf(owner.secret) })).status).toBe(200);
    const member = await memberWith(at, owner.organizationId, "member");
    const changed = { current_password: PASSWORD, new_password: `${PASSWORD} anew` };
    expect((await member.client.post("/v1/users/me/password", changed)).status).toBe(204);
    expect((await admin.client.patch(`/v1/admin/users/${member.userId}`, { disabled: true })).status).toBe(200);
    const { events } = await stream.poll();
    expect(types(events)).toEqual(["assurance-level-change", "credential-change", "account-disabled"]);
    const [assurance, credential, disabled] = events as [SecurityEvent, SecurityEvent, SecurityEvent];
    const user = (sub: string) => ({ format: "iss_sub", iss: ISSUER, sub });
    expect(assurance.sub_id).toEqual({
      format: "complex",
      user: user(owner.userId),
      session: { format: "opaque", id: expect.any(String) },
      tenant: { format: "opaque", id: owner.organizationId },
    });
    expect(bodyOf(assurance)).toMatchObject({
      namespace: "NIST-AAL",
      current_level: "nist-aal2",
      previous_level: "nist-aal1",
      change_direction: "increase",
      initiating_entity: "user",
    });
    expect(credential.sub_id).toEqual(user(member.userId));
    expect(bodyOf(credential)).toEqual({
      credential_type: "password",
      change_type: "update",
      initiating_entity: "user",
      event_timestamp: credential.iat,
      reason_admin: { en: "auth.password.changed" },
    });
    expect([disabled.sub_id, disabled.events]).toEqual([user(member.userId), { [ACCOUNT_DISABLED]: {} }]);
  });

  test("of a session that a policy ends names the policy (G65)", async () => {
    const stream = await streamOf();
    const member = await memberInSession(at, owner);
    await at.sql`
      update sessions set auth_time = auth_time - interval '2 hours'
      where user_id = ${member.userId} and revoked_at is null`;
    const policies = `/v1/orgs/${owner.organizationId}/policies`;
    expect((await owner.client.put(policies, { session_max_hours: 1 })).status).toBe(200);
    let events: readonly SecurityEvent[] = [];
    await eventually("the event of the ended session arrives", 10_000, async () => {
      ({ events } = await stream.poll());
      return events.length > 0;
    });
    expect(types(events)).toEqual(["session-revoked"]);
    expect(bodyOf(events[0] as SecurityEvent)).toMatchObject({
      initiating_entity: "policy",
      reason_admin: { en: "policy" },
    });
    expect((await owner.client.put(policies, {})).status).toBe(200);
  });

  test("of one organization does not reach another organization, and the platform receives all (G65)", async () => {
    const stranger = await steppedUpOwner(at);
    const theirs = await streamOf(
      {},
      await keyOf(stranger.client, accountsOf(stranger.organizationId), ["ssf.manage"]),
    );
    const whole = await streamOf({}, await keyOf(admin.client, "/v1/admin/service-accounts", ["ssf.manage"]));
    const mine = await streamOf();
    const member = await endedSession();
    await owner.client.post("/v1/auth/mfa/recovery-codes", { password: PASSWORD });
    await admin.client.patch(`/v1/admin/users/${member.userId}`, { disabled: true });
    const heard = await mine.poll();
    expect(types(heard.events)).toEqual(["session-revoked", "credential-change", "account-disabled"]);
    expect(bodyOf(heard.events[0] as SecurityEvent)).toMatchObject({
      initiating_entity: "user",
      reason_admin: { en: "logout" },
    });
    expect((await theirs.poll()).events).toEqual([]);
    const all = await whole.poll();
    expect(types(all.events)).toEqual(types(heard.events));
    // No identifier reveals that two receivers received an event of the same cause.
    const ids = [...heard.events, ...all.events].flatMap(({ jti, txn }) => [jti, txn]);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await whole.call("DELETE", `/v1/ssf/stream?stream_id=${whole.id}`)).status).toBe(204);
  });
});

describe("the scopes of a key (CAEP Interoperability Profile 1.0, section 2.7.3)", () => {
  const push = () => ({ method: "urn:ietf:rfc:8935", endpoint_url: `${receiver.url}/scopes` });
  /** Creates a second key of the account. */
  const reading = async ({ accountId }: MadeKey) => {
    const made = await owner.client.post(`${accountsOf(owner.organizationId)}/${accountId}/keys`, {
      scopes: ["ssf.read"],
    });
    return keyCaller(at.one.url, made.body.key);
  };
  const refused = { status: 403, challenge: expect.stringContaining('error="insufficient_scope"') };
  const outcomeOf = ({ status, headers }: Answer) => ({ status, challenge: headers.get("www-authenticate") });

  test("`ssf.read` alone reads a push stream: every change of one is 403 (G98)", async () => {
    const manager = await receiverKey();
    const [stream, read] = [await streamOf({ delivery: push() }, manager), await reading(manager)];
    const named = { stream_id: stream.id };
    const attempts = [
      await read("POST", "/v1/ssf/stream", { delivery: push() }),
      await read("PATCH", "/v1/ssf/stream", { ...named, description: "mine" }),
      await read("PUT", "/v1/ssf/stream", named),
      await read("POST", "/v1/ssf/status", { ...named, status: "disabled" }),
      await read("POST", "/v1/ssf/verify", named),
      await read("DELETE", `/v1/ssf/stream?stream_id=${stream.id}`),
    ];
    expect(attempts.map(outcomeOf)).toEqual(attempts.map(() => refused));
    expect(attempts[0]?.headers.get("www-authenticate")).toContain('scope="ssf.manage"');
    expect((await read("GET", "/v1/ssf/stream")).body).toEqual([stream.body]);
    expect((await read("GET", `/v1/ssf/status?stream_id=${stream.id}`)).body).toEqual({ ...named, status: "enabled" });
    expect((await stream.call("DELETE", `/v1/ssf/stream?stream_id=${stream.id}`)).status).toBe(204);
  });

  test("`ssf.read` creates and polls a stream of the key, and neither deletes it nor makes it push", async () => {
    const made = await keyOf(owner.client, accountsOf(owner.organizationId), ["ssf.read"]);
    const stream = await streamOf({}, made);
    await endedSession();
    expect(types((await stream.poll()).events)).toEqual(["session-revoked"]);
    const turned = await stream.call("PATCH", "/v1/ssf/stream", { stream_id: stream.id, delivery: push() });
    const deleted = await stream.call("DELETE", `/v1/ssf/stream?stream_id=${stream.id}`);
    expect([turned, deleted].map(outcomeOf)).toEqual([refused, refused]);
    expect((await stream.call("GET", `/v1/ssf/stream?stream_id=${stream.id}`)).body).toEqual(stream.body);
  });

  test("a key with `ssf.read` of an earlier release keeps the earlier rights", async () => {
    const made = await keyOf(owner.client, accountsOf(owner.organizationId), ["audit.read", "ssf.read"]);
    const bare = await keyOf(owner.client, accountsOf(owner.organizationId), ["audit.read"]);
    await at.sql.unsafe(migrationOf("ssf_manage"));
    const scopes = await at.sql`
      select scopes from api_keys where id in (${made.id}, ${bare.id}) order by array_length(scopes, 1)`;
    expect(scopes.map((row) => row.scopes)).toEqual([["audit.read"], ["audit.read", "ssf.manage", "ssf.read"]]);
  });
});

describe("/v1/ssf/status", () => {
  test("200: a paused stream keeps events, a disabled stream keeps no event", async () => {
    const stream = await streamOf();
    const set = (status: string, reason?: string) =>
      stream.call("POST", "/v1/ssf/status", { stream_id: stream.id, status, reason });
    expect((await set("paused", "maintenance")).body).toEqual({
      stream_id: stream.id,
      status: "paused",
      reason: "maintenance",
    });
    await endedSession();
    expect((await stream.poll()).events).toEqual([]);
    expect((await set("enabled")).body).toEqual({ stream_id: stream.id, status: "enabled" });
    expect((await stream.poll()).events).toHaveLength(1);
    await set("disabled");
    await endedSession();
    await set("enabled");
    expect((await stream.poll()).events).toEqual([]);
    const read = await stream.call("GET", `/v1/ssf/status?stream_id=${stream.id}`);
    expect(read.body).toEqual({ stream_id: stream.id, status: "enabled" });
  });

  test("400: refuses an unknown status", async () => {
    const { id, call: own } = await streamOf();
    expect((await own("POST", "/v1/ssf/status", { stream_id: id, status: "off" })).status).toBe(400);
  });
});

describe("POST /v1/ssf/verify", () => {
  test("204, 429 and 409: an event with the state comes, at most every 30 seconds", async () => {
    const stream = await streamOf();
    const ask = (state?: string) => stream.call("POST", "/v1/ssf/verify", { stream_id: stream.id, state });
    expect((await ask("ping")).status).toBe(204);
    const { events } = await stream.poll();
    expect(events.map(({ sub_id, events: each }) => [sub_id, Object.values(each)])).toEqual([
      [{ format: "opaque", id: stream.id }, [{ state: "ping" }]],
    ]);
    expect(types(events)).toEqual(["verification"]);
    const refused = await ask();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
    await stream.call("POST", "/v1/ssf/status", { stream_id: stream.id, status: "disabled" });
    expect((await ask()).status).toBe(409);
  });
});

describe("a push", () => {
  const pushTo = (path: string, fields = {}) => ({
    delivery: { method: "urn:ietf:rfc:8935", endpoint_url: `${receiver.url}${path}`, ...fields },
  });
  const tokensAt = async (path: string, count: number, audience: string) => {
    const pushes = await receiver.received(path, count);
    const verify = tokenVerifier(at.other.url);
    return await Promise.all(pushes.map(({ token }) => verify(token, audience)));
  };

  test("has the token, the type and the requested header; a failed push comes again (G64)", async () => {
    const stream = await streamOf(pushTo("/lost", { authorization_header: "Bearer s3cret" }));
    const first = await endedSession();
    await receiver.received("/lost", 1);
    const second = await endedSession();
    // A failed stream pauses for five seconds; the test ends the pause.
    await at.sql`update webhooks set paused_until = now() where id = ${stream.id}`;
    await at.sql`update webhook_deliveries set next_attempt_at = now() where webhook_id = ${stream.id}`;
    const events = await tokensAt("/lost", 3, stream.accountId);
    const subjects = events.map(({ sub_id }) => sub_id.user.sub);
    expect([subjects[0], new Set(subjects.slice(1))]).toEqual([first.userId, new Set([first.userId, second.userId])]);
    expect(new Set(acks(events)).size).toBe(2);
    const [push] = receiver.at("/lost");
    expect(push?.headers).toMatchObject({
      "content-type": "application/secevent+jwt",
      accept: "application/json",
      authorization: "Bearer s3cret",
    });
  });

  test("that the receiver refuses with 400 is not sent again", async () => {
    const stream = await streamOf(pushTo("/refuses"));
    await endedSession();
    await until("the refusal is recorded", async () => {
      const [row] = await at.sql`select status, answer from webhook_deliveries where webhook_id = ${stream.id}`;
      return row?.status === "failed" && row.answer.includes("invalid_audience");
    });
  });

  test("stops with the account's last key (G65)", async () => {
    const made = await receiverKey();
    const stopped = await streamOf(pushTo("/stopped"), made);
    const keys = `${accountsOf(owner.organizationId)}/${made.accountId}/keys/${made.id}`;
    expect((await owner.client.delete(keys)).status).toBe(204);
    const live = await streamOf(pushTo("/live"));
    await endedSession();
    // The second stream received the event: the sender has checked the two streams.
    await tokensAt("/live", 1, live.accountId);
    expect(receiver.at("/stopped")).toEqual([]);
    const [row] = await at.sql`select status, attempts from webhook_deliveries where webhook_id = ${stopped.id}`;
    expect([row?.status, row?.attempts]).toEqual(["pending", 0]);
  });
});
