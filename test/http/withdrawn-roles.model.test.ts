/**
 * Model of withdrawn roles and permissions (G235): fast-check generates histories of roles, groups and base roles of a
 * member with access tokens of an application. After each change both replicas allow and refuse as the model within a
 * second: permissions, introspection, refreshes; the verifiers of `clients/js` within two. `MODEL_SEED` and
 * `MODEL_RUNS` override seed and number of runs.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { decodeJwt } from "jose";
import {
  createResourceVerifier,
  createVerifier,
  type ResourceVerifier,
  type Verifier,
} from "../../clients/js/src/verifier.ts";
import type { Answer } from "../support/client.ts";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import {
  Browser,
  introspectAt,
  oauthAdmin,
  refreshAt,
  registerClient,
  type TestClient,
  tokensFor,
} from "../support/oauth.ts";
import { ISSUER } from "../support/replica.ts";
import { assignRoles, createdRole, type Host, memberInSession, rolesOf } from "../support/roles.ts";
import { founded, memberOf } from "../support/team.ts";

const SETTINGS = { seed: Number(process.env.MODEL_SEED ?? 2615), numRuns: Number(process.env.MODEL_RUNS ?? 4) };
const ACTIONS_MAX = 16;
const ROLES = 3;
const FAMILIES_MAX = 2;
const REPLICATED_MS = 1_000;
const VERIFIED_MS = 2_000;
const MODEL_MS = 60_000 + SETTINGS.numRuns * 10_000;
const API = "https://withdrawn.example.test/mcp";
/** The scope of everyone. */
const OPEN_SCOPE = "reports:read";
/** Scopes of the API by their permissions. */
const SCOPES = { "withdrawn.approve": "reports:approve", "withdrawn.export": "reports:export" } as const;
const API_PERMISSIONS = ["withdrawn.approve", "withdrawn.export"] as const;
const PERMISSIONS = ["audit.read", ...API_PERMISSIONS] as const;
type Permission = (typeof PERMISSIONS)[number];
type ApiPermission = (typeof API_PERMISSIONS)[number];

type Action =
  | { readonly kind: "assign" | "grant"; readonly roles: readonly number[] }
  | { readonly kind: "define"; readonly role: number; readonly permissions: readonly Permission[] }
  | { readonly kind: "place"; readonly isIn: boolean }
  | { readonly kind: "base"; readonly base: "member" | "owner" }
  | { readonly kind: "issue" }
  /** `withdraws`: all assigned roles are withdrawn at the same time. */
  | {
      readonly kind: "refresh";
      readonly family: number;
      readonly permissions: readonly ApiPermission[];
      readonly withdraws: boolean;
    };

interface Token {
  readonly value: string;
  readonly sid: unknown;
  readonly scopes: readonly string[];
  isLive: boolean;
}

interface Family {
  /** Scopes of the authorization. */
  readonly granted: readonly ApiPermission[];
  refreshToken: string;
  /** The permissions on which the present access tokens depend: the loss of one ends all of them. */
  dependsOn: Set<ApiPermission>;
  readonly tokens: Token[];
}

class Model {
  readonly definitions: (readonly Permission[])[] = Array.from({ length: ROLES }, () => []);
  assigned: readonly number[] = [];
  granted: readonly number[] = [];
  isInGroup = false;
  base: "member" | "owner" = "member";
  readonly families: Family[] = [];

  holds(permission: Permission): boolean {
    const roles = [...this.assigned, ...(this.isInGroup ? this.granted : [])];
    return this.base === "owner" || roles.some((role) => this.definitions[role]?.includes(permission));
  }

  /** Ends the tokens that depend on a lost permission. */
  endTokens(): void {
    for (const family of this.families) {
      if ([...family.dependsOn].every((permission) => this.holds(permission))) continue;
      family.dependsOn = new Set();
      for (const token of family.tokens) token.isLive = false;
    }
  }

  get tokens(): Token[] {
    return this.families.flatMap(({ tokens }) => tokens);
  }
}

const scopesOf = (permissions: readonly ApiPermission[]) => [
  OPEN_SCOPE,
  ...permissions.map((permission) => SCOPES[permission]),
];

let at: Deployment;
let application: TestClient;
let ofTokens: ResourceVerifier;
let ofSessions: Verifier;
beforeAll(async () => {
  at = await deployment();
  const admin = await oauthAdmin();
  const scopes = [
    { name: OPEN_SCOPE },
    ...API_PERMISSIONS.map((permission) => ({ name: SCOPES[permission], permission })),
  ];
  const created = await admin.post("/v1/admin/resources", { identifier: API, name: "Withdrawn", scopes });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  application = await registerClient({
    scopes: ["openid", "offline_access", ...scopesOf(API_PERMISSIONS)],
    resources: [API],
    audiences: [API],
  });
  const options = { issuer: ISSUER, baseUrl: at.other.url, whenBlind: "deny" } as const;
  ofTokens = createResourceVerifier({ ...options, resource: API });
  ofSessions = createVerifier(options);
});
afterAll(() => {
  ofTokens.close();
  ofSessions.close();
});

interface System {
  readonly host: Host;
  readonly member: Awaited<ReturnType<typeof memberInSession>> & { readonly sessionToken: string };
  readonly roleIds: readonly string[];
  readonly group: string;
}

async function openSystem(): Promise<System> {
  const host = await founded(at);
  const { organizationId } = host;
  const member = await memberInSession(at, host);
  const refreshed = await member.client.post("/v1/auth/refresh");
  const roleIds: string[] = [];
  for (let index = 0; index < ROLES; index += 1) roleIds.push((await createdRole(host, [])).id);
  const { body } = await host.client.post(`/v1/orgs/${organizationId}/groups`, { name: "Group" });
  const group = `/v1/orgs/${organizationId}/groups/${body.id}`;
  return { host, member: { ...member, sessionToken: String(refreshed.body.access_token) }, roleIds, group };
}

const succeeded = ({ status, text }: Answer) => expect([status < 300, text]).toEqual([true, expect.any(String)]);

async function change(
  { host, member, roleIds, group }: System,
  model: Model,
  action: Exclude<Action, { readonly kind: "issue" | "refresh" }>,
  url: string,
): Promise<void> {
  const client = host.client.at(url);
  const { organizationId } = host;
  const idsOf = (roles: readonly number[]) => roles.map((role) => roleIds[role]);
  switch (action.kind) {
    case "assign":
      model.assigned = action.roles;
      succeeded(await assignRoles({ ...host, client }, organizationId, member.userId, idsOf(action.roles)));
      break;
    case "grant":
      model.granted = action.roles;
      succeeded(await client.patch(group, { role_ids: idsOf(action.roles) }));
      break;
    case "define": {
      model.definitions[action.role] = action.permissions;
      const path = `${rolesOf(organizationId)}/${roleIds[action.role]}`;
      succeeded(await client.patch(path, { permissions: action.permissions }));
      break;
    }
    case "place": {
      model.isInGroup = action.isIn;
      const path = `${group}/members/${member.userId}`;
      const changed = await (action.isIn ? client.put(path) : client.delete(path));
      if (changed.status !== 404) succeeded(changed);
      break;
    }
    case "base":
      model.base = action.base;
      succeeded(await client.patch(memberOf(organizationId, member.userId), { role: action.base }));
  }
  model.endTokens();
}

async function issue({ member }: System, model: Model, url: string): Promise<void> {
  if (model.families.length === FAMILIES_MAX) return;
  const browser = new Browser(url);
  Object.assign(browser.client, { jar: member.client.jar });
  const request = { scope: scopesOf(API_PERMISSIONS).join(" "), resource: API };
  const tokens = await tokensFor(application, browser, request);
  const granted = API_PERMISSIONS.filter((permission) => model.holds(permission));
  expect(tokens.scope.split(" ").sort()).toEqual(scopesOf(granted).sort());
  const { sid } = decodeJwt(tokens.access_token);
  const token = { value: tokens.access_token, sid, scopes: tokens.scope.split(" "), isLive: true };
  const family = { granted, refreshToken: tokens.refresh_token, dependsOn: new Set(granted), tokens: [token] };
  model.families.push(family);
}

async function refresh(
  system: System,
  model: Model,
  { family: index, permissions, withdraws }: Action & { kind: "refresh" },
  url: string,
): Promise<void> {
  const family = model.families[index];
  if (!family) return;
  const before = permissions.filter((permission) => family.granted.includes(permission) && model.holds(permission));
  // A refresh cannot ask for a scope that the authorization did not grant.
  const asked = scopesOf(permissions.filter((permission) => family.granted.includes(permission)));
  const withdrawal = { kind: "assign", roles: [] } as const;
  const [refreshed] = await Promise.all([
    refreshAt(url, application, family.refreshToken, { scope: asked.join(" ") }),
    ...(withdraws ? [change(system, model, withdrawal, url === at.one.url ? at.other.url : at.one.url)] : []),
  ]);
  expect([refreshed.status, refreshed.text]).toEqual([200, expect.any(String)]);
  const scopes = String(refreshed.body.scope).split(" ");
  const after = before.filter((permission) => model.holds(permission));
  const received = before.filter((permission) => scopes.includes(SCOPES[permission]));
  expect(scopes.sort()).toEqual(scopesOf(received).sort());
  // Beside a withdrawal either came first: a token with a lost scope has ended.
  expect(received.length === before.length || (withdraws && received.length === after.length)).toBe(true);
  const value = String(refreshed.body.access_token);
  const { sid } = decodeJwt(value);
  const hasEnded = family.tokens.some((token) => token.sid === sid && !token.isLive);
  const isLive = !hasEnded && received.every((permission) => model.holds(permission));
  family.tokens.push({ value, sid, scopes, isLive });
  if (isLive) for (const permission of received) family.dependsOn.add(permission);
  family.refreshToken = String(refreshed.body.refresh_token);
}

/** Both replicas respond as the model within a second, and the verifier refuses ended tokens within two. */
async function expectModel({ host, member }: System, model: Model): Promise<void> {
  const base = `/v1/orgs/${host.organizationId}`;
  const expected = PERMISSIONS.filter((permission) => model.holds(permission));
  const states = model.tokens.map(({ isLive, scopes }) => (isLive ? [...scopes].sort().join(" ") : "ended"));
  for (const url of [at.one.url, at.other.url]) {
    let seen: unknown;
    const client = member.client.at(url);
    await eventually("the replica responds as the model", REPLICATED_MS, async () => {
      const { allowed } = (await client.post(`${base}/permissions/check`, { permissions: PERMISSIONS })).body;
      const { status } = await client.get(`${base}/audit-logs?page_size=1`);
      seen = [PERMISSIONS.filter((permission) => allowed[permission]), status, await statesAt(url, model)];
      return Bun.deepEquals(seen, [expected, model.holds("audit.read") ? 200 : 403, states]);
    }).catch(() => expect(seen).toEqual([expected, model.holds("audit.read") ? 200 : 403, states]));
  }
  const verified = async () => await Promise.all(model.tokens.map(async ({ value }) => await ofTokens.verify(value)));
  await eventually("the verifier accepts the live tokens alone", VERIFIED_MS, async () =>
    (await verified()).every(({ ok }, index) => ok === model.tokens[index]?.isLive),
  );
}

async function statesAt(url: string, { tokens }: Model): Promise<string[]> {
  const answers = await Promise.all(tokens.map(({ value }) => introspectAt(url, application, value)));
  return answers.map(({ body }) => (body.active ? String(body.scope).split(" ").sort().join(" ") : "ended"));
}

const roles = fc.subarray([...Array(ROLES).keys()]);
const actions: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("assign" as const, "grant" as const), roles }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("define" as const),
      role: fc.nat(ROLES - 1),
      permissions: fc.subarray([...PERMISSIONS]),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("place" as const), isIn: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("base" as const), base: fc.constantFrom("member", "owner" as const) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("issue" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("refresh" as const),
      family: fc.nat(FAMILIES_MAX - 1),
      permissions: fc.subarray([...API_PERMISSIONS]),
      withdraws: fc.boolean(),
    }),
  },
);

/** Histories begin with a role and tokens, so that most withdrawals have an effect. */
const BEGUN: readonly Action[] = [
  { kind: "define", role: 0, permissions: PERMISSIONS },
  { kind: "assign", roles: [0] },
  { kind: "issue" },
];

test(
  "A withdrawn permission is refused by both replicas within a second, by verifiers within two, in tokens too (G235).",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(actions, { maxLength: ACTIONS_MAX, size: "max" }), async (history) => {
        const [system, model] = [await openSystem(), new Model()];
        for (const [step, action] of [...BEGUN, ...history].entries()) {
          const url = step % 2 === 0 ? at.one.url : at.other.url;
          if (action.kind === "issue") await issue(system, model, url);
          else if (action.kind === "refresh") await refresh(system, model, action, url);
          else await change(system, model, action, url);
          if (step >= BEGUN.length - 1) await expectModel(system, model);
        }
        const audits = () => ofSessions.verify(system.member.sessionToken, { permission: "audit.read" });
        await eventually("the verifier of sessions agrees", VERIFIED_MS, async () => {
          return (await audits()).ok === model.holds("audit.read");
        });
      }),
      { ...SETTINGS, endOnFailure: true },
    );
  },
  MODEL_MS,
);
