/**
 * Model of joining by a verified domain (G224): fast-check generates histories of domains, policies, single sign-on,
 * addresses, requests, decisions, removals and deactivations over two replicas. Each response equals the response of
 * the model, and the members are those of the model. `MODEL_SEED` and `MODEL_RUNS` override seed and number of runs.
 */
import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Answer, type Client, registered } from "../support/client.ts";
import { type Deployment, deployment } from "../support/deployment.ts";
import { memberOf } from "../support/team.ts";

const SETTINGS = { seed: Number(process.env.MODEL_SEED ?? 2614), numRuns: Number(process.env.MODEL_RUNS ?? 8) };
const ACTIONS_MAX = 40;
const USERS = 2;
const DOMAINS = 2;
/** Histories between two set-ups: the same users would reach their limits. */
const HISTORIES_PER_SYSTEM = 20;
const MODEL_MS = 60_000 + SETTINGS.numRuns * 5_000;

const PROOFS = ["none", "listed", "verified", "controlled"] as const;
const MODES = ["off", "ask", "join"] as const;
type Proof = (typeof PROOFS)[number];
type Mode = (typeof MODES)[number];
/** `absent`: the organization does not claim the domain. */
type Domain = "absent" | "failing" | "lost" | "pending" | "verified";
type DomainChange = "claim" | "fail" | "lose" | "release" | "verify";

type Action =
  | { readonly kind: "ask" | "approve" | "deny" | "leave" | "list" | "remove"; readonly user: number }
  | { readonly kind: "forget-denial" | "forget-removal"; readonly user: number }
  | { readonly kind: "deactivate"; readonly user: number; readonly by: "account" | "address"; readonly active: boolean }
  | { readonly kind: "address"; readonly user: number; readonly domain: number; readonly proof: Proof }
  | { readonly kind: "domain"; readonly domain: number; readonly change: DomainChange }
  | { readonly kind: "mode"; readonly mode: Mode }
  | { readonly kind: "sso"; readonly required: boolean };

interface ModelUser {
  readonly proofs: Proof[];
  isMember: boolean;
  wasRemoved: boolean;
  /** The record of the directory, linked to the account or naming the address in the first domain. */
  record: { readonly by: "account" | "address"; readonly active: boolean } | undefined;
  request: "denied" | "open" | undefined;
}

class Model {
  mode: Mode = "off";
  isSsoRequired = false;
  readonly domains: Domain[] = Array.from({ length: DOMAINS }, () => "absent" as const);
  readonly users: ModelUser[] = Array.from({ length: USERS }, () => ({
    proofs: Array.from({ length: DOMAINS }, () => "none" as const),
    isMember: false,
    wasRemoved: false,
    record: undefined,
    request: undefined,
  }));

  user(index: number): ModelUser {
    const user = this.users[index];
    if (!user) throw new Error(`no user ${index}`);
    return user;
  }

  private isDeactivated({ proofs, record }: ModelUser): boolean {
    if (!record || record.active) return false;
    return record.by === "account" || proofs[0] === "verified" || proofs[0] === "controlled";
  }

  canJoin(user: ModelUser): boolean {
    const isProven = [...this.domains.entries()].some(
      ([domain, status]) => (status === "verified" || status === "failing") && user.proofs[domain] === "controlled",
    );
    return this.mode !== "off" && isProven && !user.isMember && !user.wasRemoved && !this.isDeactivated(user);
  }

  /** The response of an action of a user or member, after which the model has the effects of the action. */
  respond(kind: "approve" | "ask" | "deny" | "leave" | "remove", user: ModelUser): number | string {
    switch (kind) {
      case "ask":
        return this.ask(user);
      case "approve":
        if (user.request !== "open") return 404;
        if (!this.canJoin(user) || this.isSsoRequired) return "409 conflict";
        admit(user);
        return 204;
      case "deny":
        if (user.request !== "open") return 404;
        user.request = "denied";
        return 204;
      default:
        if (!user.isMember) return 404;
        // The directory manages the membership of a linked account.
        if (user.record?.by === "account") return "409 conflict";
        user.isMember = false;
        user.wasRemoved = kind === "remove";
        return 204;
    }
  }

  private ask(user: ModelUser): number | string {
    if (!this.canJoin(user)) return "404 not_found";
    if (this.isSsoRequired) return "403 sso_required";
    if (this.mode === "join") {
      admit(user);
      return 201;
    }
    if (user.request === "denied") return "409 conflict";
    user.request = "open";
    return 202;
  }
}

function admit(user: ModelUser): void {
  user.isMember = true;
  user.request = undefined;
}

interface Person {
  readonly client: Client;
  readonly userId: string;
}

interface System {
  readonly host: Person & { readonly organizationId: string };
  readonly people: readonly Person[];
  readonly domains: readonly string[];
}

let at: Deployment;
beforeAll(async () => {
  at = await deployment();
});

let systems = 0;
async function openSystem(): Promise<System> {
  systems += 1;
  const [host, ...people] = await Promise.all(Array.from({ length: 1 + USERS }, () => registered(at.one.url)));
  if (!host) throw new Error("no host");
  const userIds = [host, ...people].map(({ userId }) => userId);
  await at.sql`update users set email_verified_at = now(), controlled_at = now() where id = any(${userIds})`;
  const names = Array.from({ length: DOMAINS }, (_, index) => `model-${process.pid}-${systems}-${index}.test`);
  return { host, people, domains: names };
}

/** Returns the organization and the users to the state before the first action. */
async function reset({ host, people, domains }: System): Promise<void> {
  const { organizationId, userId } = host;
  const userIds = people.map((each) => each.userId);
  await at.sql`delete from members where organization_id = ${organizationId} and user_id <> ${userId}`;
  await at.sql`delete from member_removals where organization_id = ${organizationId}`;
  await at.sql`delete from domain_join_requests where organization_id = ${organizationId}`;
  await at.sql`delete from organization_domains where organization_id = ${organizationId}`;
  await at.sql`delete from directories where organization_id = ${organizationId}`;
  await at.sql`delete from sso_policies where organization_id = ${organizationId}`;
  await at.sql`delete from user_emails where user_id = any(${userIds}) and address_domain(email) = any(${domains})`;
  await at.sql`
    update sessions set aal = 'aal2', mfa_verified_at = now(), auth_time = now() where user_id = ${userId}`;
  await at.sql`
    insert into directories (id, organization_id, status, default_role, outside_domains, role_source, revision,
                             created_at, updated_at)
    values (gen_random_uuid(), ${organizationId}, 'active', 'member', 'refuse', 'none', 1, now(), now())`;
  await setMode(host, "off");
}

async function setMode({ client, organizationId }: System["host"], mode: Mode): Promise<void> {
  const saved = await client.put(`/v1/orgs/${organizationId}/policies`, { domain_join: mode });
  expect([saved.status, saved.text]).toEqual([200, expect.any(String)]);
}

/** The address of a user in a domain of the model. */
const addressOf = (user: number, domain: string) => `person-${user}@${domain}`;

async function changeAddress(system: System, { user, domain, proof }: Action & { kind: "address" }): Promise<void> {
  const userId = system.people[user]?.userId ?? "";
  const email = addressOf(user, system.domains[domain] ?? "");
  await at.sql`delete from user_emails where user_id = ${userId} and email = ${email}`;
  if (proof === "none") return;
  const verifiedAt = proof === "listed" ? null : new Date();
  const controlledAt = proof === "controlled" ? new Date() : null;
  await at.sql`
    insert into user_emails (id, user_id, email, "primary", verified_at, controlled_at, created_at)
    values (gen_random_uuid(), ${userId}, ${email}, false, ${verifiedAt}, ${controlledAt}, now())`;
}

/** The change of a domain; undefined: the domain has no such change in its status. */
function statusAfter(status: Domain, change: DomainChange): Domain | undefined {
  const isProven = status === "verified" || status === "failing";
  switch (change) {
    case "claim":
      return status === "absent" ? "pending" : undefined;
    case "verify":
      return status === "pending" ? "verified" : undefined;
    case "release":
      return status === "absent" ? undefined : "absent";
    case "fail":
      return isProven ? "failing" : undefined;
    case "lose":
      return isProven ? "lost" : undefined;
  }
}

async function changeDomain({ host, domains }: System, index: number, change: DomainChange): Promise<void> {
  const { client, organizationId } = host;
  const [path, domain] = [`/v1/orgs/${organizationId}/domains`, domains[index] ?? ""];
  if (change === "claim") {
    const claimed = await client.post(path, { domain });
    expect([claimed.status, claimed.body.status]).toEqual([201, "pending"]);
    at.dns.setTxt(claimed.body.record_name, claimed.body.record_value);
    return;
  }
  const [row] = await at.sql`
    select id from organization_domains where organization_id = ${organizationId} and domain = ${domain}`;
  if (change === "verify") {
    const verified = await client.post(`${path}/${row?.id}/verify`);
    expect([verified.status, verified.body.status]).toEqual([200, "verified"]);
  } else if (change === "release") expect((await client.delete(`${path}/${row?.id}`)).status).toBe(204);
  else {
    const [status, missingSince] = change === "fail" ? ["failing", new Date()] : ["lost", null];
    await at.sql`
      update organization_domains set status = ${status}, missing_since = ${missingSince} where id = ${row?.id}`;
  }
}

async function requireSso({ host }: System, required: boolean): Promise<void> {
  const mode = required ? "required" : "optional";
  await at.sql`
    insert into sso_policies (organization_id, mode, guests, break_glass, jit, default_role, role_rules, sync,
                              require_own_factor, revision, updated_at)
    values (${host.organizationId}, ${mode}, 'own_methods', '{}', 'on', 'member', '[]', 'always', false, 1, now())
    on conflict (organization_id) do update set mode = excluded.mode`;
}

/** A deactivated record that is linked to the account, or that names the user's address in the first domain. */
async function deactivate(system: System, { user, by, active }: Action & { kind: "deactivate" }): Promise<void> {
  const { host, people, domains } = system;
  const userId = people[user]?.userId ?? "";
  const address = addressOf(user, domains[0] ?? "");
  const name = `record-${userId}`;
  await at.sql`
    delete from directory_users where user_name_key = ${name}
      and directory_id in (select id from directories where organization_id = ${host.organizationId})`;
  const [keys, account, link] = by === "account" ? [[], userId, "member"] : [[address], null, "none"];
  await at.sql`
    insert into directory_users (id, directory_id, user_name, user_name_key, active, document, email_keys, user_id,
                                 link, version, created_at, updated_at)
    select gen_random_uuid(), d.id, ${name}, ${name}, ${active}, '{}', ${keys}, ${account}, ${link}, 1, now(), now()
    from directories d where d.organization_id = ${host.organizationId}`;
}

/** Sends an action of a user or member. */
async function send({ host, people }: System, kind: string, user: number, url: string): Promise<Answer> {
  const { client, userId } = people[user] ?? host;
  const { organizationId } = host;
  const inviter = host.client.at(url);
  if (kind === "ask") return await client.at(url).post(`/v1/orgs/${organizationId}/join`);
  if (kind === "leave") return await client.at(url).delete(memberOf(organizationId, userId));
  if (kind === "remove") return await inviter.delete(memberOf(organizationId, userId));
  const [row] = await at.sql`
    select id from domain_join_requests where organization_id = ${organizationId} and user_id = ${userId}`;
  return await inviter.post(`/v1/orgs/${organizationId}/join-requests/${row?.id ?? crypto.randomUUID()}/${kind}`);
}

const outcome = ({ status, body }: Answer) => (status < 300 ? status : `${status} ${body?.error?.code}`);
const sameAs = (expected: number | string) => (expected === 404 ? "404 not_found" : expected);

async function perform(system: System, model: Model, action: Action, url: string): Promise<void> {
  switch (action.kind) {
    case "mode":
      model.mode = action.mode;
      return await setMode(system.host, action.mode);
    case "sso":
      model.isSsoRequired = action.required;
      return await requireSso(system, action.required);
    case "domain": {
      const status = statusAfter(model.domains[action.domain] ?? "absent", action.change);
      if (status === undefined) return;
      model.domains[action.domain] = status;
      return await changeDomain(system, action.domain, action.change);
    }
    case "address":
      model.user(action.user).proofs[action.domain] = action.proof;
      return await changeAddress(system, action);
    case "deactivate":
      model.user(action.user).record = action;
      return await deactivate(system, action);
    default:
      return await performOfUser(system, model, action, url);
  }
}

async function performOfUser(
  system: System,
  model: Model,
  { kind, user: index }: Exclude<Action, { readonly kind: "address" | "deactivate" | "domain" | "mode" | "sso" }>,
  url: string,
): Promise<void> {
  const { organizationId } = system.host;
  const [person, user] = [system.people[index] ?? system.host, model.user(index)];
  const { client, userId } = person;
  if (kind === "list") {
    const { body } = await client.at(url).get("/v1/users/me/joinable-organizations");
    const shown = { organization_id: organizationId, mode: model.mode, request: user.request ?? null };
    expect(body.items).toMatchObject(model.canJoin(user) ? [shown] : []);
    expect(body.total).toBe(model.canJoin(user) ? 1 : 0);
  } else if (kind === "forget-removal") {
    user.wasRemoved = false;
    await at.sql`
      update member_removals set removed_at = now() - interval '181 days'
      where organization_id = ${organizationId} and user_id = ${userId}`;
  } else if (kind === "forget-denial") {
    user.request = undefined;
    await at.sql`
      update domain_join_requests set expires_at = now() - interval '1 second'
      where organization_id = ${organizationId} and user_id = ${userId}`;
  } else {
    const expected = sameAs(model.respond(kind, user));
    expect(outcome(await send(system, kind, index, url))).toBe(expected);
  }
}

/** The users of the model who are members. */
async function membersIn({ host, people }: System): Promise<boolean[]> {
  const rows = await at.sql`select user_id from members where organization_id = ${host.organizationId}`;
  return people.map(({ userId }) => rows.some(({ user_id }) => user_id === userId));
}

const user = fc.nat(USERS - 1);
const domain = fc.nat(DOMAINS - 1);
const actions: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("ask" as const), user }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom("approve" as const, "deny" as const, "remove" as const), user }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("leave" as const, "list" as const), user }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("forget-denial" as const, "forget-removal" as const), user }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("domain" as const),
      domain,
      change: fc.constantFrom<DomainChange>("claim", "verify", "claim", "verify", "fail", "lose", "release"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("address" as const),
      user,
      domain,
      proof: fc.constantFrom(...PROOFS, "controlled" as const, "controlled" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("mode" as const),
      mode: fc.constantFrom(...MODES, "ask" as const, "join" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("sso" as const), required: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("deactivate" as const),
      user,
      by: fc.constantFrom("account" as const, "address" as const),
      active: fc.boolean(),
    }),
  },
);

/** Histories begin with an open organization and a proven address, so that most actions have an effect. */
const OPENED: readonly Action[] = [
  { kind: "mode", mode: "ask" },
  { kind: "domain", domain: 0, change: "claim" },
  { kind: "domain", domain: 0, change: "verify" },
  { kind: "address", user: 0, domain: 0, proof: "controlled" },
];

test(
  "No history lets a user in without a controlled address in a verified domain, nor after a removal (G224).",
  async () => {
    let histories = 0;
    let system: System | undefined;
    await fc.assert(
      fc.asyncProperty(fc.array(actions, { maxLength: ACTIONS_MAX, size: "max" }), async (history) => {
        if (!system || histories % HISTORIES_PER_SYSTEM === 0) system = await openSystem();
        histories += 1;
        await reset(system);
        const model = new Model();
        for (const [step, action] of [...OPENED, ...history].entries()) {
          await perform(system, model, action, step % 2 === 0 ? at.one.url : at.other.url);
          expect([action, await membersIn(system)]).toEqual([action, model.users.map(({ isMember }) => isMember)]);
        }
      }),
      { ...SETTINGS, endOnFailure: true },
    );
  },
  MODEL_MS,
);
