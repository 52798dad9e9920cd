/** `clients apply` without a process: what a set may change, and runs that fail half way (G110). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { NO_CLIENT } from "../../../../src/base/request-context.ts";
import { changeClient, createClient } from "../../../../src/flows/oauth/clients/administer-clients.ts";
import { applyClients, readPlan } from "../../../../src/flows/oauth/clients/apply-clients.ts";
import type { ClientPlan, PlanStep } from "../../../../src/flows/oauth/clients/client-plan.ts";
import { COMMAND_ADMINISTRATOR } from "../../../../src/flows/steps/authorization/authorize-client-administration.ts";
import { readClientSet } from "../../../../src/http/oauth/oauth-client-file.ts";
import { acquireLease } from "../../../../src/models/lease/lease.ts";
import type { OAuthClient } from "../../../../src/models/oauth-client/oauth-client.ts";
import { SECOND_MS, unwrap } from "../../../support/accounts.ts";
import { type Flows, openFlows } from "../../../support/flows.ts";

const URI = "https://app.example.test/callback";
const BY = { caller: COMMAND_ADMINISTRATOR, client: NO_CLIENT };
const [FIRST, SECOND] = ["2b1e7f1c-6f0f-4f6e-9a53-0d6f2f1b7a01", "2b1e7f1c-6f0f-4f6e-9a53-0d6f2f1b7a02"] as const;

const THIRD = "2b1e7f1c-6f0f-4f6e-9a53-0d6f2f1b7a03";
const OTHER_RUN = "2b1e7f1c-6f0f-4f6e-9a53-0d6f2f1b7aff";

let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

const wiki = (members: object = {}) => ({ preset: "web", name: "Wiki", redirect_uris: [URI], ...members });

function setOf(managed_by: string, ...clients: object[]) {
  const set = readClientSet({ managed_by, clients });
  if (!set.ok) throw new Error(set.error.map(({ path, text }) => `${path}: ${text}`).join());
  return set.value;
}

async function planOf(set: ReturnType<typeof setOf>): Promise<ClientPlan> {
  const plan = await readPlan(flows.deps, set, false);
  if (!plan.ok) throw new Error(JSON.stringify(plan.error));
  return plan.value;
}

interface Options {
  readonly prune?: boolean;
  readonly onPlan?: (plan: ClientPlan) => Promise<void>;
  readonly onStep?: (step: PlanStep) => Promise<void>;
}

/** The steps that were made, or the problem. */
async function apply(set: ReturnType<typeof setOf>, { prune = false, onPlan, onStep }: Options = {}) {
  const made: string[] = [];
  const outcome = await applyClients(flows.deps, {
    set,
    prune,
    onPlan: (plan) => onPlan?.(plan),
    async onStep(step) {
      made.push(step.action);
      await onStep?.(step);
    },
  });
  if (outcome.ok) return { made, flaws: [] };
  const { error } = outcome;
  const flaws = error.kind === "invalid" ? error.flaws.map(({ path, text }) => `${path}: ${text}`) : [];
  return { made, flaws, kind: error.kind, ...(error.kind === "refused" ? { code: error.refusal.code } : {}) };
}

async function stored(): Promise<readonly Pick<OAuthClient, "id" | "name" | "managedBy">[]> {
  return await flows.sql<OAuthClient[]>`
    select id, name, managed_by as "managedBy", (disabled_at is not null) as disabled, updated_at
    from oauth_clients order by name, id`;
}

async function byHand(name: string): Promise<string> {
  const [desired] = setOf("none", wiki({ name })).clients;
  if (!desired) throw new Error("no client");
  const settings = { ...desired.settings, managedBy: null };
  return unwrap(await createClient(flows.deps, { ...BY, settings })).client.id;
}

describe("a set", () => {
  test("takes over an application by client_id, and the plan displays the new owner", async () => {
    const id = await byHand("Taken over");
    const set = setOf("one", wiki({ name: "Taken over", client_id: id }));
    expect((await planOf(set)).steps).toMatchObject([
      { action: "update", differences: [{ setting: "managedBy", before: null, after: "one" }] },
    ]);
    expect((await apply(set)).made).toEqual(["update"]);
    expect((await apply(set)).made).toEqual([]);
  });

  test("takes over no application by the name alone", async () => {
    const id = await byHand("Namesake");
    const before = await stored();
    const refused = await apply(setOf("one", wiki({ name: "New" }), wiki({ name: "Namesake" })), { prune: true });
    expect(refused).toMatchObject({ kind: "invalid", made: [], flaws: [expect.stringContaining(id)] });
    expect(await stored()).toEqual(before);
  });

  test("changes no application of another set", async () => {
    await apply(setOf("two", wiki({ name: "Of two", client_id: FIRST })));
    const before = await stored();
    const refused = await apply(setOf("one", wiki({ name: "Stolen", client_id: FIRST })), { prune: true });
    expect(refused).toMatchObject({
      kind: "invalid",
      flaws: [expect.stringContaining("clients.0.client_id: the set two")],
    });
    expect(await stored()).toEqual(before);
  });

  test("has one entry for an application, by client_id or by name", async () => {
    await apply(setOf("three", wiki({ name: "Once", client_id: SECOND })));
    const before = await stored();
    for (const pair of [
      [wiki({ client_id: SECOND }), wiki({ client_id: SECOND.toUpperCase() })],
      [wiki({ name: "Twice" }), wiki({ name: "Twice" })],
      [wiki({ name: "Once" }), wiki({ name: "Renamed", client_id: SECOND })],
    ]) {
      const refused = await apply(setOf("three", ...pair));
      expect(refused.flaws).toEqual([expect.stringMatching(/^clients\.1\..*second entry/)]);
    }
    expect(await stored()).toEqual(before);
  });

  test("finds an application with an equal name after normalization, and changes nothing", async () => {
    expect((await apply(setOf("four", wiki({ name: "  Cafe\u0301 " })))).made).toEqual(["create"]);
    expect((await apply(setOf("four", wiki({ name: "  Cafe\u0301 " })))).made).toEqual([]);
  });

  test("resets a changed or omitted setting to the file, and a disabled application stays disabled", async () => {
    const set = setOf("five", wiki({ name: "Drifted" }));
    await apply(set);
    const [id = ""] = (await stored()).filter(({ name }) => name === "Drifted").map((each) => each.id);
    const change = { firstParty: true, redirectUris: [`${URI}/changed`], disabled: true };
    unwrap(await changeClient(flows.deps, { ...BY, id, change }));
    expect((await planOf(set)).steps).toMatchObject([
      { action: "update", differences: [{ setting: "redirectUris" }, { setting: "firstParty", after: false }] },
    ]);
    await apply(set);
    expect(await stored()).toContainEqual(expect.objectContaining({ name: "Drifted", disabled: true }));
    expect((await apply(setOf("five", wiki({ name: "Drifted", disabled: false })))).made).toEqual(["update"]);
    expect(await stored()).toContainEqual(expect.objectContaining({ name: "Drifted", disabled: false }));
  });
});

describe("a product in a set (G386)", () => {
  const grafana = (url: string) => ({ client_id: THIRD, preset: "grafana", inputs: { url, organization_id: SECOND } });
  const registration = async () => {
    const [row] = await flows.sql`
      select redirect_uris, preset, preset_inputs from oauth_clients where id = ${THIRD}`;
    return { uris: row?.redirect_uris, preset: row?.preset, url: row?.preset_inputs?.url };
  };

  test("creates the application, changes nothing in a second run, and follows an address that changed", async () => {
    const first = setOf("products", grafana("https://one.example.test"));
    expect((await apply(first)).made).toEqual(["create"]);
    expect((await apply(first)).made).toEqual([]);
    expect((await apply(setOf("products", grafana("https://two.example.test/")))).made).toEqual(["update"]);
    expect(await registration()).toEqual({
      uris: ["https://two.example.test/login/generic_oauth"],
      preset: "grafana",
      url: "https://two.example.test",
    });
    // Without the product in the file the members of the file decide, and the product stays on record.
    const plain = setOf("products", { ...wiki({ name: "Grafana" }), client_id: THIRD });
    expect((await apply(plain)).made).toEqual(["update"]);
    expect(await registration()).toEqual({ uris: [URI], preset: "grafana", url: "https://two.example.test" });
  });
});

describe("a change of the authentication method", () => {
  test("hands over the first secret of the application, and deletes the secrets of a public one", async () => {
    const secrets: (string | undefined)[] = [];
    const applied = async (preset: string) =>
      await applyClients(flows.deps, {
        set: setOf("methods", wiki({ name: "Method", preset })),
        prune: false,
        onPlan: () => undefined,
        onStep: (_, changed) => void secrets.push(changed?.secret),
      });
    for (const preset of ["spa", "web", "web", "spa"]) expect((await applied(preset)).ok).toBe(true);
    expect(secrets).toEqual([undefined, expect.stringMatching(/^[A-Za-z0-9_-]{43}$/), undefined]);
    const left = await flows.sql`
      select 1 from oauth_client_secrets s join oauth_clients c on c.id = s.client_id where c.name = 'Method'`;
    expect(left).toHaveLength(0);
  });
});

describe("a run", () => {
  test("stops at an application that an administrator changed after the plan; a repeated run completes", async () => {
    await apply(setOf("six", wiki({ name: "Six a" }), wiki({ name: "Six b" })));
    const renamed = setOf(
      "six",
      ...["Six a", "Six b"].map((name) => wiki({ name, logo_url: "https://app.example.test/logo.svg" })),
    );
    const outcome = await apply(renamed, {
      async onPlan(plan) {
        const [, second] = plan.steps;
        if (second?.action !== "update") throw new Error("no second update");
        flows.clock.advance(SECOND_MS);
        unwrap(await changeClient(flows.deps, { ...BY, id: second.client.id, change: { scopes: ["openid"] } }));
      },
    });
    expect(outcome).toMatchObject({ made: ["update"], kind: "refused", code: "conflict" });
    expect((await apply(renamed)).made).toEqual(["update"]);
    expect((await apply(renamed)).made).toEqual([]);
  });

  test("beside a holder of the lease is busy and has no effect; the lease of a crashed run expires", async () => {
    const lease = { name: "oauth_clients.apply", holder: OTHER_RUN, ms: 120_000 };
    await flows.deps.database.run("lease.take", (sql) => acquireLease(sql, lease));
    const before = await stored();
    expect(await apply(setOf("seven", wiki({ name: "Seven" })))).toMatchObject({ kind: "busy", made: [] });
    expect(await stored()).toEqual(before);
    await flows.sql`update leases set expires_at = now() - interval '1 second' where name = ${lease.name}`;
    expect((await apply(setOf("seven", wiki({ name: "Seven" })))).made).toEqual(["create"]);
    expect(await flows.sql`select 1 from leases where name = ${lease.name}`).toHaveLength(0);
  });

  test("stops when another run has taken the lease over", async () => {
    const outcome = await apply(setOf("eight", wiki({ name: "Eight a" }), wiki({ name: "Eight b" })), {
      async onStep() {
        await flows.sql`update leases set holder = ${OTHER_RUN} where name = 'oauth_clients.apply'`;
      },
    });
    expect(outcome).toMatchObject({ made: ["create"], kind: "refused", code: "conflict" });
    await flows.sql`delete from leases where name = 'oauth_clients.apply'`;
    expect((await apply(setOf("eight", wiki({ name: "Eight a" }), wiki({ name: "Eight b" })))).made).toEqual([
      "create",
    ]);
  });
});
