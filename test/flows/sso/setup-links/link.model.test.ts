/**
 * Sequences of set-up links, browsers, creators and ends against a model (G193 to G195): a link gives access to its
 * tasks, in one browser, and to nothing after its end. `MODEL_RUNS=10000` runs as many sequences, `MODEL_SEED` changes
 * the sequences.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { makeOpaqueToken } from "../../../../src/base/opaque-token.ts";
import { claimDomain } from "../../../../src/flows/organization-domains/claim.ts";
import { updateConnectionSettings } from "../../../../src/flows/sso/connections/update.ts";
import { beginSetup, previewSetupLink } from "../../../../src/flows/sso/setup-links/begin.ts";
import { createSetupConnection, requestActivation } from "../../../../src/flows/sso/setup-links/connection.ts";
import { finishSetupLink } from "../../../../src/flows/sso/setup-links/manage.ts";
import { authorizeSetupLink } from "../../../../src/flows/steps/authorization/authorize-setup-link.ts";
import { insertSetupLink } from "../../../../src/models/setup-link/setup-link.ts";
import { SETUP_INTENTS, type SetupIntent } from "../../../../src/vocabulary/setup-intent.ts";
import { clientAt, codeOf, HOUR_MS, registerAccount } from "../../../support/accounts.ts";
import { type Flows, openFlows } from "../../../support/flows.ts";
import { storeConnection } from "../../../support/sso-connections.ts";

const SETTINGS = { seed: Number(process.env.MODEL_SEED ?? 2612), numRuns: Number(process.env.MODEL_RUNS ?? 30) };
const LONG_RUN = 500;
const DEADLINE_MS = 7_200_000;
const BROWSERS = ["first", "second"] as const;
const ROLES = ["owner", "admin", "member"] as const;
const LIFE_MS = 72 * HOUR_MS;
const BROWSER_LIFE_MS = 8 * HOUR_MS;

type Browser = (typeof BROWSERS)[number];

/** A link as the contract describes links (docs/contract.md, section 29.51). */
interface ModelLink {
  readonly id: string;
  readonly token: string;
  readonly creator: number;
  readonly intents: readonly SetupIntent[];
  readonly secrets: Map<Browser, string>;
  leftMs: number;
  begunBy: Browser | undefined;
  begunForMs: number;
  hasEnded: boolean;
}

interface Creator {
  readonly userId: string;
  role: (typeof ROLES)[number];
  isDisabled: boolean;
}

let flows: Flows;
let organizationId: string;
let foreignConnection: string;
let creators: readonly Creator[];
/** Without successes the invariants would hold by chance. */
const successes = { begin: 0, use: 0, act: 0, refuse: 0 };

beforeAll(async () => {
  flows = await openFlows({}, { isPatient: SETTINGS.numRuns >= LONG_RUN });
  const [host, second, foreign] = [
    await registerAccount(flows),
    await registerAccount(flows),
    await registerAccount(flows),
  ];
  organizationId = host.organizationId;
  foreignConnection = await storeConnection(flows.sql, foreign.organizationId);
  await flows.sql`
    insert into members (organization_id, user_id, role, joined_at)
    values (${organizationId}, ${second.userId}, 'admin', now())`;
  creators = [host, second].map(({ userId }) => ({ userId, role: "owner", isDisabled: false }));
});
afterAll(() => flows.close());

class World {
  readonly links = new Map<number, ModelLink>();
  isSuspended = false;

  async open(): Promise<void> {
    await flows.sql`delete from sso_setup_links where organization_id = ${organizationId}`;
    await flows.sql`delete from sso_connections where organization_id = ${organizationId}`;
    await flows.sql`delete from organization_domains where organization_id = ${organizationId}`;
    await flows.sql`update organizations set suspended_at = null where id = ${organizationId}`;
    for (const creator of creators) {
      Object.assign(creator, { role: "owner", isDisabled: false });
      await storeCreator(creator);
    }
  }

  hasRights({ creator, intents }: ModelLink): boolean {
    const { role, isDisabled } = creators[creator] as Creator;
    return intents.length > 0 && !isDisabled && role !== "member" && !this.isSuspended;
  }

  isLive({ hasEnded, leftMs, begunBy, begunForMs }: ModelLink): boolean {
    return !hasEnded && leftMs > 0 && (begunBy === undefined || begunForMs < BROWSER_LIFE_MS);
  }

  /** A request that finds the link: without the rights of the creator the link ends for good. */
  admits(link: ModelLink, isFound: boolean): boolean {
    if (!isFound || !this.isLive(link)) return false;
    if (!this.hasRights(link)) link.hasEnded = true;
    return !link.hasEnded;
  }
}

async function storeCreator({ userId, role, isDisabled }: Creator): Promise<void> {
  const disabledAt = isDisabled ? new Date() : null;
  await flows.sql`
    update members set role = ${role} where user_id = ${userId} and organization_id = ${organizationId}`;
  await flows.sql`update users set disabled_at = ${disabledAt} where id = ${userId}`;
}

const slot = fc.constantFrom(0, 1);
const creator = fc.constantFrom(0, 1);
const browser = fc.constantFrom(...BROWSERS);
const intent = fc.constantFrom(...SETUP_INTENTS);
const kind = <Kind extends string>(name: Kind) => fc.constant(name);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind("create"),
      slot,
      creator,
      intents: fc.subarray([...SETUP_INTENTS], { minLength: 1 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind("preview"), slot }) },
  { weight: 4, arbitrary: fc.record({ kind: kind("begin"), slot, browser }) },
  { weight: 6, arbitrary: fc.record({ kind: kind("use"), slot, browser, intent }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind("act"),
      slot,
      browser,
      action: fc.constantFrom("claim", "connect", "steal", "request"),
    }),
  },
  fc.record({ kind: kind("finish"), slot, browser }),
  fc.record({ kind: kind("revoke"), slot }),
  { weight: 2, arbitrary: fc.record({ kind: kind("pass"), hours: fc.constantFrom(1, 7, 40) }) },
  fc.record({ kind: kind("role"), creator, role: fc.constantFrom(...ROLES) }),
  fc.record({ kind: kind("disable"), creator, isDisabled: fc.boolean() }),
  fc.record({ kind: kind("suspend"), isSuspended: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type StepOf<Kind extends Step["kind"]> = Extract<Step, { readonly kind: Kind }>;

async function create(world: World, { slot, creator, intents }: StepOf<"create">): Promise<void> {
  const link = { id: flows.deps.random.uuid(), token: makeOpaqueToken(flows.deps.random) };
  const createdAt = new Date(flows.clock.now());
  const expiresAt = new Date(createdAt.getTime() + LIFE_MS);
  const createdBy = (creators[creator] as Creator).userId;
  const made = { createdBy, createdByCredential: null, byPlatform: false, createdAt, expiresAt };
  const row = { ...link, organizationId, intents, email: null, ...made };
  await flows.sql`${insertSetupLink(flows.sql, row)}`;
  const state = { leftMs: LIFE_MS, begunBy: undefined, begunForMs: 0, hasEnded: false };
  world.links.set(slot, { ...link, creator, intents, secrets: new Map(), ...state });
}

/** The secret of a browser, or the guess of a browser that did not begin. */
const secretOf = ({ secrets, token }: ModelLink, browser: Browser) => secrets.get(browser) ?? token;

async function authorize(world: World, link: ModelLink, browser: Browser, intent?: SetupIntent) {
  const found = await authorizeSetupLink(flows.deps, secretOf(link, browser), intent);
  const isAdmitted = world.admits(link, link.begunBy === browser);
  const isTask = intent === undefined || link.intents.includes(intent);
  const wanted = isAdmitted ? (isTask ? "ok" : "forbidden") : "authentication_required";
  expect(codeOf(found)).toBe(wanted);
  if (!found.ok) {
    successes.refuse += 1;
    return undefined;
  }
  successes.use += 1;
  expect([found.value.link.id, found.value.caller.organizationId]).toEqual([link.id, organizationId]);
  return found.value;
}

const TASK_OF = { claim: "domains", connect: "connection", steal: "connection", request: "connection" } as const;

/** A link acts in its organization: one draft, and no connection that another person created. */
async function act(world: World, link: ModelLink, { browser, action }: StepOf<"act">): Promise<void> {
  const setup = await authorize(world, link, browser, TASK_OF[action]);
  if (!setup) return;
  successes.act += 1;
  const { deps } = flows;
  const client = clientAt();
  if (action === "claim") {
    const domain = `${crypto.randomUUID()}.test`;
    expect(codeOf(await claimDomain(deps, { caller: setup.caller, domain, client }))).toBe("ok");
    const [row] = await flows.sql`
      select organization_id, claimed_by, status from organization_domains where domain = ${domain}`;
    const claimedBy = creators[link.creator]?.userId;
    expect(row).toEqual({ organization_id: organizationId, claimed_by: claimedBy, status: "pending" });
  } else if (action === "connect") {
    const hadOne = setup.link.connectionId !== null;
    const settings = { name: "Mine", config: {} };
    const made = await createSetupConnection(deps, { setup, client, protocol: "oidc", preset: "custom", settings });
    expect(codeOf(made)).toBe(hadOne ? "conflict" : "ok");
  } else if (action === "request") {
    const wanted = setup.link.connectionId === null ? "not_found" : "conflict";
    expect(codeOf(await requestActivation(deps, { setup, client }))).toBe(wanted);
  } else {
    const change = { caller: setup.caller, connectionId: foreignConnection, client, unlinkIdentities: false };
    expect(codeOf(await updateConnectionSettings(deps, { ...change, settings: { name: "Stolen", config: {} } }))).toBe(
      "not_found",
    );
  }
}

async function pass(world: World, hours: number): Promise<void> {
  await flows.sql`
    update sso_setup_links set expires_at = expires_at - make_interval(hours => ${hours}),
                               begun_at = begun_at - make_interval(hours => ${hours})
    where organization_id = ${organizationId}`;
  for (const link of world.links.values()) {
    link.leftMs -= hours * HOUR_MS;
    if (link.begunBy) link.begunForMs += hours * HOUR_MS;
  }
}

/** A step about one link. */
async function takeOn(world: World, link: ModelLink, step: Exclude<Step, { readonly kind: "create" }>): Promise<void> {
  const { deps } = flows;
  const isWaiting = link.begunBy === undefined;
  if (step.kind === "preview") {
    const found = await previewSetupLink(deps, link.token);
    expect(found.ok).toBe(world.admits(link, isWaiting));
  } else if (step.kind === "begin") {
    const begun = await beginSetup(deps, { token: link.token, client: clientAt() });
    expect(begun.ok).toBe(world.admits(link, isWaiting));
    if (!begun.ok) return;
    successes.begin += 1;
    link.begunBy = step.browser;
    link.secrets.set(step.browser, begun.value);
    const thief = BROWSERS.find((each) => each !== step.browser) as Browser;
    link.secrets.set(thief, makeOpaqueToken(deps.random));
  } else if (step.kind === "use") await authorize(world, link, step.browser, step.intent);
  else if (step.kind === "act") await act(world, link, step);
  else if (step.kind === "finish") {
    const setup = await authorize(world, link, step.browser);
    if (!setup) return;
    const end = { caller: setup.caller, linkId: link.id, reason: "completed", client: clientAt() } as const;
    expect(codeOf(await finishSetupLink(deps, end))).toBe("ok");
    link.hasEnded = true;
  } else if (step.kind === "revoke") {
    await flows.sql`
      update sso_setup_links set ended_at = now(), end_reason = 'revoked' where id = ${link.id} and ended_at is null`;
    link.hasEnded = true;
  }
}

async function take(world: World, step: Step): Promise<void> {
  if (step.kind === "create") return await create(world, step);
  if (step.kind === "pass") return await pass(world, step.hours);
  if (step.kind === "role" || step.kind === "disable") {
    const creator = creators[step.creator] as Creator;
    Object.assign(creator, step.kind === "role" ? { role: step.role } : { isDisabled: step.isDisabled });
    return await storeCreator(creator);
  }
  if (step.kind === "suspend") {
    world.isSuspended = step.isSuspended;
    const at = step.isSuspended ? new Date() : null;
    await flows.sql`update organizations set suspended_at = ${at} where id = ${organizationId}`;
    return;
  }
  const link = world.links.get(step.slot);
  if (link) await takeOn(world, link, step);
}

/** Whatever happened, a link has added no member and no active connection, and changed no foreign connection. */
async function expectNothingElse(): Promise<void> {
  const [found] = await flows.sql`
    select (select count(*)::int from members where organization_id = ${organizationId}) as members,
           (select count(*)::int from sso_connections
            where organization_id = ${organizationId} and status <> 'draft') as "notDrafts",
           (select name from sso_connections where id = ${foreignConnection}) as foreign,
           (select count(*)::int from sso_policies where organization_id = ${organizationId}) as policies`;
  expect(found).toEqual({ members: 2, notDrafts: 0, foreign: "Acme", policies: 0 });
}

test(
  "A set-up link gives access to its tasks, in one browser, and to nothing after its end",
  async () => {
    const sequence = fc.array(step, { minLength: 6, maxLength: 16 });
    const opening: Step[] = [
      { kind: "create", slot: 0, creator: 0, intents: ["domains", "connection"] },
      { kind: "begin", slot: 0, browser: "first" },
    ];
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(sequence, fc.boolean(), async (steps, isBegun) => {
        runs += 1;
        if (runs % LONG_RUN === 0) process.stdout.write(`${runs} sequences\n`);
        const world = new World();
        await world.open();
        for (const each of [...(isBegun ? opening : opening.slice(0, 1)), ...steps]) await take(world, each);
        await expectNothingElse();
      }),
      SETTINGS,
    );
    for (const count of Object.values(successes)) expect(count).toBeGreaterThan(SETTINGS.numRuns / 10);
  },
  DEADLINE_MS,
);
