/** `clients …` against a database with two running replicas. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { type Deployment, deployment, eventually } from "../support/deployment.ts";
import { basic, CALLBACK, introspectAt, oauthAdmin, sendForm, type TestClient } from "../support/oauth.ts";
import { runService } from "../support/replica.ts";
import { redisUrl } from "../support/services.ts";

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
/** Shorter than the poll of the replicas: only the announcement explains a change within this time. */
const ANNOUNCED_MS = 3_000;

let at: Deployment;
let env: Record<string, string>;
let directory: string;
beforeAll(async () => {
  at = await deployment();
  env = { DATABASE_URL: at.databaseUrl, REDIS_URL: await redisUrl() };
  directory = mkdtempSync(join(tmpdir(), "identity-clients-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const clients = (...args: string[]) => runService(["clients", ...args], env);

/** Runs a command with `--json`, which must succeed. */
async function clientsJson(...args: string[]) {
  const { code, output } = await clients(...args, "--json");
  if (code !== 0) throw new Error(`clients ${args.join(" ")} exited with ${code}: ${output}`);
  return JSON.parse(output);
}

const MACHINE = ["--preset", "machine", "--scopes", "api:read"];

async function makeMachine(name: string): Promise<TestClient> {
  const { client_id, client_secret } = await clientsJson("create", "--name", name, ...MACHINE);
  return { id: client_id, secret: client_secret, redirectUri: "" };
}

/** Statuses of a token request at each replica. */
async function tokenStatuses(client: TestClient): Promise<readonly number[]> {
  const fields = { grant_type: "client_credentials", scope: "api:read" };
  const request = async (url: string) => (await sendForm(url, "/oauth2/token", fields, basic(client))).status;
  return [await request(at.one.url), await request(at.other.url)];
}

async function expectStatuses(client: TestClient, status: number): Promise<void> {
  await eventually(`both replicas respond with ${status}`, ANNOUNCED_MS, async () => {
    return (await tokenStatuses(client)).every((each) => each === status);
  });
}

async function recordsOf(id: string) {
  const rows = await at.sql`
    select action, actor_type, actor_id from audit_logs
    where resource_type = 'oauth_client' and resource_id = ${id} order by id`;
  return rows.map(({ action, actor_type, actor_id }) => [action, actor_type, actor_id]);
}

/** All state of clients, except of clients that other files use. */
async function stateOf(names: readonly string[]) {
  const rows = await at.sql`
    select c.*, (select count(*)::int from oauth_client_secrets s where s.client_id = c.id) as secrets
    from oauth_clients c where c.name = any(${[...names]}) order by c.name, c.id`;
  const [{ count = 0 } = {}] = await at.sql`
    select count(*)::int as count from audit_logs where actor_type = 'system' and action like 'oauth.client.%'`;
  return { rows: [...rows], count };
}

describe("clients create, update, rotate, delete, list", () => {
  test("a created client works at once on both replicas, and the record has the actor system", async () => {
    const machine = await makeMachine("Night shift");
    await expectStatuses(machine, 200);
    expect(await recordsOf(machine.id)).toEqual([["oauth.client.created", "system", null]]);
    const [audited] = await at.sql`select metadata from audit_logs where resource_id = ${machine.id}`;
    expect(audited?.metadata).toMatchObject({ source: "command" });
    const listed = await clientsJson("list");
    const found = listed.find((each: { client_id: string }) => each.client_id === machine.id);
    expect(found).toMatchObject({ name: "Night shift", grant_types: ["client_credentials"], managed_by: null });
    expect(JSON.stringify(listed)).not.toContain(machine.secret);
    expect((await clients("list")).output).toContain(`${machine.id}  enabled   client_secret_basic  Night shift`);
  });

  test("rotate keeps the old secret valid until rotate --complete", async () => {
    const machine = await makeMachine("Rotated");
    const { client_secret, secrets } = await clientsJson("rotate", machine.id);
    expect(secrets).toHaveLength(2);
    const renewed = { ...machine, secret: client_secret };
    for (const each of [machine, renewed]) await expectStatuses(each, 200);
    const third = await clients("rotate", machine.id);
    expect([third.code, third.output]).toEqual([1, expect.stringContaining("already 2 secrets")]);
    expect((await clientsJson("rotate", machine.id, "--complete")).secrets).toHaveLength(1);
    await expectStatuses(machine, 401);
    await expectStatuses(renewed, 200);
    const actions = (await recordsOf(machine.id)).map(([action]) => action);
    expect(actions).toEqual(["oauth.client.created", "oauth.client.secret_created", "oauth.client.secret_deleted"]);
  });

  test("update disables and enables a client, delete ends the client; tokens end with the client", async () => {
    const machine = await makeMachine("Switched");
    await expectStatuses(machine, 200);
    const tokens = await sendForm(at.one.url, "/oauth2/token", { grant_type: "client_credentials" }, basic(machine));
    const isActive = async () => (await introspectAt(at.other.url, machine, tokens.body.access_token)).body.active;
    expect(await isActive()).toBe(true);
    expect((await clients("update", machine.id, "--disabled", "true")).code).toBe(0);
    await expectStatuses(machine, 401);
    expect((await clients("update", machine.id, "--disabled", "false", "--name", "Renamed")).code).toBe(0);
    await expectStatuses(machine, 200);
    expect(await isActive()).toBe(false);
    expect((await clients("delete", machine.id.toUpperCase())).output).toBe(`${machine.id}: deleted\n`);
    await expectStatuses(machine, 401);
    expect(await at.sql`select 1 from oauth_clients where id = ${machine.id}`).toHaveLength(0);
  });

  test.each([
    [1, ["create", "--name", "No URI", "--preset", "web"], "redirect_uris"],
    [1, ["create", "--name", "Wrong", "--preset", "spa", "--redirect-uris", "http://other.example.test/"], "loopback"],
    [2, ["create", "--name", "Wrong", "--preset", "tablet"], "preset"],
    [2, ["create", "--name", "Wrong"], "token_endpoint_auth_method"],
    [2, ["create", "--preset", "machine"], "name"],
    [2, ["create", "--name", "Wrong", "--preset", "machine", "--first-party", "yes"], "first_party"],
    [2, ["create", "--name", "Wrong", "--preset", "machine", "--client-id", "wiki"], "client_id"],
    [2, ["update", UNKNOWN], "at least one setting"],
    [1, ["update", UNKNOWN, "--name", "Wrong"], "no such application"],
    [2, ["update", "wiki", "--name", "Wrong"], "UUID"],
    [1, ["rotate", UNKNOWN], "no such application"],
    [1, ["delete", UNKNOWN], "no such application"],
  ])("exit code %i: clients %j, and nothing changes", async (expected, args, named) => {
    const before = await stateOf(["Wrong", "No URI"]);
    const { code, output } = await clients(...args);
    expect([code, output]).toEqual([expected, expect.stringContaining(named)]);
    expect(await stateOf(["Wrong", "No URI"])).toEqual(before);
  });

  test("--secrets-to writes the secret to a file of mode 0600, and never to a file that others may read", async () => {
    const path = join(directory, "secrets.ndjson");
    const { code, output } = await clients("create", "--name", "Filed", ...MACHINE, "--secrets-to", path);
    expect([code, output]).toEqual([0, expect.not.stringContaining("client_secret")]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const line = JSON.parse(readFileSync(path, "utf8"));
    await expectStatuses({ id: line.client_id, secret: line.client_secret, redirectUri: "" }, 200);
    chmodSync(path, 0o644);
    const before = await stateOf(["Filed"]);
    const refused = await clients("create", "--name", "Filed", ...MACHINE, "--secrets-to", path);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining("0600")]);
    expect(await stateOf(["Filed"])).toEqual(before);
  });
});

describe("clients apply", () => {
  const WIKI = "2b1e7f1c-6f0f-4f6e-9a53-0d6f2f1b7a11";

  function fileOf(content: object, name = "clients.yaml"): string {
    const path = join(directory, name);
    writeFileSync(path, name.endsWith(".json") ? JSON.stringify(content) : stringify(content));
    return path;
  }

  const wiki = { client_id: WIKI, preset: "web", name: "Applied wiki", redirect_uris: [CALLBACK] };
  const job = { preset: "machine", name: "Applied job", scopes: ["api:read"] };
  const NAMES = [wiki.name, job.name, "Applied docs"];

  test("--dry-run prints the difference without a change; apply prints each secret once (G110)", async () => {
    const path = fileOf({ managed_by: "first", clients: [wiki, job] });
    const before = await stateOf(NAMES);
    const planned = await clients("apply", path, "--dry-run");
    expect(planned.output).toContain(`+ create ${WIKI}  Applied wiki`);
    expect(planned.output).toContain(`    redirect_uris: ["${CALLBACK}"]`);
    expect(planned.output).toContain("2 to create, 0 to update, 0 to delete, 0 unchanged.");
    expect(await stateOf(NAMES)).toEqual(before);
    const { code, output } = await clients("apply", path);
    expect(code).toBe(0);
    const secrets = [...output.matchAll(/^(\S+): created, .*: ([A-Za-z0-9_-]{43})$/gm)];
    expect(secrets.map(([, id]) => id)[0]).toBe(WIKI);
    const [, [, id = "", secret = ""] = []] = secrets;
    await expectStatuses({ id, secret, redirectUri: "" }, 200);
    const applied = await stateOf(NAMES);
    expect(applied.rows.map(({ name, managed_by, secrets: count }) => [name, managed_by, count])).toEqual([
      [job.name, "first", 1],
      [wiki.name, "first", 1],
    ]);
    expect(await recordsOf(WIKI)).toEqual([["oauth.client.created", "system", null]]);
    // As JSON, and without an announcement or a record: the file says what is registered.
    const again = await clients("apply", fileOf({ managed_by: "first", clients: [wiki, job] }, "clients.json"));
    expect(again).toEqual({ code: 0, output: "No changes.\n" });
    expect(await stateOf(NAMES)).toEqual(applied);
  });

  test("--prune deletes the omitted clients of the set, named first, and no further client", async () => {
    const admin = await oauthAdmin();
    const byHand = { name: "By hand", token_endpoint_auth_method: "none", redirect_uris: [CALLBACK] };
    const { client_id: outside } = (await admin.post("/v1/admin/oauth-clients", byHand)).body;
    await clients("apply", fileOf({ managed_by: "other", clients: [{ ...job, name: "Of the other set" }] }));
    const docs = { preset: "spa", name: "Applied docs", redirect_uris: [CALLBACK] };
    const path = fileOf({ managed_by: "first", clients: [docs] });
    const kept = await clients("apply", path);
    expect([kept.code, kept.output]).toEqual([0, expect.stringContaining("2 of the set not in the file")]);
    const before = await stateOf([...NAMES, "By hand"]);
    const planned = await clients("apply", path, "--prune", "--dry-run");
    expect(planned.output.split("\n").slice(0, 2).sort()).toEqual([
      expect.stringMatching(/^- delete \S+ {2}Applied job$/),
      `- delete ${WIKI}  Applied wiki`,
    ]);
    expect(await stateOf([...NAMES, "By hand"])).toEqual(before);
    const pruned = await clients("apply", path, "--prune");
    expect([pruned.code, pruned.output]).toEqual([0, expect.stringContaining(`${WIKI}: deleted`)]);
    const left = await stateOf([...NAMES, "By hand", "Of the other set"]);
    expect(left.rows.map(({ name }) => name)).toEqual(["Applied docs", "By hand", "Of the other set"]);
    expect(left.rows[1]?.id).toBe(outside);
  });

  test("of two parallel runs both succeed, and each application is made once (G110)", async () => {
    const names = Array.from({ length: 4 }, (_, index) => `Raced ${index}`);
    const path = fileOf({ managed_by: "raced", clients: names.map((name) => ({ ...job, name })) }, "raced.yaml");
    const runs = await Promise.all([clients("apply", path), clients("apply", path)]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    const outputs = runs.map(({ output }) => output).sort();
    expect(outputs).toEqual([expect.stringContaining("4 to create"), "No changes.\n"]);
    const { rows } = await stateOf(names);
    expect(rows.map(({ name, secrets }) => [name, secrets])).toEqual(names.map((name) => [name, 1]));
    expect(await at.sql`select 1 from leases where name = 'oauth_clients.apply'`).toHaveLength(0);
  });

  test("exit code 1: a file with flaws changes nothing, and every flaw is named with the path (G110)", async () => {
    const path = fileOf({
      managed_by: "flawed",
      clients: [
        { ...job, name: "Flawed job" },
        { ...wiki, client_id: "wiki", redirect_urls: [] },
        { preset: "web", name: "Flawed", redirect_uris: ["http://other.example.test/"] },
      ],
    });
    const before = await stateOf(["Flawed job", "Flawed"]);
    const { code, output } = await clients("apply", path);
    expect(code).toBe(1);
    expect(output).toContain("clients.1.client_id: ");
    expect(output).toContain("clients.1.redirect_urls: unknown member");
    const fixed = {
      managed_by: "flawed",
      clients: [
        { ...job, name: "Flawed job" },
        { ...wiki, redirect_uris: [] },
      ],
    };
    const refused = await clients("apply", fileOf(fixed));
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining("clients.1.redirect_uris: ")]);
    expect(await stateOf(["Flawed job", "Flawed"])).toEqual(before);
  });

  test("--secrets-to keeps new secrets out of the output, and --json is one JSON document", async () => {
    const secretsPath = join(directory, "applied.ndjson");
    const path = fileOf({ managed_by: "filed", clients: [{ ...job, name: "Applied to a file" }] });
    const body = await clientsJson("apply", path, "--secrets-to", secretsPath);
    expect(body).toMatchObject({ changes: [{ action: "create", name: "Applied to a file" }], secrets: [] });
    const line = JSON.parse(readFileSync(secretsPath, "utf8"));
    await expectStatuses({ id: line.client_id, secret: line.client_secret, redirectUri: "" }, 200);
    const missing = await clients("apply", path, "--secrets-to", join(directory, "none/secrets"));
    expect([missing.code, existsSync(join(directory, "none"))]).toEqual([1, false]);
  });
});

describe("resources apply", () => {
  const API = "https://applied.commands.example.test/mcp";
  const api = {
    identifier: API,
    name: "Applied API",
    signing_alg: "ES256",
    scopes: [{ name: "notes:read", description_en: "read your notes", permission: "notes.read", public: true }],
  };
  const apply = (content: object, ...args: string[]) => {
    const path = join(directory, "resources.yaml");
    writeFileSync(path, stringify(content));
    return runService(["resources", "apply", path, ...args], env);
  };
  const rows = () => at.sql`select name, signing_alg, scopes, disabled from oauth_resources where identifier = ${API}`;

  test("--dry-run prints the difference; a run makes all changes or none, and a repeated run makes none", async () => {
    const planned = await apply({ resources: [api] }, "--dry-run");
    expect([planned.code, (await rows()).length]).toEqual([0, 0]);
    expect(planned.output).toContain(`+ create ${API}  Applied API\n`);
    expect(planned.output).toContain(`    signing_alg: "ES256"\n`);
    expect(planned.output).toContain("1 to create, 0 to update, 0 unchanged.");
    const flawed = { ...api, identifier: "https://flawed.commands.example.test/", token_lifetime_seconds: 5 };
    const refused = await apply({ resources: [api, flawed, { ...api, colour: "red" }] });
    expect([refused.code, (await rows()).length]).toEqual([1, 0]);
    expect(refused.output).toContain("resources.2.colour: unknown member");
    const outOfRange = await apply({ resources: [api, flawed, api] });
    expect([outOfRange.code, (await rows()).length]).toEqual([1, 0]);
    expect(outOfRange.output).toContain("resources.1.token_lifetime_seconds: at least 60");
    expect(outOfRange.output).toContain("resources.2.identifier: a second entry for the API");

    expect((await apply({ resources: [api] })).code).toBe(0);
    expect(await rows()).toMatchObject([{ name: "Applied API", signing_alg: "ES256", disabled: false }]);
    expect((await apply({ resources: [api] })).output).toContain("No changes.");
    await at.sql`update oauth_resources set disabled = true where identifier = ${API}`;
    const changed = await apply({ resources: [{ ...api, name: "Renamed API", signing_alg: "RS256" }] }, "--json");
    expect(JSON.parse(changed.output).changes).toMatchObject([
      {
        action: "update",
        differences: [{ member: "name" }, { member: "signing_alg", before: "ES256", after: "RS256" }],
      },
    ]);
    expect(await rows()).toMatchObject([{ name: "Renamed API", signing_alg: "RS256", disabled: true }]);
    const records = await at.sql`
      select action, actor_type from audit_logs where metadata ->> 'identifier' = ${API} order by id`;
    expect(records.map(({ action, actor_type }) => [action, actor_type])).toEqual([
      ["oauth.resource.created", "system"],
      ["oauth.resource.updated", "system"],
    ]);
  });

  test("A product has the settings and claims of its preset, and a second run makes no change (G386).", async () => {
    const identifier = "https://hasura.commands.example.test";
    const inputs = { url: identifier, organization_id: UNKNOWN };
    const stored = async () => {
      const [row] = await at.sql`
        select name, organizations, claim_mappings, preset, preset_inputs from oauth_resources
        where identifier = ${identifier}`;
      return row;
    };
    const refused = await apply({ resources: [{ preset: "hasura", inputs: { url: identifier } }, { preset: "web" }] });
    expect([refused.code, await stored()]).toEqual([1, undefined]);
    expect(refused.output).toContain("resources.0.inputs.organization_id: is required");
    expect(refused.output).toContain("resources.1.preset: no preset of this kind");
    const product = { preset: "hasura", inputs, name: "Reports" };
    expect((await apply({ resources: [product] })).output).toContain(`+ create ${identifier}  Reports`);
    const registration = { name: "Reports", organizations: [UNKNOWN], preset: "hasura", preset_inputs: inputs };
    expect(await stored()).toMatchObject({
      ...registration,
      claim_mappings: [{ claim: "https://hasura.io/jwt/claims" }],
    });
    expect((await apply({ resources: [product] })).output).toContain("No changes.");
    const plain = { identifier, name: "Reports", scopes: [] };
    expect((await apply({ resources: [plain] })).output).toContain("1 to update");
    expect(await stored()).toMatchObject({ ...registration, organizations: null, claim_mappings: [] });
    expect((await apply({ resources: [product] })).output).toContain("1 to update");
    expect(await stored()).toMatchObject(registration);
  });

  test("A file of applications connects a product by its preset (G386).", async () => {
    const path = join(directory, "products.yaml");
    const inputs = { url: "https://grafana.commands.example.test", organization_id: UNKNOWN };
    writeFileSync(path, stringify({ managed_by: "products", clients: [{ preset: "grafana", inputs }] }));
    const body = await clientsJson("apply", path);
    expect(body.changes).toMatchObject([{ action: "create", name: "Grafana" }]);
    expect(body.secrets).toHaveLength(1);
    const admin = await oauthAdmin();
    const id = body.secrets[0].client_id;
    const setup = (await admin.get(`/v1/admin/oauth-clients/${id}/setup`)).body.text;
    expect(setup).toContain("root_url = https://grafana.commands.example.test");
    expect((await clientsJson("apply", path)).changes).toEqual([]);
  });

  test("--prune deletes the unlisted APIs of the set, and no API of a further set or of the console", async () => {
    const kept = "https://kept.commands.example.test/";
    const pruned = "https://pruned.commands.example.test/";
    const set = (managed_by: string, ...identifiers: string[]) => ({
      managed_by,
      resources: identifiers.map((identifier) => ({ identifier, name: "API of a set", scopes: [] })),
    });
    expect((await apply(set("notes", kept, pruned))).code).toBe(0);
    expect((await apply({ resources: [api] }, "--prune", "--dry-run")).output).toContain("is required with --prune");
    const foreign = await apply(set("mail", kept), "--prune");
    expect([foreign.code, foreign.output]).toEqual([1, expect.stringContaining("the set notes manages the API")]);
    const deleted = await apply(set("notes", kept), "--prune");
    expect(deleted.output).toContain(`- delete ${pruned}  API of a set\n`);
    expect(deleted.output).toContain("0 to create, 0 to update, 1 to delete, 1 unchanged.");
    const left = await at.sql`
      select identifier, managed_by from oauth_resources where identifier in ${at.sql([kept, pruned, API])}`;
    expect(Object.fromEntries(left.map(({ identifier, managed_by }) => [identifier, managed_by]))).toEqual({
      [kept]: "notes",
      [API]: null,
    });
  });
});
