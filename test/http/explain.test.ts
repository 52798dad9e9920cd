import { beforeAll, describe, expect, test } from "bun:test";
import type postgres from "postgres";
import { Client, newEmail, PASSWORD, registered, signedIn } from "../support/client.ts";
import { testWhileShared } from "../support/deployment.ts";
import { codeOf, enrolled, wrongCode } from "../support/mfa.ts";
import { platformUser } from "../support/platform.ts";
import { type Replica, runService, startReplica } from "../support/replica.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";
import { freshDatabase, openSql, startRedis } from "../support/services.ts";
import { until } from "../support/waiting.ts";

const PER_ADDRESS = 5;
const WRONG_PASSWORDS = 3;
let replica: Replica;
let at: { readonly one: Replica; readonly sql: postgres.Sql };
let databaseUrl: string;
let viewer: Client;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  replica = await startReplica({
    DATABASE_URL: databaseUrl,
    // A separate Redis, because limits of addresses are exact.
    REDIS_URL: (await startRedis()).url,
    SERVICE_RATE_LIMITS: "on",
    SERVICE_RATE_LIMIT_SIGN_IN: `${PER_ADDRESS}/600`,
    SERVICE_RATE_LIMIT_REGISTER: "1000/60",
    SERVICE_RATE_LIMIT_PASSWORD_PAIR: `${WRONG_PASSWORDS}/600`,
    SERVICE_TRUSTED_PROXIES: "127.0.0.1",
  });
  at = { one: replica, sql: openSql(databaseUrl) };
  viewer = (await platformUser(at, "viewer")).client;
});

const testOfLimit = testWhileShared(() => [replica]);

let addresses = 0;
/** Returns headers with a new client address. */
function fromNewAddress(): { headers: Record<string, string> } {
  addresses += 1;
  return { headers: { "x-forwarded-for": `198.51.100.${addresses}` } };
}

const login = (email: string, password: string, from = fromNewAddress()) =>
  new Client(replica.url).post("/v1/auth/login", { email, password }, from);
const idOf = (response: { headers: Headers }) => String(response.headers.get("x-request-id"));

/** Returns the explanation after the replica has written the record. */
async function explained(requestId: string) {
  let body: { requests: Record<string, unknown>[]; events: Record<string, unknown>[]; sentences: string[] } | undefined;
  await until("the decision is recorded", async () => {
    const response = await viewer.get(`/v1/admin/requests/${requestId}`);
    body = response.status === 200 && response.body.requests.length > 0 ? response.body : undefined;
    return body !== undefined;
  });
  if (!body) throw new Error("nothing was explained");
  return body;
}

describe("GET /v1/admin/requests/:request_id: 200", () => {
  testOfLimit("names the limit of a refused sign-in, with the state of that moment", async () => {
    const from = fromNewAddress();
    for (let count = 0; count < PER_ADDRESS; count += 1) await login(newEmail(), PASSWORD, from);
    const refused = await login(newEmail(), PASSWORD, from);
    expect(refused.status).toBe(429);
    const { requests, sentences } = await explained(idOf(refused));
    expect(requests).toMatchObject([
      {
        method: "POST",
        route: "/v1/auth/login",
        operation: "login",
        status: 429,
        code: "rate_limited",
        rule: "limit sign_in",
        bound: "limit_sign_in",
        limits: [{ name: "sign_in", limit: PER_ADDRESS, window_seconds: 600, remaining: 0 }],
        network: from.headers["x-forwarded-for"],
        user_id: null,
      },
    ]);
    const text = sentences.join("\n");
    expect(text).toContain("POST /v1/auth/login was answered with 429 (rate_limited)");
    expect(text).toContain("The limit sign_in allows 5 in 600 s; 0 were left after this request");
    expect(text).toContain("SERVICE_RATE_LIMIT_SIGN_IN");
  });

  test("says why a password did not sign in, which the response does not: from the audit trail", async () => {
    const { email, userId } = await registered(replica.url);
    const refused = await login(email, "not the password");
    expect(refused.status).toBe(401);
    const { events, sentences } = await explained(idOf(refused));
    expect(events).toMatchObject([
      { action: "auth.login", outcome: "failure", actor_id: userId, metadata: { reason: "wrong_password" } },
    ]);
    expect(sentences.join("\n")).toContain("reason wrong_password");
    for (let count = 1; count < WRONG_PASSWORDS; count += 1) await login(email, "not the password");
  });

  test("says why an OAuth endpoint refused, whose errors have codes of their own, as JSON and as a page", async () => {
    const token = await new Client(replica.url).post("/oauth2/token", undefined, {
      raw: "grant_type=client_credentials&client_id=a-client-to-look-for&client_secret=x",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(token.status).toBe(401);
    const page = await new Client(replica.url).get("/oauth2/authorize?client_id=x", { documented: false });
    expect([page.status, page.text.includes(`>${idOf(page)}</code>`)]).toEqual([400, true]);
    expect((await explained(idOf(token))).requests).toMatchObject([
      { operation: "issueOAuthTokens", status: 401, rule: "invalid_client: unknown client" },
    ]);
    expect((await explained(idOf(page))).requests).toMatchObject([
      { route: "/oauth2/authorize", status: 400, rule: "invalid_client: client_id names no application." },
    ]);
  });

  testOfLimit("says that too many passwords were guessed, and the limits of that moment", async () => {
    const { email } = await registered(replica.url);
    const from = fromNewAddress();
    for (let count = 0; count < WRONG_PASSWORDS; count += 1) await login(email, "not the password", from);
    const { requests } = await explained(idOf(await login(email, PASSWORD, from)));
    expect(requests).toMatchObject([
      {
        code: "rate_limited",
        bound: "password_guesses",
        rule: "too many wrong passwords for this account",
        counters: { limit_1: WRONG_PASSWORDS, limit_1_window_seconds: 600 },
      },
    ]);
  });

  test("names the caller and the rule that refused a page, a guard and a path that does not exist", async () => {
    const person = await registered(replica.url);
    const form = new URLSearchParams({ email: newEmail(), password: "not the password" });
    const headers = {
      ...fromNewAddress().headers,
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
    };
    const documented = false;
    const stranger = new Client(replica.url);
    const [forbidden, page, nowhere] = await Promise.all([
      person.client.get("/v1/admin/users"),
      stranger.request("POST", "/sign-in", { raw: `${form}`, headers, documented }),
      stranger.get("/v1/nothing/here?token=secret-in-a-query", { documented }),
    ]);
    expect((await explained(idOf(forbidden))).requests).toMatchObject([
      { code: "forbidden", user_id: person.userId, organization_id: person.organizationId, operation: "searchUsers" },
    ]);
    // The page of the refusal follows by a redirect.
    expect(page.status).toBe(303);
    const ofPage = await explained(idOf(page));
    expect(ofPage.requests).toMatchObject([{ code: "authentication_required", route: "/sign-in", status: 303 }]);
    expect(ofPage.sentences.join("\n")).toContain("reason unknown_account");
    const ofNowhere = await explained(idOf(nowhere));
    expect(ofNowhere.requests).toMatchObject([
      { code: "not_found", route: "_unmatched", operation: null, network: "127.0.0.1" },
    ]);
    expect(JSON.stringify(ofNowhere)).not.toContain("secret-in-a-query");
  });

  test("names an API key as the caller, also without the permission for the request", async () => {
    const owner = await steppedUpOwner(at);
    const { id, key } = await keyOf(owner.client, accountsOf(owner.organizationId), ["members.invite"]);
    const program = new Client(replica.url);
    const refused = await program.get(`/v1/orgs/${owner.organizationId}/invitations`, { bearer: key });
    expect(refused.status).toBe(403);
    const { requests, sentences } = await explained(idOf(refused));
    expect(requests).toMatchObject([{ user_id: id, organization_id: owner.organizationId }]);
    expect(sentences.join("\n")).toContain(`The caller was API key ${id} in organization ${owner.organizationId}.`);
  });

  test("has one of a hundred displayed pages", async () => {
    const visitor = new Client(replica.url);
    for (let count = 0; count < 100; count += 1) await visitor.get("/sign-in", { documented: false });
    await until("one is recorded", async () => {
      const [row] = await at.sql`select count(*)::int as count from request_decisions where route = '/sign-in'
                                 and status = 200`;
      return row?.count === 1;
    });
  });

  test("has all requests with an id that a client repeats, in order", async () => {
    const id = "11111111-1111-4111-8111-111111111111";
    const headers = { "x-request-id": id };
    await new Client(replica.url).get("/v1/users/me", { headers });
    await new Client(replica.url).get("/v1/admin/users", { headers });
    await until("both are recorded", async () => (await explained(id)).requests.length === 2);
    const { requests, sentences } = await explained(id.toUpperCase());
    expect(requests.map(({ operation }) => operation)).toEqual(["getMe", "searchUsers"]);
    expect(sentences[0]).toStartWith("2 requests have this id");
  });

  test("has a request that succeeded from the audit trail, by the time in its id", async () => {
    const { answer } = await registered(replica.url);
    const { body } = await viewer.get(`/v1/admin/requests/${idOf(answer)}`);
    expect(body.events).toMatchObject([{ action: "auth.register", outcome: "success" }]);
  });
});

describe("GET /v1/admin/requests/:request_id: 401, 403, 404", () => {
  const ID = "0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e";

  test("is for the platform's viewers, not for owners of an organization, and not for strangers", async () => {
    const owner = await registered(replica.url);
    expect((await owner.client.get(`/v1/admin/requests/${ID}`)).status).toBe(403);
    expect((await new Client(replica.url).get(`/v1/admin/requests/${ID}`)).status).toBe(401);
  });

  test("404 for a malformed id, and for an unrecorded request", async () => {
    expect((await viewer.get("/v1/admin/requests/x", { documented: false })).status).toBe(404);
    expect((await viewer.get(`/v1/admin/requests/${ID}`)).body.error.code).toBe("not_found");
  });
});

describe("the record", () => {
  test("holds nothing that a client sent: no password, code, token, address or query", async () => {
    const { email, client } = await registered(replica.url);
    const refused = await login(email, "a-password-to-look-for");
    await new Client(replica.url).get("/v1/users/me?q=a-query-to-look-for", { bearer: "a-token-to-look-for" });
    await client.post("/v1/auth/mfa/enable", { code: "code-to-look-for" });
    await explained(idOf(refused));
    await until("all are recorded", async () => {
      const [row] = await at.sql`select count(*)::int as count from request_decisions where operation = 'enableMfa'`;
      return row?.count === 1;
    });
    const rows = JSON.stringify(await at.sql`select * from request_decisions`);
    expect(rows).not.toContain("to-look-for");
    expect(rows).not.toContain(email);
  });
});

describe("npm run service -- explain", () => {
  const environment = () => ({ DATABASE_URL: databaseUrl, NODE_ENV: "production" });

  test("prints the same sentences; 1 for an unknown id, 2 for what is no id", async () => {
    const refused = await login(newEmail(), PASSWORD);
    const { sentences } = await explained(idOf(refused));
    const [shown, unknown, malformed] = await Promise.all(
      [idOf(refused), "0198c0de-7a11-7cc3-b2d4-6f1a2b3c4d5e", "x"].map((id) =>
        runService(["explain", id], environment()),
      ),
    );
    expect(shown).toMatchObject({ code: 0, output: `${sentences.join("\n")}\n` });
    expect([unknown?.code, malformed?.code]).toEqual([1, 2]);
  });
});

describe("sign-ins in the metrics", () => {
  const outcomes = async () => {
    const { text } = await new Client(replica.url).get("/metrics");
    const count = (outcome: string) =>
      Number(
        new RegExp(`^service_sign_in_attempts_total\\{[^}]*password[^}]*"${outcome}"[^}]*\\} (\\d+)`, "m").exec(
          text,
        )?.[1] ?? 0,
      );
    return [count("success"), count("second_factor_required"), count("failure")];
  };

  test("with an open second factor are no success; the challenge makes a success", async () => {
    const person = await enrolled(at);
    const before = await outcomes();
    const { answer } = await signedIn(replica.url, person.email);
    expect(answer.body.status).toBe("mfa_required");
    const since = async () => (await outcomes()).map((count, index) => count - (before[index] ?? 0));
    expect(await since()).toEqual([0, 1, 0]);
    const challenge = (code: string) =>
      new Client(replica.url).post("/v1/auth/mfa/challenge", { mfa_token: answer.body.mfa_token, code });
    expect((await challenge(wrongCode(person.secret))).status).toBe(401);
    expect(await since()).toEqual([0, 1, 0]);
    expect((await challenge(codeOf(person.secret, 1))).status).toBe(200);
    expect(await since()).toEqual([1, 1, 0]);
  });
});
