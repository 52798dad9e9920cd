/** The events of a stream whose receiver fails or falls behind, with a clock that the test moves. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import type { TransactionSql } from "postgres";
import { disableBacklogged, sendDueDeliveries, type WebhookSenderDeps } from "../../src/actors/webhook-sender.ts";
import { ok } from "../../src/base/result.ts";
import { createApiKey } from "../../src/flows/service-accounts/keys.ts";
import { createServiceAccount } from "../../src/flows/service-accounts/manage.ts";
import { changeStreamStatus, createStream } from "../../src/flows/signals/manage.ts";
import { pollEvents, type WaitingPolls } from "../../src/flows/signals/poll.ts";
import { requestVerification } from "../../src/flows/signals/verify.ts";
import { authorizeReceiver, type Receiver } from "../../src/flows/steps/authorization/authorize-receiver.ts";
import { authorizeServiceAccountAdmin } from "../../src/flows/steps/authorization/authorize-service-accounts.ts";
import { signEvent } from "../../src/flows/steps/tokens/sign-event-token.ts";
import { STREAM_POLLS_WAITING_EACH_MAX, STREAM_POLLS_WAITING_MAX } from "../../src/limits/signal-limits.ts";
import { readWebhookQueues } from "../../src/models/webhook/webhook-queue.ts";
import { guardedPost } from "../../src/providers/guarded-post.ts";
import {
  type Account,
  callerOf,
  clientAt,
  codeOf,
  DAY_MS,
  registerAccount,
  SECOND_MS,
  unwrap,
} from "../support/accounts.ts";
import { type Flows, openFlows } from "../support/flows.ts";

let flows: Flows;
let account: Account;
let receiver: Receiver;
/** The statuses of the next responses, or the error code of a 400 response; afterwards 202. */
let statuses: (number | { readonly err: string })[];
let tokens: string[];

beforeAll(async () => {
  flows = await openFlows();
  account = await registerAccount(flows);
  const session = await callerOf(flows, account.signedIn);
  const scope = { organizationId: account.organizationId, permission: "machines.manage" } as const;
  const caller = unwrap(await authorizeServiceAccountAdmin(flows.deps, { session }, scope));
  const client = clientAt();
  const made = unwrap(await createServiceAccount(flows.deps, { caller, name: "Receiver", client }));
  const bounds = { allowedIps: [], allowedReferrers: [], organizations: null, expiresInDays: 365 };
  const input = { caller, accountId: made.id, name: null, scopes: ["ssf.manage"] as const, ...bounds, client };
  const { apiKey } = unwrap(await createApiKey(flows.deps, input));
  const key = await flows.deps.revocations.key(apiKey.id);
  if (!key) throw new Error("the key is not live");
  receiver = unwrap(authorizeReceiver({ key }));
});
afterAll(() => flows.close());
beforeEach(async () => {
  await flows.sql`delete from webhooks`;
  await flows.sql`delete from webhook_deliveries`;
  [statuses, tokens] = [[], []];
});

const sender = (): WebhookSenderDeps => ({
  ...flows.deps,
  signer: flows.deps.webhookSigner,
  signEvent: (event) => signEvent(flows.deps, event),
  post: async ({ body }) => {
    tokens.push(body);
    const next = statuses.shift() ?? 202;
    if (typeof next === "number") return ok({ status: next, body: Buffer.from("said") });
    return ok({ status: 400, body: Buffer.from(JSON.stringify(next)) });
  },
});
const round = () => sendDueDeliveries(sender());
const claims = () => tokens.map((token) => decodeJwt(token));

async function stream(method: "push" | "poll") {
  const push = {
    method: "urn:ietf:rfc:8935",
    endpointUrl: "https://receiver.test/",
    authorizationHeader: undefined,
  } as const;
  const requested = {
    delivery: method === "push" ? push : undefined,
    eventsRequested: undefined,
    description: undefined,
  };
  return unwrap(await createStream(flows.deps, { receiver, requested, client: clientAt() })).id;
}

/** Inserts an audit record of the account's user, or of a resource of that user. */
async function event(
  action: string,
  resource: { type: string; id: string } = { type: "user", id: account.userId },
  sql: Flows["sql"] | TransactionSql = flows.sql,
  metadata: { readonly first_password?: boolean } = {},
) {
  await sql`
    insert into audit_logs (event_id, timestamp, organization_id, actor_type, action, resource_type, resource_id,
                            metadata, outcome)
    values (${flows.random.uuid()}, ${new Date(flows.clock.now())}, ${account.organizationId}, 'system', ${action},
            ${resource.type}, ${resource.id}, ${sql.json(metadata)}, 'success')`;
}

const refusals = async (bound: string) => {
  const text = await flows.deps.telemetry.prometheus();
  return Number(
    new RegExp(`^service_bound_refusals_total\\{service_bound="${bound}"[^}]*\\} (\\d+)$`, "m").exec(text)?.[1],
  );
};
const poll = (
  streamId: string,
  waiting: WaitingPolls = new Map(),
  returnImmediately = true,
  errors: Readonly<Record<string, { readonly err: string }>> = {},
) => {
  const wish = { maxEvents: undefined, returnImmediately, acknowledged: [], errors };
  return pollEvents(flows.deps, { receiver, streamId, ...wish, waiting, signal: new AbortController().signal });
};

describe("a push that fails", () => {
  test("is sent again as an equal token, before later events of the user (G64)", async () => {
    await stream("push");
    statuses = [503, 500];
    await event("auth.password.changed");
    await event("mfa.enabled");
    await round();
    flows.clock.advance(5 * SECOND_MS);
    await round();
    flows.clock.advance(10 * SECOND_MS);
    await round();
    const [first, second, third, fourth] = tokens;
    expect([second, third]).toEqual([first, first]);
    expect(claims().map(({ jti }) => jti)[3]).not.toBe(claims()[0]?.jti);
    expect(JSON.stringify(decodeJwt(String(fourth)).events)).toContain('"credential_type":"app"');
  });
});

describe("an event that a poll receiver cannot verify for now", () => {
  const idsOf = async (streamId: string, errors = {}) =>
    Object.keys(unwrap(await poll(streamId, new Map(), true, errors)).sets);

  test.each(["invalid_key", "authentication_failed", "access_denied"])(
    "comes again by the schedule of pushes, before later events of its user: %s (G97)",
    async (err) => {
      const id = await stream("poll");
      await event("auth.password.changed");
      await event("mfa.enabled");
      const [first = "", second = ""] = await idsOf(id);
      for (const seconds of [5, 10, 20]) {
        expect(await idsOf(id, { [first]: { err } })).toEqual([]);
        flows.clock.advance(seconds * SECOND_MS - 1);
        expect(await idsOf(id)).toEqual([]);
        flows.clock.advance(1);
        expect(await idsOf(id)).toEqual([first, second]);
      }
      const rows = await flows.sql`select status, attempts, answer from webhook_deliveries order by sequence`;
      expect(rows[0]).toEqual({ status: "pending", attempts: 3, answer: err });
    },
  );

  test("ends with its three days, and at once for a permanent error", async () => {
    const id = await stream("poll");
    await event("auth.password.changed");
    await event("mfa.enabled", { type: "user", id: account.userId });
    const [first = "", second = ""] = await idsOf(id);
    await idsOf(id, { [second]: { err: "invalid_audience" } });
    flows.clock.advance(3 * DAY_MS - SECOND_MS);
    await idsOf(id, { [first]: { err: "invalid_key" } });
    const rows = await flows.sql`select status from webhook_deliveries order by sequence`;
    expect(rows.map(({ status }) => status)).toEqual(["failed", "failed"]);
  });
});

describe("a push that the receiver refuses", () => {
  test("does not delay the events after it", async () => {
    await stream("push");
    statuses = [400, { err: "invalid_audience" }, 202];
    await event("auth.password.changed");
    await event("mfa.enabled");
    await event("mfa.disabled");
    await round();
    const rows = await flows.sql`select status from webhook_deliveries order by sequence`;
    expect(rows.map(({ status }) => status)).toEqual(["failed", "failed", "delivered"]);
    expect(await flows.sql`select failures, paused_until from webhooks`).toMatchObject([
      { failures: 0, paused_until: null },
    ]);
  });
});

describe("a push whose header the receiver refuses", () => {
  test("waits for the correction, and is sent again as an equal token", async () => {
    await stream("push");
    statuses = [{ err: "authentication_failed" }, { err: "access_denied" }];
    await event("mfa.enabled");
    for (const seconds of [5, 10, 0]) {
      await round();
      flows.clock.advance(seconds * SECOND_MS);
    }
    expect(tokens).toEqual(Array(3).fill(String(tokens[0])));
    const [row] = await flows.sql`select status, attempts from webhook_deliveries`;
    expect(row).toEqual({ status: "delivered", attempts: 3 });
  });
});

describe("a push to a name with a private address", () => {
  test("is not sent, and fails like an unreachable address (G65)", async () => {
    await stream("push");
    await event("mfa.enabled");
    const limits = { allows: () => false, loopback: false, deadlineMs: 5_000, maxBytes: 1_024 };
    const post = guardedPost({ ...limits, resolve: async () => ["10.0.0.1"] });
    await sendDueDeliveries({ ...sender(), post });
    const [row] = await flows.sql`select status, answer from webhook_deliveries`;
    expect(row).toEqual({ status: "pending", answer: "the host has an address that is not public" });
  });
});

describe("a credential", () => {
  test("that is a passkey is told as built in or roaming, with its model; no id, no subject", async () => {
    const id = await stream("poll");
    const aaguid = "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4";
    for (const transports of [["internal", "hybrid"], ["usb"]]) {
      const passkey = flows.random.uuid();
      await flows.sql`
        insert into passkeys (id, user_id, credential_id, public_key, sign_count, name, transports, device_type,
                              backed_up, aaguid, created_at)
        values (${passkey}, ${account.userId}, ${flows.random.bytes(16)}, ${flows.random.bytes(16)}, 0, 'Key',
                ${transports}, 'singleDevice', false, ${aaguid}, now())`;
      await event("auth.passkey.registered", { type: "passkey", id: passkey });
    }
    await event("auth.passkey.deleted", { type: "passkey", id: "not a UUID" });
    const { sets } = unwrap(await poll(id));
    const told = Object.values(sets).map((token) => Object.values(decodeJwt<{ events: object }>(token).events)[0]);
    expect(told).toMatchObject([
      { credential_type: "fido2-platform", change_type: "create", fido2_aaguid: aaguid, initiating_entity: "system" },
      { credential_type: "fido2-roaming", change_type: "create", fido2_aaguid: aaguid },
    ]);
  });
});

describe("a password that came by a reset", () => {
  test("is told as made where there was none, else as changed", async () => {
    const id = await stream("poll");
    await event("auth.password_reset.consumed");
    await event("auth.password_reset.consumed", undefined, undefined, { first_password: true });
    const { sets } = unwrap(await poll(id));
    const told = Object.values(sets).map((token) => Object.values(decodeJwt<{ events: object }>(token).events)[0]);
    expect(told).toMatchObject([
      { credential_type: "password", change_type: "update" },
      { credential_type: "password", change_type: "create" },
    ]);
  });
});

describe("a bound", () => {
  test("stream_backlog: a stream with too much that waits is disabled, keeps nothing and is told why", async () => {
    const [id, other] = [await stream("push"), await stream("poll")];
    const before = await refusals("stream_backlog");
    for (let count = 0; count < 3; count += 1) await event("mfa.enabled");
    await poll(other).then(unwrap);
    await flows.sql`delete from webhook_deliveries where webhook_id = ${other}`;
    await disableBacklogged(sender(), 2);
    await event("mfa.enabled");
    await round();
    expect(claims().map(({ events, sub_id }) => [events, sub_id])).toEqual([
      [
        {
          "https://schemas.openid.net/secevent/ssf/event-type/stream-updated": {
            status: "disabled",
            reason: "backlog",
          },
        },
        { format: "opaque", id },
      ],
    ]);
    const rows =
      await flows.sql`select id, stream_status as status, stream_reason as reason from webhooks order by id = ${id}`;
    expect(rows.map(({ status, reason }) => [status, reason])).toEqual([
      ["enabled", null],
      ["disabled", "backlog"],
    ]);
    const [record] =
      await flows.sql`select action, actor_type, organization_id from audit_logs where resource_id = ${id}
      order by id desc limit 1`;
    expect(record).toEqual({
      action: "signal_stream.disabled",
      actor_type: "system",
      organization_id: account.organizationId,
    });
    expect(await refusals("stream_backlog")).toBe(before + 1);
  });

  test("stream_polls: a poll beyond the bound is answered at once", async () => {
    const id = await stream("poll");
    const before = await refusals("stream_polls");
    const full: [string, number][] = [
      [account.organizationId, STREAM_POLLS_WAITING_EACH_MAX],
      ["others", STREAM_POLLS_WAITING_MAX],
    ];
    for (const each of full) {
      const waiting: WaitingPolls = new Map([each]);
      expect(unwrap(await poll(id, waiting, false))).toEqual({ sets: {}, moreAvailable: false });
      expect([...waiting]).toEqual([each]);
    }
    expect(await refusals("stream_polls")).toBe(before + 2);
  });

  test("stream_verifications: names itself in the refusal, and ends with the interval", async () => {
    const streamId = await stream("push");
    const ask = () => requestVerification(flows.deps, { receiver, streamId, state: undefined });
    const asked = [await ask(), await ask()];
    expect(asked.map(codeOf)).toEqual(["ok", "rate_limited"]);
    expect(asked[1]).toMatchObject({ error: { bound: "stream_verifications" } });
    flows.clock.advance(30 * SECOND_MS);
    expect(codeOf(await ask())).toBe("ok");
  });
});

describe("a disabled stream", () => {
  test.each(["push", "poll"] as const)("by %s sends no event from after the end", async (method) => {
    const streamId = await stream(method);
    const set = (status: "disabled" | "enabled") =>
      changeStreamStatus(flows.deps, { receiver, streamId, status, reason: undefined, client: clientAt() });
    const told = async () => {
      await round();
      return [...tokens, ...(method === "poll" ? Object.keys(unwrap(await poll(streamId)).sets) : [])];
    };
    await flows.sql.begin(async (sql) => {
      await event("mfa.enabled", undefined, sql);
      await set("disabled");
    });
    expect(await told()).toEqual([]);
    const queues = await readWebhookQueues(flows.sql, new Date(flows.clock.now()));
    expect(queues.map(({ dueSince }) => dueSince)).toEqual(queues.map(() => null));
    await set("enabled");
    expect(await told()).toEqual([]);
    await event("mfa.disabled");
    expect(await told()).toHaveLength(1);
  });
});

describe("a paused stream", () => {
  test("sends no event, keeps events for three days, and sends the events after the start", async () => {
    const streamId = await stream("push");
    const set = (status: "paused" | "enabled") =>
      changeStreamStatus(flows.deps, { receiver, streamId, status, reason: undefined, client: clientAt() });
    await set("paused");
    await event("mfa.enabled");
    flows.clock.advance(2 * DAY_MS);
    await event("mfa.disabled");
    await round();
    expect(tokens).toEqual([]);
    flows.clock.advance(DAY_MS + SECOND_MS);
    await set("enabled");
    await round();
    expect(claims().map(({ events }) => JSON.stringify(events).includes('"delete"'))).toEqual([true]);
  });
});
