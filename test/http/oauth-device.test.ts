/** The device flow, by RFC 8628 (docs/contract.md, section 23.15). */

import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Redis } from "ioredis";
import * as openid from "openid-client";
import { systemClock } from "../../src/base/clock.ts";
import { NO_CLIENT } from "../../src/base/request-context.ts";
import { type FindDeviceRequestDeps, findDeviceByCode } from "../../src/flows/oauth/device/find-request.ts";
import { USER_CODE_MISSES_MAX } from "../../src/limits/oauth-limits.ts";
import { insertDeviceCode } from "../../src/models/oauth-device/device-code.ts";
import type { SessionView } from "../../src/models/session/session.ts";
import { localState } from "../../src/state/local.ts";
import { refusalsOf } from "../support/bound-refusals.ts";
import { type Answer, Client, PASSWORD } from "../support/client.ts";
import { type Deployment, deployment, forgetAnonymousRecords, raceWithoutRedis } from "../support/deployment.ts";
import {
  API,
  basic,
  CALLBACK,
  discovered,
  introspectAt,
  oauthAdmin,
  personWithBrowser,
  registerClient,
  sendForm,
  type TestClient,
} from "../support/oauth.ts";
import { addPasskey } from "../support/passkeys.ts";
import { RFC_8628 } from "../support/rfc-vectors.ts";
import { redisUrl } from "../support/services.ts";
import { eventually, until } from "../support/waiting.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const AUTHORIZATION = "/oauth2/device_authorization";
/** A decision reaches every replica within this time. */
const DECISION_MS = 5_000;

let at: Deployment;
let cli: TestClient;
let person: Awaited<ReturnType<typeof personWithBrowser>>;
beforeAll(async () => {
  at = await deployment();
  cli = await registerClient({
    token_endpoint_auth_method: "none",
    grant_types: [GRANT, "refresh_token"],
    redirect_uris: [],
    first_party: false,
  });
  person = await personWithBrowser();
});
beforeEach(forgetAnonymousRecords);

interface Codes {
  readonly device_code: string;
  readonly user_code: string;
}

async function codesOf(client = cli, more: Record<string, string> = {}): Promise<Codes> {
  const answer = await sendForm(at.one.url, AUTHORIZATION, { client_id: client.id, scope: "openid email", ...more });
  if (answer.status !== 200) throw new Error(`the request returned ${answer.status}: ${answer.text}`);
  return answer.body;
}

function poll(codes: Codes, url = at.other.url, client = cli): Promise<Answer> {
  const fields = { grant_type: GRANT, client_id: client.id, device_code: codes.device_code };
  return sendForm(url, "/oauth2/token", fields);
}

const find = (codes: Codes, by: Client = person.client) =>
  by.post("/v1/auth/device", { user_code: codes.user_code.toLowerCase().replace("-", " ") });

async function approve(codes: Codes, by: Client = person.client): Promise<Answer> {
  const { body } = await find(codes, by);
  return await by.post(`/v1/auth/device/${body.id}/approve`);
}

/** Further tests have the network of this test. */
async function forgetGuesses(): Promise<void> {
  const redis = new Redis(await redisUrl());
  await redis.del("service:user-codes:network:127.0.0.1");
  redis.disconnect();
}

describe("POST /oauth2/device_authorization: 200", () => {
  test("codes for ten minutes, the address of the page, and an interval of five seconds", async () => {
    const answer = await sendForm(at.one.url, AUTHORIZATION, { client_id: cli.id });
    const { verification_uri: uri } = answer.body;
    expect(answer.body).toEqual({
      device_code: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: expect.stringMatching(/\/device$/),
      verification_uri_complete: `${uri}?user_code=${answer.body.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    const metadata = await new Client(at.one.url).get("/.well-known/openid-configuration");
    expect(metadata.body.device_authorization_endpoint).toEndWith(AUTHORIZATION);
    expect(metadata.body.grant_types_supported).toContain(GRANT);
  });

  test("requests and responses have the form of RFC 8628, sections 3.1 to 3.5", async () => {
    const { body, headers } = await sendForm(at.one.url, AUTHORIZATION, { client_id: cli.id, scope: "openid" });
    expect(Object.keys(body)).toEqual([...RFC_8628.response]);
    expect(headers.get("cache-control")).toContain("no-store");
    const fields = { grant_type: RFC_8628.grant, client_id: cli.id };
    const waiting = await sendForm(at.one.url, "/oauth2/token", { ...fields, device_code: body.device_code });
    expect([waiting.status, waiting.body.error]).toEqual([400, "authorization_pending"]);
    const printed = await sendForm(at.one.url, "/oauth2/token", { ...fields, device_code: RFC_8628.deviceCode });
    expect([printed.status, printed.body.error]).toEqual([400, "invalid_grant"]);
  });

  test("openid-client polls until the approval and receives tokens of the user", async () => {
    const confidential = await registerClient({ grant_types: [GRANT, "refresh_token"], redirect_uris: [] });
    const config = await discovered(confidential, at.one.url);
    const codes = await openid.initiateDeviceAuthorization(config, { scope: "openid email" });
    expect((await approve(codes)).status).toBe(204);
    const tokens = await openid.pollDeviceAuthorizationGrant(config, { ...codes, interval: 0.01 });
    expect(tokens.claims()?.sub).toBe(person.userId);
    expect((await openid.refreshTokenGrant(config, tokens.refresh_token ?? "")).token_type).toBe("bearer");
    expect((await introspectAt(at.other.url, confidential, tokens.access_token)).body.username).toBe(person.email);
  });
});

describe("POST /oauth2/device_authorization: refusals", () => {
  test("401 invalid_client, 400 unauthorized_client without the grant, invalid_scope, invalid_target", async () => {
    const web = await registerClient();
    const answers = await Promise.all([
      sendForm(at.one.url, AUTHORIZATION, { client_id: crypto.randomUUID() }),
      sendForm(at.one.url, AUTHORIZATION, {}, basic(web)),
      sendForm(at.one.url, AUTHORIZATION, { client_id: cli.id, scope: "unknown" }),
      sendForm(at.one.url, AUTHORIZATION, { client_id: cli.id, resource: "https://other.example.test/" }),
    ]);
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [401, "invalid_client"],
      [400, "unauthorized_client"],
      [400, "invalid_scope"],
      [400, "invalid_target"],
    ]);
  });

  test("429 without a record beyond 100 devices of a client and an address; decided devices do not count", async () => {
    const busy = await registerClient({ grant_types: [GRANT], redirect_uris: [] });
    const request = () => sendForm(at.one.url, AUTHORIZATION, {}, basic(busy));
    expect((await request()).status).toBe(200);
    await at.sql`
      insert into oauth_device_codes (id, device_code_hash, user_code, client_id, scopes, resources, second_factor,
                                      ip_address, interval_seconds, created_at, expires_at)
      select gen_random_uuid(), sha256(n::text::bytea), 'test' || n, client_id, scopes, resources, second_factor,
             ip_address, 5, created_at, expires_at
      from oauth_device_codes, generate_series(1, 99) n where client_id = ${busy.id}`;
    const refused = await request();
    expect([refused.status, refused.body.error]).toEqual([429, "temporarily_unavailable"]);
    expect(await refusalsOf("device_codes", at.one.url)).toBeGreaterThan(0);
    const [audited] = await at.sql`
      select count(*)::int as requests from audit_logs
      where action = 'oauth.device.requested' and resource_id = ${busy.id}`;
    expect(audited?.requests).toBe(1);
    await at.sql`update oauth_device_codes set status = 'denied' where client_id = ${busy.id}`;
    expect((await request()).status).toBe(200);
  });

  test("the addresses of one IPv6 network count as one, because a client controls a whole /64", async () => {
    const { id: clientId } = await registerClient({ grant_types: [GRANT], redirect_uris: [] });
    const [network, at1, at2] = ["2001:db8:1:2::/64", "2001:db8:1:2::1", "2001:db8:1:2:ffff::2"];
    const insert = (ipAddress: string, of: string) =>
      insertDeviceCode(
        at.sql,
        {
          id: crypto.randomUUID(),
          deviceCodeHash: Buffer.from(crypto.getRandomValues(new Uint8Array(32))),
          userCode: crypto.randomUUID(),
          clientId,
          scopes: ["openid"],
          resources: [],
          secondFactor: false,
          acr: null,
          ipAddress,
          network: of,
          intervalSeconds: 5,
          createdAt: new Date(),
          expiresAt: new Date(Date.now() + 60_000),
        },
        { perClient: 10, perNetwork: 1 },
        (inserted) => at.sql`select 1 from ${inserted}`,
      );
    const outcomes = [
      await insert(at1, network),
      await insert(at2, network),
      await insert("2001:db8::1", "2001:db8::/64"),
    ];
    expect(outcomes).toEqual(["inserted", "full", "inserted"]);
  });
});

describe("POST /oauth2/token with a device code (G209)", () => {
  test("authorization_pending, and slow_down within the interval, which is longer from then on", async () => {
    const codes = await codesOf();
    const errors = [await poll(codes), await poll(codes)].map(({ status, body }) => [status, body.error]);
    expect(errors).toEqual([
      [400, "authorization_pending"],
      [400, "slow_down"],
    ]);
    const [row] = await at.sql`
      select interval_seconds from oauth_device_codes where user_code = ${codes.user_code.replace("-", "")}`;
    expect(row?.interval_seconds).toBe(10);
  });

  test("the record of decisions has a sample of the polls of waiting devices, and every refusal", async () => {
    const codes = await codesOf();
    const polls = [await poll(codes), await poll(codes), await poll(codes)];
    const refused = await poll({ ...codes, device_code: "x".repeat(43) });
    const recorded = async (answers: readonly Answer[]) => {
      const ids = answers.map(({ headers }) => headers.get("x-request-id") ?? "");
      const [row] = await at.sql`
        select count(*)::int as count from request_decisions where request_id = any (${ids}::uuid[])`;
      return row?.count;
    };
    await until("the refusal is recorded", async () => (await recorded([refused])) === 1);
    expect(await recorded(polls)).toBeLessThan(2);
  });

  test.each(["approve", "deny"])(
    "the decision %s at one replica reaches a device with polls at the second replica",
    async (step) => {
      const codes = await codesOf();
      expect((await poll(codes, at.other.url)).body.error).toBe("authorization_pending");
      const { body } = await find(codes);
      expect((await person.client.post(`/v1/auth/device/${body.id}/${step}`)).status).toBe(204);
      const expected = step === "approve" ? 200 : 400;
      await eventually("the device learns the decision", DECISION_MS, async () => {
        const answer = await poll(codes, at.other.url);
        return answer.status === expected && answer.body.error === (step === "approve" ? undefined : "access_denied");
      });
    },
  );

  test("of 40 parallel polls at two replicas with Redis emptied one gets tokens, which stay live", async () => {
    const codes = await codesOf();
    expect((await approve(codes)).status).toBe(204);
    const answers = await raceWithoutRedis((index) => poll(codes, index % 2 === 0 ? at.one.url : at.other.url));
    const successes = answers.filter(({ status }) => status === 200);
    expect([successes.length, new Set(answers.map(({ body }) => body.error))]).toEqual([
      1,
      new Set([undefined, "invalid_grant"]),
    ]);
    const token = successes[0]?.body.access_token;
    const info = await new Client(at.one.url).request("GET", "/oauth2/userinfo", {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([info.status, info.body.email]).toEqual([200, person.email]);
  });

  test("access_denied after the refusal of the user, expired_token after ten minutes", async () => {
    const [denied, expired] = [await codesOf(), await codesOf()];
    const { body } = await find(denied);
    expect((await person.client.post(`/v1/auth/device/${body.id}/deny`)).status).toBe(204);
    expect((await poll(denied)).body.error).toBe("access_denied");
    await at.sql`update oauth_device_codes set expires_at = now() - interval '1 second'
                 where user_code = ${expired.user_code.replace("-", "")}`;
    expect((await poll(expired)).body.error).toBe("expired_token");
    expect((await find(expired)).status).toBe(404);
  });

  test("invalid_grant for another client, an unknown code, and once the approving session has ended", async () => {
    const [codes, ended] = [await codesOf(), await codesOf()];
    const other = await registerClient({ grant_types: [GRANT], redirect_uris: [], token_endpoint_auth_method: "none" });
    const leaver = await personWithBrowser();
    expect((await approve(ended, leaver.client)).status).toBe(204);
    expect((await leaver.client.post("/v1/auth/logout")).status).toBe(204);
    const answers = await Promise.all([
      poll(codes, at.one.url, other),
      poll({ ...codes, device_code: "A".repeat(43) }),
      poll({ ...codes, device_code: "short" }),
      poll(ended),
    ]);
    expect(answers.map(({ body }) => body.error)).toEqual(answers.map(() => "invalid_grant"));
  });

  test.each([
    ["a scope", { scopes: ["openid"] }],
    ["a resource server", { resources: [] }],
    ["the grant", { grant_types: ["authorization_code"], redirect_uris: [CALLBACK] }],
  ])("nothing after %s was withdrawn from the application, before and after the approval", async (_, withdrawn) => {
    const changing = await registerClient({
      token_endpoint_auth_method: "none",
      grant_types: [GRANT, "refresh_token"],
      redirect_uris: [],
    });
    const wide = { scope: "openid api:read", resource: API };
    const [displayed, approved, fresh] = [
      await codesOf(changing, wide),
      await codesOf(changing, wide),
      await codesOf(changing, wide),
    ];
    const { body } = await find(displayed);
    expect((await approve(approved)).status).toBe(204);
    const changed = await (await oauthAdmin()).patch(`/v1/admin/oauth-clients/${changing.id}`, withdrawn);
    expect(changed.status).toBe(200);
    expect((await person.client.post(`/v1/auth/device/${body.id}/approve`)).status).toBe(404);
    expect((await find(fresh)).status).toBe(404);
    const answers = [await poll(displayed, at.one.url, changing), await poll(approved, at.one.url, changing)];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    await forgetGuesses();
  });

  test("a device code is no authorization code", async () => {
    const codes = await codesOf();
    await approve(codes);
    const fields = { grant_type: "authorization_code", client_id: cli.id, code: codes.device_code, redirect_uri: "" };
    expect((await sendForm(at.one.url, "/oauth2/token", fields)).body.error).toBe("unauthorized_client");
  });
});

describe("the decision of the user (G210)", () => {
  test("the lookup displays client, access and origin; only the last user who typed the code decides", async () => {
    const codes = await codesOf();
    const { status, body } = await find(codes);
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String),
        user_code: codes.user_code,
        client: { id: cli.id, name: "Wiki", logo_url: null, first_party: false, kind: "registered", host: null },
        scopes: ["openid", "email"],
        resources: [],
        organization_id: person.organizationId,
        ip_address: expect.any(String),
        created_at: expect.any(String),
        expires_at: expect.any(String),
      },
    ]);
    const other = await personWithBrowser();
    const decideAs = (by: Client, step: string) => by.post(`/v1/auth/device/${body.id}/${step}`);
    const foreign = await Promise.all([decideAs(other.client, "approve"), decideAs(other.client, "deny")]);
    expect(foreign.map((answer) => answer.status)).toEqual([404, 404]);
    expect((await poll(codes)).body.error).toBe("authorization_pending");
    // A second account of the same person: the first account does not block the code.
    expect((await find(codes, other.client)).status).toBe(200);
    const first = await Promise.all([decideAs(person.client, "approve"), decideAs(person.client, "deny")]);
    expect(first.map((answer) => answer.status)).toEqual([404, 404]);
    expect((await decideAs(other.client, "approve")).status).toBe(204);
  });

  test("of 40 parallel decisions at two replicas with Redis emptied one counts", async () => {
    const codes = await codesOf();
    const { body } = await find(codes);
    const path = `/v1/auth/device/${body.id}`;
    const elsewhere = new Client(at.other.url);
    Object.assign(elsewhere, { jar: person.client.jar });
    const answers = await raceWithoutRedis((index) =>
      (index % 4 < 2 ? person.client : elsewhere).post(`${path}/${index % 2 === 0 ? "approve" : "deny"}`),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    const [row] = await at.sql`
      select status, (select count(*)::int from audit_logs
                      where action in ('oauth.device.approved', 'oauth.device.denied') and actor_id = ${person.userId}
                        and timestamp >= d.created_at) as decisions
      from oauth_device_codes d where id = ${body.id}`;
    expect([["approved", "denied"].includes(row?.status), row?.decisions]).toEqual([true, 1]);
  });

  test("409 conflict where the front end displayed an organization other than that of the session", async () => {
    const codes = await codesOf();
    const { body } = await find(codes);
    const path = `/v1/auth/device/${body.id}/approve`;
    const refused = await person.client.post(path, { organization_id: crypto.randomUUID() });
    expect([refused.status, refused.body.error.code]).toEqual([409, "conflict"]);
    expect((await person.client.post(path, { organization_id: body.organization_id })).status).toBe(204);
  });

  test("401 mfa_required with a sign-in of more than 12 hours", async () => {
    const late = await personWithBrowser();
    const codes = await codesOf();
    await at.sql`update sessions set auth_time = auth_time - interval '13 hours' where user_id = ${late.userId}`;
    const { body } = await find(codes, late.client);
    const refused = await late.client.post(`/v1/auth/device/${body.id}/approve`);
    expect([refused.status, refused.body.error.code]).toEqual([401, "mfa_required"]);
  });
});

describe("acr_values of a device (G237)", () => {
  const approveBy = async (by: Client, codes: Codes) => {
    const { status, body } = await approve(codes, by);
    return [status, body?.error?.message];
  };
  const PASSKEY = "The application asks for a sign-in with a passkey.";

  test("phr asks a user with a passkey for a sign-in with the passkey, and other users for nothing", async () => {
    const user = await personWithBrowser();
    const request = () => codesOf(cli, { acr_values: "phr aal1" });
    expect(await approveBy(user.client, await request())).toEqual([204, undefined]);
    await addPasskey(user.client);
    const codes = await request();
    expect(await approveBy(user.client, codes)).toEqual([401, PASSKEY]);
    const strong = new Client(at.one.url);
    expect((await strong.post("/v1/auth/login", { email: user.email, password: PASSWORD })).status).toBe(200);
    await at.sql`
      update sessions set auth_method = 'passkey', aal = 'aal2' where user_id = ${user.userId} and id = (
        select id from sessions where user_id = ${user.userId} order by created_at desc limit 1)`;
    expect(await approveBy(strong, codes)).toEqual([204, undefined]);
    expect((await poll(codes)).status).toBe(200);
  });

  test("an API with min_acr phr needs the passkey of every user", async () => {
    const [identifier, scope] = ["https://strict-device.example.test/", "strict:read"];
    const api = { identifier, name: "Strict", min_acr: "phr" };
    expect((await (await oauthAdmin()).post("/v1/admin/resources", api)).status).toBe(201);
    const settings = { token_endpoint_auth_method: "none", grant_types: [GRANT], redirect_uris: [] };
    const strict = await registerClient({ ...settings, scopes: [scope], resources: [identifier] });
    await until("both replicas have the API", async () => {
      const asked = { client_id: strict.id, scope, resource: identifier };
      return (await sendForm(at.other.url, AUTHORIZATION, asked)).status === 200;
    });
    const codes = await codesOf(strict, { scope, resource: identifier });
    expect(await approveBy(person.client, codes)).toEqual([401, PASSKEY]);
  });
});

describe("POST /v1/auth/device: 429 (G210)", () => {
  test("ten wrong codes of a user on two replicas, then 429 for the right code too", async () => {
    const guesser = await personWithBrowser();
    const codes = await codesOf();
    const elsewhere = new Client(at.other.url);
    Object.assign(elsewhere, { jar: guesser.client.jar });
    const wrong = (index: number) =>
      (index % 2 === 0 ? guesser.client : elsewhere).post("/v1/auth/device", { user_code: "BBBB-BBBB" });
    const guesses = await Promise.all(Array.from({ length: 10 }, (_, index) => wrong(index)));
    expect(guesses.every(({ status }) => status === 404 || status === 429)).toBe(true);
    const right = await find(codes, guesser.client);
    expect([right.status, right.headers.has("retry-after")]).toEqual([429, true]);
    expect(await refusalsOf("user_code_misses", at.one.url)).toBeGreaterThan(0);
    await forgetGuesses();
  });

  test("a failure of the database is no wrong code", async () => {
    const deps = {
      clock: systemClock,
      state: localState(systemClock),
      database: { run: () => Promise.reject(new Error("the database is away")) },
    } as unknown as FindDeviceRequestDeps;
    const session = { userId: person.userId } as SessionView;
    for (let lookup = 0; lookup <= USER_CODE_MISSES_MAX; lookup += 1) {
      const found = findDeviceByCode(deps, { session, userCode: "BBBB-BBBB", client: NO_CLIENT });
      await expect(found).rejects.toThrow("the database is away");
    }
  });
});
