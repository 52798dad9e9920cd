import { beforeAll, describe, expect, test } from "bun:test";
import { Client, newEmail, PASSWORD, registered } from "../support/client.ts";
import { type Deployment, deployment, eventually, ownDeployment } from "../support/deployment.ts";
import { type Operation, operationsOf } from "../support/fuzz.ts";
import { INVITE_LINK, tokenTo, VERIFY_LINK } from "../support/mail.ts";
import { withAuthenticator } from "../support/mfa.ts";
import { authorizePath, Browser, makePkce, registerClient } from "../support/oauth.ts";
import { steppedUp } from "../support/platform.ts";
import { runService } from "../support/replica.ts";

let at: Deployment;
beforeAll(async () => {
  at = await ownDeployment({ SERVICE_REQUIRE_VERIFIED_EMAIL: "on" });
});

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
/** Operations that the session of an account with an unverified address may use. */
const SERVED = [
  "GET /v1/auth/session",
  "GET /v1/users/me",
  "GET /v1/users/me/emails",
  "POST /v1/users/me/email",
  "POST /v1/auth/email/change",
  "POST /v1/auth/email/send-verification",
  "POST /v1/auth/email/verify",
  "POST /v1/auth/logout",
];

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
const pathOf = ({ path }: Operation) => path.replace(/\{\w+\}/g, UNKNOWN);

/** Every endpoint that requires a caller. For an optional caller, an account without the right is anonymous. */
async function callerOperations(): Promise<Operation[]> {
  const document = (await new Client(at.one.url).get("/openapi.json")).body;
  return operationsOf(document).filter(({ description: { security = [] } }) => {
    const isOptional = security.some((each: object) => Object.keys(each).length === 0);
    return !isOptional && security.some((each: object) => "bearer" in each);
  });
}

const renamed = (client: Client) => client.patch("/v1/users/me", { display_name: "Ann" });

describe("SERVICE_REQUIRE_VERIFIED_EMAIL", () => {
  test("403: an account without a verified address reaches profile, address and sign-out only", async () => {
    const { client, accessToken } = await registered(at.one.url);
    const operations = await callerOperations();
    expect(operations.length).toBeGreaterThan(40);
    for (const operation of operations.filter((each) => !SERVED.includes(nameOf(each)))) {
      const { method } = operation;
      const body = method === "GET" || method === "DELETE" ? undefined : {};
      const asked = [
        client.request(method, pathOf(operation), { body }),
        new Client(at.other.url).request(method, pathOf(operation), { body, bearer: accessToken }),
      ];
      for (const { status, body } of await Promise.all(asked)) {
        expect([nameOf(operation), status, body.error.code]).toEqual([nameOf(operation), 403, "forbidden"]);
      }
      expect([nameOf(operation), operation.statuses.has(403)]).toEqual([nameOf(operation), true]);
    }
  });

  test("200 and 204: it looks at itself, has the link mailed again, refreshes and signs out", async () => {
    const { client, email } = await registered(at.one.url);
    expect((await client.get("/v1/auth/session")).status).toBe(200);
    expect((await client.get("/v1/users/me")).body.email_verified).toBe(false);
    expect((await client.post("/v1/auth/email/send-verification")).status).toBe(204);
    await tokenTo(at.mail, email, VERIFY_LINK, 2);
    expect((await client.post("/v1/auth/refresh")).status).toBe(200);
    expect((await renamed(client)).status).toBe(403);
    expect((await client.post("/v1/auth/logout")).status).toBe(204);
    expect((await client.get("/v1/auth/session")).status).toBe(401);
  });

  test("a sign-in, too, is of no more use before; without a session nothing is asked", async () => {
    const { email } = await registered(at.one.url);
    const client = new Client(at.one.url);
    expect((await client.post("/v1/auth/login", { email, password: PASSWORD })).status).toBe(200);
    expect((await renamed(client)).status).toBe(403);
  });

  test("every session, on every replica, is served as soon as the address is verified, by whatever link", async () => {
    for (const inSession of [true, false]) {
      const { client, email } = await registered(at.one.url);
      const second = new Client(at.other.url);
      await second.post("/v1/auth/login", { email, password: PASSWORD });
      for (const each of [client, client.at(at.other.url), second, second.at(at.one.url)]) {
        expect((await renamed(each)).status).toBe(403);
      }
      const opener = inSession ? client : new Client(at.one.url);
      const token = await tokenTo(at.mail, email, VERIFY_LINK);
      expect((await opener.post("/v1/auth/email/verify", { token })).status).toBe(204);
      expect((await renamed(client)).status).toBe(200);
      expect((await renamed(second.at(at.one.url))).status).toBe(200);
      for (const each of [client.at(at.other.url), second]) {
        await eventually("the other replica", 1000, async () => (await renamed(each)).status === 200);
      }
    }
  });

  test("201: whoever accepts an invitation as a new user is verified", async () => {
    const host = await registered(at.one.url);
    await host.client.post("/v1/auth/email/verify", { token: await tokenTo(at.mail, host.email, VERIFY_LINK) });
    const email = `guest-${crypto.randomUUID()}@example.test`;
    await host.client.post(`/v1/orgs/${host.organizationId}/invitations`, { email });
    const guest = new Client(at.one.url);
    const accepted = { token: await tokenTo(at.mail, email, INVITE_LINK), password: PASSWORD };
    expect((await guest.post("/v1/auth/invitations/accept", accepted)).status).toBe(201);
    expect((await renamed(guest)).status).toBe(200);
  });

  test("an application's request survives registration and verification, in the browser that brought it", async () => {
    const host = await registered(at.one.url);
    await host.client.post("/v1/auth/email/verify", { token: await tokenTo(at.mail, host.email, VERIFY_LINK) });
    const admin = await steppedUp(at, await withAuthenticator(at, host), "owner");
    const wiki = await registerClient({}, admin.client);
    const [browser, thief] = [new Browser(at.one.url), new Browser(at.one.url)];
    const { path } = await browser.follow(authorizePath(wiki, makePkce().challenge));
    const return_to = new URLSearchParams(path.split("?")[1]).get("return_to") ?? "";
    const email = newEmail();
    const fields = { email, organization_name: "Acme", password: PASSWORD, return_to };
    const waiting = await browser.follow("/register", await browser.post("/register", fields));
    expect(waiting.path).toStartWith("/verify-email?return_to=%2Foauth2%2Finteraction");
    const next = /href="(\/verify-email[^"]+)"/.exec(waiting.answer.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect((await browser.follow(next)).path).toBe(next);
    expect((await browser.follow(return_to)).path).toStartWith("/verify-email?");
    const mailed = await browser.submit(next, { step: "send" });
    expect(new URLSearchParams(mailed.path.split("?")[1]).get("return_to")).toBe(return_to);
    const token = await tokenTo(at.mail, email, VERIFY_LINK, 2);
    await browser.follow(`/verify-email?token=${token}`);
    const confirmed = await browser.submit("/verify-email", { step: "confirm" });
    expect(confirmed.path).toBe("/account");
    expect((await thief.follow(return_to)).answer.status).toBe(400);
    const { location } = await browser.follow(next);
    expect(location?.searchParams.get("code")).toBeString();
    expect((await browser.follow(return_to)).answer.status).toBe(400);
  });

  test("403 comes after CSRF and before the input is read", async () => {
    const { client } = await registered(at.one.url);
    const response = await client.patch("/v1/users/me", { display_name: 7 }, { csrf: false });
    expect(response.body.error.code).toBe("csrf_failed");
    expect((await client.patch("/v1/users/me", { display_name: 7 })).body.error.code).toBe("forbidden");
  });

  test("off, the default: no address needs a verification", async () => {
    const { client } = await registered((await deployment()).one.url);
    expect((await renamed(client)).status).toBe(200);
  });

  test("doctor and log warn in production where it is off", async () => {
    const warning = /SERVICE_REQUIRE_VERIFIED_EMAIL is off/;
    const { databaseUrl } = at;
    const on = { DATABASE_URL: databaseUrl, SERVICE_REQUIRE_VERIFIED_EMAIL: "on" };
    expect((await runService(["doctor"], { DATABASE_URL: databaseUrl })).output).toMatch(warning);
    expect((await runService(["doctor"], on)).output).not.toMatch(warning);
    expect((await deployment()).one.output()).toMatch(warning);
    expect(at.one.output()).not.toMatch(warning);
  });
});
