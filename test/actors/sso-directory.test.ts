/** The connections and policies of all organizations in the memory of a replica. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SsoDirectory, ssoDirectory } from "../../src/actors/sso-directory.ts";
import { sealingKey } from "../../src/base/seal.ts";
import { makeServiceKey } from "../../src/flows/sso/connections/make-service-key.ts";
import { resealConnections } from "../../src/flows/sso/connections/reseal.ts";
import {
  openClientSecret,
  openServiceKey,
  sealConnectionSecret,
} from "../../src/models/sso-connection/connection-secret.ts";
import { insertServiceKey } from "../../src/models/sso-connection/service-key.ts";
import { DEFAULT_SSO_POLICY } from "../../src/models/sso-policy/sso-policy.ts";
import { registerAccount } from "../support/accounts.ts";
import { type Flows, openFlows } from "../support/flows.ts";
import { storeConnection, storePolicy } from "../support/sso-connections.ts";
import { suspendOrganization } from "../support/states.ts";

let flows: Flows;
let directory: SsoDirectory;

beforeAll(async () => {
  flows = await openFlows({ SERVICE_CONFIG_KEY: Buffer.alloc(32, 7).toString("base64") });
  directory = ssoDirectory(flows.deps);
});
afterAll(async () => {
  await flows.close();
});

async function slugOf(organizationId: string): Promise<string> {
  const [row] = await flows.sql`select slug from organizations where id = ${organizationId}`;
  return row?.slug;
}

describe("routing", () => {
  test("finds active connections by id, organization and slug; a draft only by id", async () => {
    const { organizationId } = await registerAccount(flows);
    const active = await storeConnection(flows.sql, organizationId);
    const draft = await storeConnection(flows.sql, organizationId);
    await flows.sql`update sso_connections set status = 'draft' where id = ${draft}`;
    await directory.changed();
    const ids = (connections: readonly { readonly id: string }[]) => connections.map(({ id }) => id);
    expect(ids(directory.ofOrganization(organizationId))).toEqual([active]);
    expect(ids(directory.ofSlug(await slugOf(organizationId)))).toEqual([active]);
    expect([directory.find(active)?.status, directory.find(draft)?.status]).toEqual(["active", "draft"]);
    expect(directory.find(active)?.config).toMatchObject({ issuer: "https://idp.acme.com", subject_from: "sub" });
  });

  test("ends with the suspension of the organization and with the deletion of the connection", async () => {
    const { organizationId } = await registerAccount(flows);
    const connection = await storeConnection(flows.sql, organizationId);
    await directory.changed();
    await suspendOrganization(flows.sql, organizationId);
    await directory.changed();
    expect(directory.ofOrganization(organizationId)).toEqual([]);
    expect(directory.find(connection)?.organization.suspended).toBe(true);
    await flows.sql`update organizations set suspended_at = null where id = ${organizationId}`;
    await directory.changed();
    expect(directory.ofOrganization(organizationId)).toHaveLength(1);
    await flows.sql`delete from sso_connections where id = ${connection}`;
    await directory.changed();
    expect([directory.find(connection), directory.ofOrganization(organizationId)]).toEqual([undefined, []]);
  });
});

test("An organization without a policy has the defaults; a stored policy needs no connection.", async () => {
  const { organizationId } = await registerAccount(flows);
  expect(directory.policyOf(organizationId)).toEqual(DEFAULT_SSO_POLICY);
  await storePolicy(flows.sql, organizationId, { jit: "invited_only" });
  await directory.changed();
  expect(directory.policyOf(organizationId)).toMatchObject({ mode: "optional", jit: "invited_only" });
});

test("A load reads changed buckets only: unchanged connections stay the same objects.", async () => {
  const { organizationId } = await registerAccount(flows);
  const connection = await storeConnection(flows.sql, organizationId);
  await directory.changed();
  const before = directory.find(connection);
  await directory.changed();
  expect(directory.find(connection)).toBe(before as NonNullable<typeof before>);
  await flows.sql`update sso_connections set revision = revision + 1 where id = ${connection}`;
  await directory.changed();
  expect(directory.find(connection)?.revision).toBe(2);
});

test("A client secret opens only for the own connection and with the key (G22).", async () => {
  const { organizationId } = await registerAccount(flows);
  const id = await storeConnection(flows.sql, organizationId);
  const { configKeys } = flows.deps;
  const key = configKeys.current;
  if (!key) throw new Error("the test has a key");
  const sealed = sealConnectionSecret(flows.deps, key, id, "client secret");
  await flows.sql`
    update sso_connections set sealed_secret = ${sealed}, key_id = ${key.id}, revision = 2 where id = ${id}`;
  await directory.changed();
  const held = directory.find(id);
  if (!held) throw new Error("the connection is held");
  expect(openClientSecret(configKeys, held)).toBe("client secret");
  expect(openClientSecret(configKeys, { ...held, id: organizationId })).toBeUndefined();
  expect(openClientSecret({ current: undefined, previous: [] }, held)).toBeUndefined();
  expect(openClientSecret({ current: undefined, previous: [key] }, held)).toBe("client secret");
});

test("Secrets and private keys are resealed under the current key; an unreadable secret is kept.", async () => {
  const { configKeys } = flows.deps;
  const former = sealingKey(Buffer.alloc(32, 3));
  const { current } = configKeys;
  if (!current) throw new Error("the test has a key");
  const deps = { ...flows.deps, configKeys: { current, previous: [former] } };
  const { organizationId } = await registerAccount(flows);
  const id = await storeConnection(flows.sql, organizationId, { token_auth: "private_key_jwt" });
  const lost = await storeConnection(flows.sql, organizationId);
  const key = await makeServiceKey(deps, former, id, "current");
  await insertServiceKey(flows.sql, key);
  for (const [connection, sealing] of [
    [id, former],
    [lost, sealingKey(Buffer.alloc(32, 4))],
  ] as const) {
    const sealed = sealConnectionSecret(deps, sealing, connection, "client secret");
    await flows.sql`
      update sso_connections set sealed_secret = ${sealed}, key_id = ${sealing.id} where id = ${connection}`;
  }
  await directory.changed();
  const privateKey = openServiceKey(deps.configKeys, key);
  const outcomes = (await resealConnections(deps, current)).map(({ outcome }) => outcome).sort();
  expect(outcomes.filter((outcome) => outcome !== "current")).toEqual(["resealed", "resealed", "unreadable"]);
  const again = (await resealConnections(deps, current)).map(({ outcome }) => outcome);
  expect(again.filter((outcome) => outcome !== "current")).toEqual(["unreadable"]);
  await directory.changed();
  const held = directory.find(id);
  const [heldKey] = held?.serviceKeys ?? [];
  if (!held || !heldKey) throw new Error("the connection and its key are held");
  expect(openClientSecret({ current, previous: [] }, held)).toBe("client secret");
  expect(openServiceKey({ current, previous: [] }, heldKey)).toBe(String(privateKey));
});
