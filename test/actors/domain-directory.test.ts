/** The held domains of all organizations in the memory of a second replica. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type DomainDirectory, domainDirectory } from "../../src/actors/domain-directory.ts";
import { ORGANIZATION_DOMAIN_STREAM } from "../../src/models/organization-domain/domain-index.ts";
import { registerAccount } from "../support/accounts.ts";
import { type Flows, openFlows } from "../support/flows.ts";
import { until } from "../support/waiting.ts";

let flows: Flows;
let other: DomainDirectory;
const operations: string[] = [];

beforeAll(async () => {
  flows = await openFlows();
  const { database, state, log } = flows.deps;
  const run: typeof database.run = (operation, work) => {
    operations.push(operation);
    return database.run(operation, work);
  };
  other = domainDirectory({ database: { ...database, run }, state, log });
});
afterAll(async () => {
  await other.stop();
  await flows.close();
});

/** A new organization. */
async function organization(): Promise<string> {
  return (await registerAccount(flows)).organizationId;
}

/** Gives a domain to an organization, without a notice to the replicas. */
async function hold(organizationId: string, domain: string): Promise<void> {
  await flows.sql`
    insert into organization_domains (id, organization_id, domain, token, status, verified_at, created_at)
    values (gen_random_uuid(), ${organizationId}, ${domain}, 'token', 'verified', now(), now())`;
}

const holderOf = (domain: string) => other.index().findByAddress(`ada@${domain}`)?.organizationId;

test("A change of the domains of an organization reads the domains of this organization alone (G383).", async () => {
  const [acme, globex] = [await organization(), await organization()];
  await hold(acme, "acme.test");
  await other.start();
  expect(holderOf("acme.test")).toBe(acme);
  operations.length = 0;
  // Another organization has changed too, without a notice: the change of one reads no other.
  await hold(globex, "globex.test");
  await hold(acme, "acme.example");
  await flows.deps.domainDirectory.changedRow(acme);
  await until("the second replica knows the domain", async () => holderOf("acme.example") === acme);
  expect([holderOf("acme.test"), operations.includes("domain.list_held_of")]).toEqual([acme, true]);
  await flows.sql`delete from organization_domains where organization_id = ${acme}`;
  await other.changedRow(acme);
  expect([holderOf("acme.test"), holderOf("acme.example")]).toEqual([undefined, undefined]);
});

test("A domain that moves to another organization has one holder, in whichever order the changes arrive.", async () => {
  const [former, latter] = [await organization(), await organization()];
  await hold(former, "moved.test");
  await other.changedRow(former);
  for (const [from, to, order] of [
    [former, latter, [former, latter]],
    [latter, former, [former, latter]],
  ] as const) {
    await flows.sql`
      update organization_domains set organization_id = ${to}
      where organization_id = ${from} and domain = 'moved.test'`;
    for (const id of order) await other.changedRow(id);
    expect(holderOf("moved.test")).toBe(to);
  }
  await Promise.all([other.changed(), other.changedRow(former), other.changedRow(latter)]);
  expect(holderOf("moved.test")).toBe(former);
});

test("A notice of an earlier release, which names no organization, reads every domain.", async () => {
  const id = await organization();
  await hold(id, "earlier.test");
  operations.length = 0;
  await flows.deps.state.append(ORGANIZATION_DOMAIN_STREAM, "changed", 100);
  await until("the second replica knows the domain", async () => holderOf("earlier.test") === id);
  expect(operations).toContain("domain.list_held");
});
