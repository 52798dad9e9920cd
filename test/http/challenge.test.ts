/** WWW-Authenticate of the API (RFC 6750, section 3; docs/contract.md, section 3.1). */
import { beforeAll, describe, expect, test } from "bun:test";
import { Client, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { type Operation, operationsOf } from "../support/fuzz.ts";
import { ISSUER } from "../support/replica.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";

const ANY_ID = "019a0000-0000-7000-8000-000000000000";
const REALM = `realm="${ISSUER}"`;

let at: Deployment;
/** Every operation that requires a caller and takes a Bearer token. */
let guarded: readonly Operation[];
beforeAll(async () => {
  at = await deployment();
  const operations = operationsOf((await new Client(at.one.url).get("/openapi.json")).body);
  guarded = operations.filter(({ path, description }) => {
    const ways: object[] = description.security;
    // OAuth specifications define the challenges of the OAuth endpoints.
    return !path.startsWith("/oauth2/") && ways.some((way) => "bearer" in way) && !ways.some((way) => isEmpty(way));
  });
});

const isEmpty = (way: object) => Object.keys(way).length === 0;

async function challengeOf(client: Client, { method, path }: Operation, headers: Record<string, string>) {
  const body = method === "GET" || method === "DELETE" ? {} : { body: {} };
  const response = await client.request(method, path.replace(/\{\w+\}/g, ANY_ID), { ...body, headers });
  return [method, path, response.status, response.headers.get("www-authenticate")];
}

describe("every endpoint that takes Bearer tokens", () => {
  test("returns a challenge without an error to a request without a token, with or without a cookie", async () => {
    expect(guarded.length).toBeGreaterThan(80);
    const client = new Client(at.one.url);
    for (const operation of guarded) {
      const expected = [operation.method, operation.path, 401, `Bearer ${REALM}`];
      expect(await challengeOf(client, operation, {})).toEqual(expected);
      expect(await challengeOf(client, operation, { cookie: "service_at=x" })).toEqual(expected);
      expect(await challengeOf(client, operation, { authorization: "Basic eDp5" })).toEqual(expected);
    }
  });

  test("names `invalid_token` to a request with a token that is not valid, and describes the header", async () => {
    const client = new Client(at.one.url);
    for (const operation of guarded) {
      const challenge = `Bearer ${REALM}, error="invalid_token", error_description="Sign in to continue."`;
      const expected = [operation.method, operation.path, 401, challenge];
      expect(await challengeOf(client, operation, { authorization: "bearer x" })).toEqual(expected);
      expect(operation.description.responses[401].headers).toHaveProperty("WWW-Authenticate");
    }
  });
});

describe("a challenge to a valid token", () => {
  test("does not call the token invalid when a password is wrong; asks for a factor by RFC 9470", async () => {
    const { client, organizationId, accessToken } = await registered(at.one.url);
    const bearer = new Client(at.one.url);
    const wrong = { current_password: "not the password", new_password: "a new long password" };
    const refused = await bearer.post("/v1/users/me/password", wrong, { bearer: accessToken });
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, `Bearer ${REALM}`]);
    const { body: account } = await client.post(accountsOf(organizationId), { name: "x" });
    const path = `${accountsOf(organizationId)}/${account.id}/keys`;
    const weak = await bearer.post(path, { scopes: ["audit.read"] }, { bearer: accessToken });
    expect([weak.status, weak.headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer ${REALM}, error="insufficient_user_authentication", ` + `error_description="${weak.body.error.message}"`,
    ]);
  });

  test("names the scope that an API key lacks, and is absent from any other 403", async () => {
    const owner = await steppedUpOwner(at);
    const { key } = await keyOf(owner.client, accountsOf(owner.organizationId), ["audit.read"]);
    const client = new Client(at.one.url);
    const path = `/v1/orgs/${owner.organizationId}/members`;
    const lacking = await client.get(path, { bearer: key });
    expect([lacking.status, lacking.headers.get("www-authenticate")]).toEqual([
      403,
      `Bearer ${REALM}, error="insufficient_scope", ` +
        `error_description="${lacking.body.error.message}", scope="members.list"`,
    ]);
    const people = await client.get("/v1/auth/sessions", { bearer: key });
    expect([people.status, people.headers.get("www-authenticate")]).toEqual([403, null]);
  });
});
