import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { INCLUDED_IN, KEY_SCOPES, type KeyScope, scopesOf } from "../../src/vocabulary/key-scope.ts";
import { Client } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { accountsOf, keyOf, steppedUpOwner } from "../support/service-accounts.ts";

/** Input that every endpoint refuses after the authorization. */
const BAD_QUERY = "page=x&q=%00&status=x&from=x&to=x";
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const PLATFORM = "/v1/admin/service-accounts";

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The permissions of `api_key`; undefined: the operation serves no program. */
  readonly names: readonly string[] | undefined;
}

let at: Deployment;
let operations: readonly Operation[];
let organizationId: string;
let owner: Awaited<ReturnType<typeof steppedUpOwner>>;
/** A key for each scope, of the organization and of the platform. */
const keys = { organization: new Map<string, string>(), platform: new Map<string, string>() };
const accountIds: string[] = [];

beforeAll(async () => {
  at = await deployment();
  owner = await steppedUpOwner(at);
  organizationId = owner.organizationId;
  const platform = await steppedUpAdmin(at, "owner");
  for (const scope of scopesOf("organization")) {
    keys.organization.set(scope, (await keyOf(owner.client, accountsOf(organizationId), [scope])).key);
  }
  for (const scope of scopesOf("platform")) {
    const made = await keyOf(platform.client, PLATFORM, [scope]);
    keys.platform.set(scope, made.key);
    accountIds.push(made.accountId);
  }
  const { paths } = (await new Client(at.one.url).get("/openapi.json")).body;
  operations = Object.entries<Record<string, { security: Record<string, string[]>[] }>>(paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => {
        const pairs = security.flatMap(({ api_key: names }) => (names === undefined ? [] : names));
        const serves = security.some((each) => "api_key" in each);
        const filled = path.replace("{org_id}", organizationId).replaceAll(/\{\w+\}/g, UNKNOWN);
        return {
          name: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path: filled,
          names: serves ? pairs : undefined,
        };
      }),
  );
});

// The platform has a bounded number of service accounts, and other files share the deployment.
afterAll(async () => {
  await at.sql`delete from service_accounts where id = any(${accountIds})`;
});

const isPermitted = (names: readonly string[], scope: string) =>
  names.some((name) => name === scope || INCLUDED_IN[name as KeyScope] === scope);

async function call(key: string, { method, path }: Operation, url: string) {
  const body = method === "GET" || method === "DELETE" ? {} : { body: { role: 7, email: 7 } };
  return await new Client(url).request(method, `${path}?${BAD_QUERY}`, { bearer: key, ...body });
}

describe("every operation with every permission, on two replicas (G475)", () => {
  for (const kind of ["organization", "platform"] as const) {
    test(`A program (${kind}) without the permission gets 403 with the scope, before ids and input.`, async () => {
      const administrative = operations.filter(({ names }) => names !== undefined && names.length > 0);
      expect(administrative.length).toBeGreaterThan(150);
      for (const operation of administrative) {
        for (const [scope, key] of keys[kind]) {
          if (isPermitted(operation.names ?? [], scope)) continue;
          const url = scope.length % 2 === 0 ? at.one.url : at.other.url;
          const { status, headers } = await call(key, operation, url);
          const challenge = headers.get("www-authenticate") ?? "";
          const isScim = operation.path.startsWith("/v1/scim/");
          expect([operation.name, scope, status, isScim || challenge.includes("insufficient_scope")]).toEqual([
            operation.name,
            scope,
            403,
            true,
          ]);
        }
      }
    }, 300_000);
  }

  test("A program with the permission passes to ids and input, in its organization and below /admin.", async () => {
    for (const operation of operations.filter(({ names = [] }) => names.length > 0)) {
      const isBelowAdmin = operation.path.startsWith("/v1/admin/") && !operation.path.includes("audit-export");
      for (const kind of ["organization", "platform"] as const) {
        for (const [scope, key] of keys[kind]) {
          if (!isPermitted(operation.names ?? [], scope)) continue;
          const { status, headers, text } = await call(key, operation, at.other.url);
          const scoped = (headers.get("www-authenticate") ?? "").includes("insufficient_scope");
          const refused = kind === "organization" && isBelowAdmin;
          expect([operation.name, kind, scope, scoped]).toEqual([operation.name, kind, scope, false]);
          if (refused) expect([operation.name, scope, status]).toEqual([operation.name, scope, 403]);
          else if (status === 401 || status === 500) expect([operation.name, scope, status, text]).toEqual([]);
        }
      }
    }
  }, 300_000);

  test("A program gets 403 at every operation for people, and a public operation treats it as anonymous.", async () => {
    const key = keys.platform.get("users.read") ?? "";
    const { paths } = (await new Client(at.one.url).get("/openapi.json")).body;
    for (const { name, method, path, names } of operations) {
      if (names !== undefined) continue;
      const [, template = ""] = name.split(" ");
      const { security } = paths[template][method.toLowerCase()] as { security: object[] };
      const isPublic = security.length === 0 || security.some((each) => Object.keys(each).length === 0);
      if (isPublic || security.some((each) => "refresh_cookie" in each)) continue;
      const { status, body } = await call(key, { name, method, path, names }, at.one.url);
      expect([name, status, body?.error?.code]).toEqual([name, 403, "forbidden"]);
    }
  });

  test("Every scope opens an operation, and every operation of a program names a known scope.", () => {
    const named = new Set(operations.flatMap(({ names = [] }) => names));
    for (const name of named) expect(KEY_SCOPES as readonly string[]).toContain(name);
  });
});
