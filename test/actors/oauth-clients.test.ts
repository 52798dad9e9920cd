/** Clients in the memory of two replicas on one database. No loop runs: a replica learns of a change by a read. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type OAuthClients, oauthClients } from "../../src/actors/oauth-clients.ts";
import { NIL_UUID } from "../../src/base/random.ts";
import { CLIENT_MISSES_PER_NETWORK_MAX, CLIENT_MISSES_WINDOW_MS } from "../../src/limits/oauth-limits.ts";
import { clientIdsOfHost } from "../../src/models/oauth-client/blocked-host.ts";
import { type Account, registerAccount } from "../support/accounts.ts";
import { type Flows, openFlows } from "../support/flows.ts";
import { flowClient } from "../support/oauth-flows.ts";

const [HOME, ELSEWHERE] = ["192.0.2.1", "198.51.100.1"];
let flows: Flows;
let account: Account;
let other: OAuthClients;
/** The reads of the other replica by id. */
let reads = 0;

beforeAll(async () => {
  flows = await openFlows();
  account = await registerAccount(flows);
  const { database, state, log, clock } = flows.deps;
  const run: typeof database.run = (operation, work) => {
    if (operation === "oauth_client.find") reads += 1;
    return database.run(operation, work);
  };
  const rules = {
    open: () => ({ resources: [], scopes: [] }),
    isBlocked: (host: string) => host === "blocked.example",
  };
  other = oauthClients({ database: { ...database, run }, state, log, clock }, rules);
  await other.changed();
});
afterAll(async () => {
  await flows.close();
});

/** The id of the client that the other replica finds; undefined: the id is unknown. */
async function lookedUp(id: string, network: string): Promise<string | undefined> {
  const found = await other.lookUp(id, network);
  return found.ok ? found.value?.id : found.error.bound;
}

async function insertDocumentClient(url: string): Promise<string> {
  const [row] = await flows.sql<{ id: string }[]>`
    insert into oauth_clients (
      id, name, application_type, token_auth_method, redirect_uris, post_logout_redirect_uris, grant_types, scopes,
      resources, audiences, first_party, subject_type, kind, external_id, document_hash, fetched_at, fresh_until,
      created_at, updated_at)
    values (gen_random_uuid(), 'Notes', 'native', 'none', '{}', '{}', '{}', '{}', '{}', '{}', false, 'public',
            'document', ${url}, 'x', now(), now(), now(), now())
    returning id`;
  return row?.id ?? "";
}

describe("a client that is not in memory (G272)", () => {
  test("40 parallel requests for a client of a second replica find the client by one read", async () => {
    const { client } = await flowClient(flows, account);
    reads = 0;
    expect(other.find(client.id)).toBeUndefined();
    const found = await Promise.all(Array.from({ length: 40 }, () => lookedUp(client.id, HOME)));
    expect([new Set(found), reads]).toEqual([new Set([client.id]), 1]);
    await other.changed();
    expect([other.find(client.id)?.id, reads]).toEqual([client.id, 1]);
  });

  test("unknown ids of a network cost few reads, and other networks and known clients are served", async () => {
    const known = await insertDocumentClient("https://known.example/client.json");
    expect(await lookedUp(known, HOME)).toBe(known);
    expect(await lookedUp(known.toUpperCase(), ELSEWHERE)).toBeUndefined();
    reads = 0;
    const ids = Array.from({ length: 3 * CLIENT_MISSES_PER_NETWORK_MAX }, () => crypto.randomUUID());
    const unknown = ids.slice(0, CLIENT_MISSES_PER_NETWORK_MAX);
    for (const id of unknown) expect(await lookedUp(id, HOME)).toBeUndefined();
    for (const id of ids.slice(unknown.length)) expect(await lookedUp(id, HOME)).toBe("client_misses");
    for (const id of ["", "x", "https://x\0", "' or 1=1"]) expect(await lookedUp(id, ELSEWHERE)).toBeUndefined();
    expect(reads).toBe(CLIENT_MISSES_PER_NETWORK_MAX);
    const { client } = await flowClient(flows, account);
    expect([await lookedUp(client.id, HOME), await lookedUp(client.id, ELSEWHERE)]).toEqual([
      "client_misses",
      client.id,
    ]);
    // A change makes the next use of a client a read, also for the network.
    await other.changed();
    expect(await lookedUp(known, HOME)).toBe(known);
    flows.clock.advance(CLIENT_MISSES_WINDOW_MS);
    const late = await flowClient(flows, account);
    expect(await lookedUp(late.client.id, HOME)).toBe(late.client.id);
  });
});

describe("the client of a metadata document", () => {
  test("is read once between two changes, by address or row, and not while disabled", async () => {
    const url = "https://app.example/client.json";
    const id = await insertDocumentClient(url);
    reads = 0;
    for (const each of [url, id, url]) expect((await other.load(each))?.id).toBe(id);
    expect(reads).toBe(1);
    await flows.sql`update oauth_clients set disabled_at = now() where id = ${id}`;
    await other.changed();
    expect([await other.load(url), other.isDisabled(url), reads]).toEqual([undefined, true, 2]);
  });

  test("ends with the domain above its host, and not with a similar domain", async () => {
    const id = await insertDocumentClient("https://x.a_b.example/client.json");
    await insertDocumentClient("https://x.acb.example/client.json");
    expect(await clientIdsOfHost(flows.sql, "*.a_b.example", NIL_UUID, 10)).toEqual([id]);
  });

  test("does not count while its host is blocked, and renew reads now", async () => {
    const url = "https://blocked.example/client.json";
    await insertDocumentClient(url);
    expect([await other.load(url), other.isDisabled(url)]).toEqual([undefined, true]);
    const fresh = "https://renewed.example/client.json";
    expect(await lookedUp(fresh, ELSEWHERE)).toBeUndefined();
    const id = await insertDocumentClient(fresh);
    expect((await other.renew(fresh))?.id).toBe(id);
  });
});
