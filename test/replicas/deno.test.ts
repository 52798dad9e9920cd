/**
 * A replica on Deno beside a replica on Bun, on a shared database and Redis (docs/decisions/0014). With
 * TEST_RUNTIME=deno all of test/http and test/pages runs on Deno; this file contains a journey through each part of the
 * service.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import sharp from "sharp";
import { Authenticator } from "../support/authenticator.ts";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { type Deployment, deployment, eventually, race, testWhileShared } from "../support/deployment.ts";
import { sendForm } from "../support/oauth.ts";
import { scriptsOf } from "../support/pages.ts";
import { platformUser, steppedUpAdmin } from "../support/platform.ts";
import { type Program, programAt } from "../support/programs.ts";
import { sendRaw } from "../support/raw.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { keyOf } from "../support/service-accounts.ts";
import { freshDatabase, openSql, redisUrl } from "../support/services.ts";
import { enterEnterprise } from "../support/states.ts";
import { stepUpSessions } from "../support/team.ts";
import { until } from "../support/waiting.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

/** The first test on a machine downloads Deno. */
const FETCH_DEADLINE_MS = 300_000;
const SIGN_INS = 30;

let at: Deployment;
let onDeno: Replica;
const url = { Bun: "", Deno: "" };
beforeAll(async () => {
  at = await deployment();
  const settings = {
    DATABASE_URL: at.databaseUrl,
    REDIS_URL: await redisUrl(),
    SERVICE_EMAIL_API_URL: at.mail.url,
    SERVICE_EMAIL_API_KEY: "re_test",
    SERVICE_RATE_LIMITS: "on",
    SERVICE_RATE_LIMIT_SIGN_IN: `${SIGN_INS}/60`,
    SERVICE_RATE_LIMIT_REGISTER: "1000/60",
  };
  onDeno = await startReplica(settings, { runtime: "deno" });
  Object.assign(url, { Bun: at.other.url, Deno: onDeno.url });
}, FETCH_DEADLINE_MS);

test("the replicas run on the declared runtimes", () => {
  expect(onDeno.output()).toMatch(/"runtime":"Deno 2\.[\d.]+"/);
  expect(at.other.output()).toMatch(/"runtime":"Bun 1\.[\d.]+"/);
});

describe.each([
  ["Bun", "Deno"],
  ["Deno", "Bun"],
] as const)("between %s and %s", (here, there) => {
  test("a session of the first replica is refreshed at the second, and the revocation reaches back (G8)", async () => {
    const { client } = await registered(url[here]);
    const away = client.at(url[there]);
    expect((await away.post("/v1/auth/refresh")).status).toBe(200);
    expect((await client.get("/v1/auth/session")).status).toBe(200);
    const bearer = client.cookie("service_at") ?? "";
    expect((await away.post("/v1/auth/logout")).status).toBe(204);
    const check = () => new Client(url[here]).get("/v1/auth/session", { bearer });
    await eventually("refused", 1000, async () => (await check()).status === 401);
  });

  test("a passkey registered at the first replica signs in at the second", async () => {
    const { client } = await registered(url[here]);
    const authenticator = new Authenticator();
    const created = await client.post("/v1/users/me/passkeys/register/begin");
    const credential = authenticator.create(created.body.publicKey);
    expect((await client.post("/v1/users/me/passkeys/register/complete", { credential })).status).toBe(201);
    const visitor = new Client(url[there]);
    const asked = await visitor.post("/v1/auth/passkey/login/begin");
    const assertion = { credential: authenticator.get(asked.body.publicKey) };
    expect((await visitor.post("/v1/auth/passkey/login/complete", assertion)).status).toBe(200);
  });

  test("a program of the first replica goes on at the second, with a key, a token and a version (G8)", async () => {
    const platform = await steppedUpAdmin(at, "owner");
    const made = await keyOf(platform.client, "/v1/admin/service-accounts", ["users.write"]);
    const [near, far] = [programAt(url[here], made), programAt(url[there], made)];
    const [id, email] = [`deno/${crypto.randomUUID()}`, newEmail()];
    const users = [{ email, external_id: id }, { email: newEmail() }];
    const path = `/v1/admin/users/by-external-id/${encodeURIComponent(id)}`;
    expect((await near.post("/v1/admin/users/batch", { users })).body.results).toMatchObject([
      { outcome: "created" },
      { outcome: "created" },
    ]);
    expect((await far.post("/v1/admin/users/batch", { users: users.slice(0, 1) })).body.results).toMatchObject([
      { outcome: "exists" },
    ]);
    const version = (await far.get(path)).headers.get("etag") ?? "";
    const change = (by: Program) => by.put(path, { email, display_name: by.keyId }, { "if-match": version });
    expect((await change(near)).status).toBe(200);
    expect((await change(far)).status).toBe(412);
    const fields = { grant_type: "client_credentials", client_id: made.accountId, client_secret: made.key };
    const { body } = await sendForm(url[there], "/oauth2/token", fields);
    const bearer = body.access_token as string;
    for (const replica of [near, far]) expect((await replica.get(path)).body.display_name).toBe(made.id);
    for (const replica of [url[here], url[there]]) {
      expect((await new Client(replica).get(path, { bearer })).status).toBe(200);
    }
  });

  test("the second replica serves an avatar decoded at the first, and refuses other files (G39)", async () => {
    const { client } = await registered(url[here]);
    const upload = (content: Uint8Array<ArrayBuffer>) => {
      const form = new FormData();
      form.append("file", new File([content], "picture"));
      const { body, headers } = new Request("http://x", { method: "POST", body: form });
      const raw = body as ReadableStream;
      return client.request("POST", "/v1/users/me/avatar", { raw, headers: Object.fromEntries(headers) });
    };
    const picture = sharp({ create: { width: 300, height: 400, channels: 3, background: "teal" } });
    const response = await upload(new Uint8Array(await picture.png().toBuffer()));
    const served = await fetch(url[there] + new URL(response.body.avatar_url).pathname);
    expect(await sharp(await served.arrayBuffer()).metadata()).toMatchObject({ format: "webp", width: 256 });
    expect((await upload(new TextEncoder().encode("no picture"))).status).toBe(400);
  });
});

let addresses = 0;
/** Returns two loopback addresses that have sent no request. */
function nextAddresses(): readonly [string, string] {
  addresses += 2;
  return [`127.0.0.${addresses}`, `127.0.0.${addresses + 1}`];
}

describe("on Deno", () => {
  testWhileShared(() => [onDeno])(
    "limits and sessions have the address of the socket, whatever a client writes into a header",
    async () => {
      const [limited, unlimited] = nextAddresses();
      const { client, email } = await registered(url.Deno);
      const signInFrom = async (from: string, as = email) => {
        const body = JSON.stringify({ email: as, password: PASSWORD });
        const head = `POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\n`;
        const content = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
        return (await sendRaw(url.Deno, `${head + content}Connection: close\r\n\r\n${body}`, { from, waitMs: 60_000 }))
          .status;
      };
      expect(await signInFrom(limited)).toBe(200);
      const { items } = (await client.get("/v1/auth/sessions")).body;
      expect(items.map((each: { ip_address: string }) => each.ip_address).sort()).toEqual(["127.0.0.1", limited]);
      const unknown = await race(() => signInFrom(limited, newEmail()), SIGN_INS - 1);
      expect(unknown).toEqual(Array(SIGN_INS - 1).fill(401));
      expect(await signInFrom(limited)).toBe(429);
      expect(await signInFrom(unlimited)).toBe(200);
    },
  );

  test("pages have their style sheet, and their scripts with all that these import", async () => {
    const page = await (await fetch(`${url.Deno}/sign-in`)).text();
    expect((await fetch(`${url.Deno}${/\/assets\/style-\w+\.css/.exec(page)?.[0]}`)).status).toBe(200);
    const scripts = [...(await scriptsOf(url.Deno, "/sign-in")).keys()].join();
    for (const name of ["passkey-sign-in", "password", "passkey-assertion"])
      expect(scripts).toContain(`/assets/${name}-`);
  });

  test("an audit export is the one of Bun, signature included", async () => {
    const { client, organizationId } = await platformUser({ ...at, one: onDeno }, "admin");
    await enterEnterprise(at.sql, organizationId);
    const path = `/v1/admin/audit-export?to=${new Date(Date.now() - 100).toISOString()}`;
    const [deno, bun] = [await client.get(path), await client.at(url.Bun).get(path)];
    expect([deno.status, deno.text.split("\n").length]).toEqual([200, expect.any(Number)]);
    expect(deno.text).toBe(bun.text);
    expect(deno.headers.get("x-audit-signature")).toBe(bun.headers.get("x-audit-signature"));
  });

  test("a connection with a refused body is closed, so a slow sender holds no connection", async () => {
    const head = `POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 900000000\r\n\r\n{`;
    const response = await sendRaw(url.Deno, head, { dribble: " ", waitMs: 20_000 });
    expect([response.status, response.headers.get("connection"), response.closedAfterMs]).toEqual([
      404,
      "close",
      expect.any(Number),
    ]);
  });

  test("what arrives after a body was refused, or was left by its sender, does not end the process", async () => {
    const endless = () => new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(32_768)) });
    const send = async (signal?: AbortSignal) => {
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", headers, body: endless(), ...(signal && { signal }) };
      return (await fetch(`${url.Deno}/v1/auth/login`, init).catch(() => undefined))?.status;
    };
    const refused = await race(() => send());
    await race((index) => send(AbortSignal.timeout(index)));
    expect(refused.filter((status) => status !== 400 && status !== undefined)).toEqual([]);
    expect((await new Client(url.Deno).get("/healthz")).status).toBe(200);
  });

  test("a path with dot segments leads nowhere, so that no rule of a proxy is circumvented", async () => {
    for (const origin of [url.Bun, url.Deno])
      for (const path of ["/x/../healthz", "/x/%2e%2e/healthz", "/x\\..\\healthz", "/./healthz"]) {
        for (const host of ["x", "auth.example.com"]) {
          const response = await sendRaw(origin, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
          expect([path, host, response.status]).toEqual([path, host, 404]);
        }
      }
  });

  test("A webhook is delivered to a receiver with a certificate of an authority in NODE_EXTRA_CA_CERTS.", async () => {
    const receiver = startReceiver();
    const settings = { DATABASE_URL: await freshDatabase(), REDIS_URL: await redisUrl() };
    const { url: only } = await startReplica(settings, { runtime: "deno" });
    const { client, organizationId, userId } = await registered(only);
    await stepUpSessions(openSql(settings.DATABASE_URL), userId);
    const webhooks = `/v1/orgs/${organizationId}/webhooks`;
    const webhook = { url: `${receiver.url}/hook`, event_types: ["user.updated"] };
    const { id } = (await client.post(webhooks, webhook)).body;
    await client.patch("/v1/users/me", { display_name: "Ada" });
    const attempted = async () => (await client.get(`${webhooks}/${id}/deliveries`)).body.items[0];
    await until("the delivery was attempted", async () => (await attempted())?.attempted_at);
    expect(await attempted()).toMatchObject({ status: "delivered", attempts: 1, answer_status: 204 });
    await receiver.stop();
  });

  test("SIGTERM drains the replica: a request under way is answered, and the exit code is 0", async () => {
    const email = newEmail();
    const underWay = new Client(url.Deno).post("/v1/auth/register", {
      organization_name: "Acme",
      email,
      password: PASSWORD,
    });
    const exited = onDeno.stop();
    expect((await underWay).status).toBe(201);
    expect(await exited).toBe(0);
  });
});
