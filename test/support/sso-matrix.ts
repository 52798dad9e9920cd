/** The organizations and people of the matrix of single sign-on: an organization for each policy, and every caller. */
import { randomUUID } from "node:crypto";
import { organizationEndpoints } from "../../tools/contract-tables.ts";
import type { Answer } from "./client.ts";
import { Client, PASSWORD, registered } from "./client.ts";
import { codeOf, enrolled, forgetUsedStep, passwordShown } from "./mfa.ts";
import { steppedUpAdmin } from "./platform.ts";
import { accountsOf, keyOf } from "./service-accounts.ts";
import { type Company, company, routable, type SsoDeployment } from "./sso.ts";
import {
  HOUR_MS,
  type ModelPerson,
  type ModelPolicy,
  type ModelProof,
  POLICIES,
  POLICY_NAMES,
  type PolicyName,
} from "./sso-access-model.ts";

export const OLD_SESSION_MS = 61 * 60_000;
export const COVERED: ModelPerson = { isInDomain: true, isEmergency: false };
export const GUEST: ModelPerson = { isInDomain: false, isEmergency: false };
export const EMERGENCY: ModelPerson = { isInDomain: true, isEmergency: true };
export const FRESH: ModelProof = { aal: "aal1", ageMs: 0 };
const BOUND: ModelProof = { ...FRESH, boundTo: "this" };
const BOUND_ELSEWHERE: ModelProof = { ...FRESH, boundTo: "another" };
export const STRONG: ModelProof = { aal: "aal2", ageMs: 0 };
const OLD: ModelProof = { aal: "aal2", ageMs: OLD_SESSION_MS };

export interface Host extends Company {
  readonly policy: PolicyName;
  /** An API key of the organization. */
  readonly key: string;
}
export type Hosts = Readonly<Record<PolicyName, Host>>;
type Clients = Readonly<Record<PolicyName, Client>>;

/** A session of a person, at every organization. */
export interface Caller {
  readonly person: ModelPerson;
  readonly proof: ModelProof;
  /** Whether the session is in the organization, whose requirement then ends the session. */
  readonly isHere: boolean;
  readonly clients: Clients;
}

export type Matrix = Awaited<ReturnType<typeof openMatrix>>;
type Deployed = SsoDeployment["at"];

function byPolicy<T>(make: (policy: PolicyName) => T): Readonly<Record<PolicyName, T>> {
  return Object.fromEntries(POLICY_NAMES.map((policy) => [policy, make(policy)])) as Record<PolicyName, T>;
}

async function eachPolicy<T>(make: (policy: PolicyName) => Promise<T>): Promise<Readonly<Record<PolicyName, T>>> {
  const made = new Map<PolicyName, T>();
  for (const policy of POLICY_NAMES) made.set(policy, await make(policy));
  return byPolicy((policy) => made.get(policy) as T);
}

const KEY_SCOPES = ["members.list", "members.metadata", "sso.read"];

async function openHost({ at, forged }: SsoDeployment, policy: PolicyName): Promise<Host> {
  const made = await company(at, randomUUID(), forged.provider.url);
  const { organizationId, ownerId, owner } = made;
  await at.sql`update organizations set name = ${nameOf(policy)} where id = ${organizationId}`;
  await at.sql`update sessions set aal = 'aal2', mfa_verified_at = now() where user_id = ${ownerId}`;
  const { key } = await keyOf(owner, accountsOf(organizationId), KEY_SCOPES);
  return { ...made, policy, key };
}

/** The name of an organization: a page with the name displays the organization. */
export const nameOf = (policy: PolicyName) => `Matrix-${policy}-company`;

/** The address of a person in the domain of an organization. */
export const addressIn = ({ domain }: Pick<Host, "domain">, userId: string) => `${userId}@${domain}`;

/** Adds a person to every organization; `covered`: with an address in the domains of all. */
async function join(at: Deployed, hosts: Hosts, userId: string, { isCovered }: { readonly isCovered: boolean }) {
  for (const host of Object.values(hosts)) {
    await at.sql`insert into members values (${host.organizationId}, ${userId}, 'owner', now())`;
    if (isCovered) await addAddress(at, userId, addressIn(host, userId));
  }
}

/** Adds a verified address. */
export async function addAddress(at: Deployed, userId: string, email: string): Promise<void> {
  await at.sql`
    insert into user_emails (user_id, email, verified_at, controlled_at, created_at)
    values (${userId}, ${email}, now(), now(), now())`;
}

export async function signInAt(at: Deployed, email: string, organizationId?: string) {
  const client = new Client(at.one.url);
  const body = { email, password: PASSWORD, ...(organizationId && { organization_id: organizationId }) };
  return { client, answer: await client.post("/v1/auth/login", body) };
}

async function sessionsIn(at: Deployed, hosts: Hosts, email: string): Promise<Clients> {
  return await eachPolicy(async (policy) => {
    const { client, answer } = await signInAt(at, email, hosts[policy].organizationId);
    if (answer.status !== 200) throw new Error(`the sign-in returned ${answer.status}: ${answer.text}`);
    return client;
  });
}

/** A second session of a person with two factors, changed by SQL before any check of the session. */
async function factorSession(at: Deployed, person: Awaited<ReturnType<typeof enrolled>>) {
  const mfaToken = await passwordShown(at.one.url, person.email);
  await forgetUsedStep(at.sql, person.userId);
  const client = new Client(at.one.url);
  const challenge = { mfa_token: mfaToken, code: codeOf(person.secret) };
  const { status, body } = await client.post("/v1/auth/mfa/challenge", challenge);
  if (status !== 200) throw new Error(`the challenge returned ${status}`);
  return { client, sessionId: String(body.user.session_family_id) };
}

/** Sets the policy of an organization by the endpoints. */
async function enforce(at: Deployed, host: Host, owner: Client, breakGlass: string): Promise<void> {
  const policy: ModelPolicy = POLICIES[host.policy];
  await at.sql`
    insert into sso_attempts (id, connection_id, at, outcome, step, requested, request_id, user_id)
    values (gen_random_uuid(), ${host.connectionId}, now(), 'success', 'session', true, gen_random_uuid()::text,
            ${host.ownerId})`;
  const settings = {
    mode: policy.mode,
    guests: policy.guests,
    break_glass: [breakGlass],
    // A requirement in force would end the sessions before a pause.
    ...((policy.requiredInMs || policy.pausedForMs) && { required_at: new Date(Date.now() + HOUR_MS).toISOString() }),
  };
  const stored = await owner.put(`/v1/orgs/${host.organizationId}/sso/policy`, settings);
  if (stored.status !== 200) throw new Error(`the policy ${host.policy}: ${stored.text}`);
  if (!policy.pausedForMs) return;
  const admin = await steppedUpAdmin(at);
  const paused = await admin.client.post(`/v1/admin/orgs/${host.organizationId}/sso/pause`, { reason: "matrix" });
  if (paused.status !== 200) throw new Error(`the pause: ${paused.text}`);
  await at.sql`
    update sso_policies set required_at = now(), revision = revision + 1
    where organization_id = ${host.organizationId}`;
}

export async function openMatrix(sso: SsoDeployment) {
  const { at } = sso;
  const hosts: Hosts = await eachPolicy((policy) => openHost(sso, policy));
  await routable(
    at,
    Object.values(hosts).map(({ connectionId }) => connectionId),
  );
  const [covered, guest, emergency] = [await registered(at.one.url), await registered(at.one.url), await enrolled(at)];
  await at.sql`
    update users set controlled_at = now(), email_verified_at = now()
    where id = any(${[covered.userId, guest.userId, emergency.userId]}::uuid[])`;
  for (const each of [covered, emergency]) await join(at, hosts, each.userId, { isCovered: true });
  await join(at, hosts, guest.userId, { isCovered: false });
  const elsewhere = async ({ email, organizationId }: typeof guest) => {
    const { client } = await signInAt(at, email, organizationId);
    return byPolicy(() => client);
  };
  const bound = await sessionsIn(at, hosts, covered.email);
  await at.sql`
    update sessions set organization_bound = true, auth_method = 'sso'
    where user_id = ${covered.userId} and organization_id <> ${covered.organizationId}`;
  const strong = await factorSession(at, emergency);
  await at.sql`update sessions set mfa_verified_at = now() where id = ${strong.sessionId}`;
  const weak = await factorSession(at, emergency);
  await at.sql`update sessions set aal = 'aal1', mfa_verified_at = null where id = ${weak.sessionId}`;
  const old = await factorSession(at, emergency);
  await at.sql`
    update sessions set auth_time = auth_time - ${`${OLD_SESSION_MS} ms`}::interval where id = ${old.sessionId}`;
  const next = (policy: PolicyName) => POLICY_NAMES[(POLICY_NAMES.indexOf(policy) + 1) % POLICY_NAMES.length];
  const callers = {
    "covered member, session elsewhere": {
      person: COVERED,
      proof: FRESH,
      isHere: false,
      clients: await elsewhere(covered),
    },
    "covered member, session here": {
      person: COVERED,
      proof: FRESH,
      isHere: true,
      clients: await sessionsIn(at, hosts, covered.email),
    },
    "covered member, by single sign-on": { person: COVERED, proof: BOUND, isHere: true, clients: bound },
    "covered member, by another company": {
      person: COVERED,
      proof: BOUND_ELSEWHERE,
      isHere: false,
      clients: byPolicy((policy) => bound[next(policy) as PolicyName]),
    },
    "guest, session elsewhere": { person: GUEST, proof: FRESH, isHere: false, clients: await elsewhere(guest) },
    "guest, session here": {
      person: GUEST,
      proof: FRESH,
      isHere: true,
      clients: await sessionsIn(at, hosts, guest.email),
    },
    "emergency user, two factors": {
      person: EMERGENCY,
      proof: STRONG,
      isHere: false,
      clients: byPolicy(() => strong.client),
    },
    "emergency user, one factor": {
      person: EMERGENCY,
      proof: FRESH,
      isHere: false,
      clients: byPolicy(() => weak.client),
    },
    "emergency user, an hour ago": {
      person: EMERGENCY,
      proof: OLD,
      isHere: false,
      clients: byPolicy(() => old.client),
    },
  } as const satisfies Record<string, Caller>;
  return {
    sso,
    at,
    hosts,
    people: { covered, guest, emergency },
    callers: callers as Readonly<Record<keyof typeof callers, Caller>>,
    enforceAll: async () => {
      for (const host of Object.values(hosts)) await enforce(at, host, strong.client, emergency.userId);
    },
  };
}

const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
/** Input that every endpoint refuses after the authorization. */
const BAD_QUERY = "page=x&q=%00&status=x&from=x&to=x";

/** The endpoints that name an organization of members; `platform`: of administrators of the platform. */
export const ENDPOINTS = organizationEndpoints().filter(
  ({ operationId }) => operationId !== "cancelOrganizationDeletion",
);

/** Calls an endpoint with input that changes nothing. */
export async function callEndpoint(
  client: Client,
  { method, path }: (typeof ENDPOINTS)[number],
  { organizationId }: Pick<Host, "organizationId">,
  bearer?: string,
): Promise<Answer> {
  const target = `/v1${path.replace(":org_id", organizationId).replaceAll(/:\w+/g, UNKNOWN)}?${BAD_QUERY}`;
  // Refused by every endpoint that an empty body would change: an empty policy switches single sign-on off.
  const body = method === "GET" ? undefined : { role: 7, email: 7, mode: 7 };
  return await client.request(method, target, { body, ...(bearer && { bearer }) });
}
