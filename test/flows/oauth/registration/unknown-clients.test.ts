/** What clients that registered themselves cost everybody else (docs/contract.md, section 23.17). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { exportJWK, generateKeyPair } from "jose";
import { type OAuthClients, oauthClients } from "../../../../src/actors/oauth-clients.ts";
import type { ClientMetadata } from "../../../../src/flows/oauth/clients/read-metadata.ts";
import {
  changeRegistration,
  deleteRegistration,
} from "../../../../src/flows/oauth/registration/manage-registration.ts";
import { type Registration, registerDynamicClient } from "../../../../src/flows/oauth/registration/register.ts";
import { OAUTH_DYNAMIC_CLIENT_MAX_BYTES, OAUTH_PROTECTING_CONSENTS_MAX } from "../../../../src/limits/oauth-limits.ts";
import { REPLICATED_TABLE_POLL_MS } from "../../../../src/limits/state-limits.ts";
import { type Account, clientAt, registerAccount } from "../../../support/accounts.ts";
import { type Flows, openFlows } from "../../../support/flows.ts";
import { until } from "../../../support/waiting.ts";

const CALLBACK = "https://app.example.test/callback";
const METADATA = { client_name: "Notes", redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" };

let flows: Flows;
let account: Account;
beforeAll(async () => {
  flows = await openFlows({ SERVICE_OAUTH_REGISTRATION: "open" });
  account = await registerAccount(flows);
});
afterAll(async () => {
  await flows.close();
});

async function registrationOf(metadata: ClientMetadata, clientsMax?: number) {
  const input = { metadata, token: undefined, requestContext: clientAt(), ...(clientsMax ? { clientsMax } : {}) };
  return await registerDynamicClient(flows.deps, input);
}

async function registered(metadata: ClientMetadata = METADATA, clientsMax?: number): Promise<Registration> {
  const result = await registrationOf(metadata, clientsMax);
  if (!result.ok) throw new Error(result.error.description);
  return result.value;
}

async function problemOf(metadata: ClientMetadata, clientsMax?: number): Promise<string> {
  const result = await registrationOf(metadata, clientsMax);
  return result.ok ? "registered" : result.error.description;
}

const accessOf = ({ client, registrationToken: token }: Registration) => ({ clientId: client.id, token });
const isStored = async ({ client }: Registration) =>
  (await flows.sql`select 1 from oauth_clients where id = ${client.id}`).length === 1;

async function consent({ client }: Registration): Promise<void> {
  await flows.sql`
    insert into oauth_grants (id, user_id, client_id, scopes, resources, created_at, updated_at)
    values (gen_random_uuid(), ${account.userId}, ${client.id}, '{}', '{}', now(), now())`;
}

describe("the clients in the memory of a second replica (G332)", () => {
  const operations: string[] = [];
  let other: OAuthClients;
  beforeAll(async () => {
    const { database, state, log, clock } = flows.deps;
    const run: typeof database.run = (operation, work) => {
      operations.push(operation);
      return database.run(operation, work);
    };
    const rules = { open: () => ({ resources: [], scopes: [] }), isBlocked: () => false };
    other = oauthClients({ database: { ...database, run }, state, log, clock }, rules);
    await other.start();
  });
  afterAll(async () => {
    await other.stop();
  });

  const nameOf = async (id: string) => {
    const found = await other.lookUp(id, "192.0.2.1");
    return found.ok ? found.value?.name : found.error.bound;
  };
  const listed = () => operations.filter((operation) => operation === "oauth_client.list").length;

  test("no registration, change or deletion by an application loads the clients", async () => {
    const startedAt = performance.now();
    const before = listed();
    const all = await Promise.all(Array.from({ length: 20 }, () => registered()));
    const [first] = all;
    if (!first) throw new Error("no registration");
    expect(await nameOf(first.client.id)).toBe("Notes");
    const metadata = { ...METADATA, client_id: first.client.id, client_name: "Notes 2" };
    const requestContext = clientAt();
    expect((await changeRegistration(flows.deps, { access: accessOf(first), metadata, requestContext })).ok).toBe(true);
    await until("the other replica knows the change", async () => {
      return (await nameOf(first.client.id)) === "Notes 2";
    });
    expect((await deleteRegistration(flows.deps, { access: accessOf(first), requestContext })).ok).toBe(true);
    await until("the other replica knows the deletion", async () => {
      return (await nameOf(first.client.id)) === undefined;
    });
    // The poll alone loads the clients.
    await other.stop();
    const polls = Math.floor((performance.now() - startedAt) / REPLICATED_TABLE_POLL_MS) + 1;
    expect(listed() - before).toBeLessThanOrEqual(polls);
    operations.length = 0;
    for (const { client } of all.slice(1)) await nameOf(client.id);
    expect(new Set(operations)).toEqual(new Set(["oauth_client.find"]));
  });
});

describe("the stored client (G333)", () => {
  test("a key has the members of a public key, and the response names what is stored", async () => {
    const { publicKey } = await generateKeyPair("ES256", { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: "1", use: "sig" };
    const padded = { ...jwk, x5c: ["A".repeat(2_000)], note: "x".repeat(2_000) };
    const metadata = { ...METADATA, token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [padded] } };
    const registration = await registered(metadata);
    expect(registration.client.keys).toEqual([jwk] as never);
    const [row] = await flows.sql`select jwks from oauth_clients where id = ${registration.client.id}`;
    expect(row?.jwks).toEqual([jwk]);
  });

  test("metadata beyond 8 KiB is refused, at the registration and at a change", async () => {
    const long = Array.from({ length: 20 }, (_, index) => `${CALLBACK}/${index}/${"x".repeat(430)}`);
    const large = { ...METADATA, redirect_uris: long, tos_uri: long[0] };
    expect(await problemOf(large)).toContain(`more than ${OAUTH_DYNAMIC_CLIENT_MAX_BYTES} bytes`);
    const registration = await registered({ ...METADATA, redirect_uris: long.slice(4) });
    const metadata = { ...large, client_id: registration.client.id };
    const changed = await changeRegistration(flows.deps, {
      access: accessOf(registration),
      metadata,
      requestContext: clientAt(),
    });
    expect(changed.ok).toBe(false);
  });

  test("a key above 4,096 bits is refused", async () => {
    const jwks = { keys: [{ kty: "RSA", e: "AQAB", n: "x".repeat(1_366) }] };
    const metadata = { ...METADATA, token_endpoint_auth_method: "private_key_jwt", jwks };
    expect(await problemOf(metadata)).toContain("4,096 bits");
  });

  test("a PUT without a change writes neither the client nor a record", async () => {
    const registration = await registered();
    const { id } = registration.client;
    const metadata = { ...METADATA, client_id: id };
    const put = () =>
      changeRegistration(flows.deps, { access: accessOf(registration), metadata, requestContext: clientAt() });
    for (const _ of [1, 2, 3]) expect((await put()).ok).toBe(true);
    const actions = await flows.sql`select action from audit_logs where resource_id = ${id}`;
    expect(actions.map(({ action }) => action)).toEqual(["oauth.client.registered"]);
  });
});

describe("room for a registration (G334)", () => {
  test("the oldest client that nobody used makes room, and clients in use stay", async () => {
    await flows.sql`delete from oauth_clients where kind = 'dynamic'`;
    const [allowed, unused, presented] = [await registered(), await registered(), await registered()];
    await consent(allowed);
    await flows.sql`update oauth_clients set last_used_at = now() where id = ${presented.client.id}`;
    const { id } = unused.client;
    await flows.sql`update oauth_clients set created_at = created_at - interval '1 hour' where id = ${id}`;
    const next = await registered(METADATA, 3);
    expect(await isStored(allowed)).toBe(true);
    expect(await isStored(unused)).toBe(false);
    expect(await isStored(next)).toBe(true);
    expect(await isStored(presented)).toBe(true);
    for (const each of [presented, next]) await consent(each);
    expect(await problemOf(METADATA, 3)).toContain("Too many");
  });

  /** Consents of the account to the clients, one minute after another. */
  async function consentInTurn(ids: readonly string[]): Promise<void> {
    await flows.sql`
      insert into oauth_grants (id, user_id, client_id, scopes, resources, created_at, updated_at)
      select gen_random_uuid(), ${account.userId}, id, '{}', '{}', at, at
      from unnest(${[...ids]}::uuid[]) with ordinality as t(id, n),
           lateral (select now() - (1000 - n) * interval '1 minute' as at) times`;
  }

  test("The consents of one account keep the clients of its latest fifty consents alone (G382).", async () => {
    expect(OAUTH_PROTECTING_CONSENTS_MAX).toBe(50);
    const count = OAUTH_PROTECTING_CONSENTS_MAX + 10;
    await flows.sql`delete from oauth_clients where kind = 'dynamic'`;
    const pinned: string[] = [];
    for (let index = 0; index < count; index += 1) pinned.push((await registered()).client.id);
    await consentInTurn(pinned);
    const next = await registered(METADATA, count);
    expect(await isStored(next)).toBe(true);
    const left = await flows.sql`select id from oauth_clients where kind = 'dynamic'`;
    expect(left.map(({ id }) => id).toSorted()).toEqual([...pinned.slice(10), next.client.id].toSorted());
  });

  test("A client of two accounts stays for the account whose consent is among the latest (G382).", async () => {
    const count = OAUTH_PROTECTING_CONSENTS_MAX + 1;
    await flows.sql`delete from oauth_clients where kind = 'dynamic'`;
    const pinned: Registration[] = [];
    for (let index = 0; index < count; index += 1) pinned.push(await registered());
    await consentInTurn(pinned.map(({ client }) => client.id));
    const other = await registerAccount(flows);
    const [oldest] = pinned;
    if (!oldest) throw new Error("no registration");
    await flows.sql`
      insert into oauth_grants (id, user_id, client_id, scopes, resources, created_at, updated_at)
      values (gen_random_uuid(), ${other.userId}, ${oldest.client.id}, '{}', '{}', now() - interval '1 year',
              now() - interval '1 year')`;
    expect(await problemOf(METADATA, count)).toContain("Too many");
    expect(await isStored(oldest)).toBe(true);
  });
});
