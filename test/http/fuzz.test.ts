/**
 * Fuzz test of every documented operation (G18). The seed is fixed, so that two runs of the suite are equal; `npm run
 * test:fuzz` uses a new seed each time and sends more requests. fast-check prints seed and path of a failure: add the
 * failure to `REGRESSIONS`.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import Ajv from "ajv/dist/2020";
import fc from "fast-check";
import { type Answer, Client, PASSWORD } from "../support/client.ts";
import { type Deployment, ownDeployment } from "../support/deployment.ts";
import { type FuzzedRequest, type Operation, operationsOf, requestsOf } from "../support/fuzz.ts";
import { steppedUpAdmin } from "../support/platform.ts";

const SEED = Number(process.env.FUZZ_SEED ?? 20261121);
const RUNS = Number(process.env.FUZZ_RUNS ?? 4);

console.log(`fuzz: seed ${SEED}, ${RUNS} requests to each operation`);

let at: Deployment;
let operations: Operation[];
beforeAll(async () => {
  // No email provider listens at this address: the fuzz test requests thousands of emails.
  at = await ownDeployment({ SERVICE_EMAIL_API_URL: "http://127.0.0.1:1", SERVICE_DEFAULT_TIER: "enterprise" });
  operations = operationsOf((await new Client(at.one.url).get("/openapi.json")).body);
});

/** The router refuses paths that it cannot parse before any endpoint sees the request. */
const STATUSES_OF_THE_ROUTER = new Set([404]);

const ajv = new Ajv({ strict: false, validateFormats: false });

/** Returns the deviations of a body from the document, as JSON pointers with a rule. */
function deviations(operation: Operation, { status, body }: Answer): string[] {
  const { schema } = operation.description.responses[status]?.content?.["application/json"] ?? {};
  if (!schema || ajv.validate(schema, body)) return [];
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** After `.` and `..` are resolved, a generated path may belong to a different operation. */
async function send(client: Client, { method, path, headers, body }: FuzzedRequest) {
  return await client.request(method, path, {
    headers,
    ...(body === undefined ? {} : { raw: body }),
    documented: false,
  });
}

const ERROR = { code: expect.any(String), message: expect.any(String), type: expect.any(String) };
/** Invalid input also names its fields. */
const envelopeOf = (status: number) => ({ error: status === 400 ? { ...ERROR, fields: expect.any(Array) } : ERROR });
const SCIM_ERROR = {
  schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
  status: expect.stringMatching(/^4\d\d$/),
  detail: expect.any(String),
};
const OAUTH_ERROR = { error: expect.stringMatching(/^[a-z_]+$/), error_description: expect.any(String) };

async function expectDocumented(operation: Operation, client: Client, request: FuzzedRequest): Promise<void> {
  const response = await send(client, request);
  const documented = operation.statuses.has(response.status) || STATUSES_OF_THE_ROUTER.has(response.status);
  expect([response.status, documented]).toEqual([response.status, true]);
  expect(response.status).toBeLessThan(500);
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(deviations(operation, response)).toEqual([]);
  if (response.status < 400) return;
  expect(response.text).not.toMatch(/\bat .*:\d+:\d+|node_modules|\.ts\b|select |insert /i);
  if (response.headers.get("content-type")?.startsWith("application/scim+json")) {
    // RFC 7644 defines the format of errors at the endpoints of directories.
    expect(JSON.parse(response.text)).toMatchObject(SCIM_ERROR);
    return;
  }
  // RFC 6749 defines the format of errors at the OAuth endpoints.
  const isOAuth = operation.statuses.has(response.status) && response.body?.error_description !== undefined;
  expect(response.body).toEqual(isOAuth ? OAUTH_ERROR : envelopeOf(response.status));
}

type Admin = Awaited<ReturnType<typeof steppedUpAdmin>>;

/** Whether earlier requests left an administrator the account, the session, the second factor and the roles. */
async function isIntact({ client, userId, organizationId, sessionId }: Admin): Promise<boolean> {
  const [row] = await at.sql`
    select from users join members on user_id = users.id and organization_id = ${organizationId}
      join sessions on sessions.id = ${sessionId}
    where users.id = ${userId} and platform_role = 'owner' and disabled_at is null and role = 'owner'
      and revoked_at is null and mfa_verified_at is not null`;
  return row !== undefined && (await client.get("/v1/users/me")).status === 200;
}

describe("any request to any endpoint", () => {
  test("gets a documented answer of documented shape, refusals in the envelope, no 500: from strangers", async () => {
    for (const operation of operations) {
      const property = fc.asyncProperty(
        requestsOf(operation, [PASSWORD, "oauth_idp_a", "email_transport"]),
        (request) => expectDocumented(operation, new Client(at.one.url), request),
      );
      await fc.assert(property, { seed: SEED, numRuns: Math.ceil(RUNS / 4) });
    }
  });

  test("the same from a caller who may do everything", async () => {
    let admin = await steppedUpAdmin(at, "owner");
    for (const operation of operations) {
      if (!(await isIntact(admin))) admin = await steppedUpAdmin(at, "owner");
      const { client, userId, organizationId, sessionId, email } = admin;
      const known = [userId, organizationId, sessionId, email, PASSWORD, "oauth_idp_a", "email_transport"] as const;
      const signedIn = [...(await client.jar.getCookies("https://auth.example.test/v1/auth/oauth/callback"))];
      const property = fc.asyncProperty(requestsOf(operation, [...known]), async (request) => {
        await expectDocumented(operation, client, request);
        // The client continues with the original session after a sign-out or a change of cookies.
        for (const cookie of signedIn)
          await client.jar.setCookie(cookie, "https://auth.example.test/v1/auth/oauth/callback");
      });
      await fc.assert(property, { seed: SEED, numRuns: RUNS });
      await at.sql`delete from provider_configs`;
    }
  });

  test("leaves both processes alive, and their logs without a failed request", async () => {
    for (const replica of [at.one, at.other]) {
      expect((await new Client(replica.url).get("/healthz")).status).toBe(200);
      expect(replica.output()).not.toContain('"msg":"request failed"');
    }
  });
});

/** Requests that the fuzz test found, unchanged. */
const REGRESSIONS: readonly FuzzedRequest[] = [];

describe("what was found once", () => {
  for (const request of REGRESSIONS) {
    test(`${request.method} ${request.path}`, async () => {
      const { client } = await steppedUpAdmin(at, "owner");
      expect((await send(client, request)).status).toBeLessThan(500);
    });
  }
});
