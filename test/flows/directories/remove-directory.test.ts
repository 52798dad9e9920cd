/** The deletion of a directory beside changes of its settings (G277). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { putDirectory } from "../../../src/flows/directories/administer.ts";
import { removeDirectory } from "../../../src/flows/directories/remove-directory.ts";
import { authorizePermission } from "../../../src/flows/steps/authorization/authorize-member.ts";
import { DIRECTORY_ROLE_HOLDERS_BATCH } from "../../../src/limits/directory-limits.ts";
import type { DirectorySettings } from "../../../src/vocabulary/directory-settings.ts";
import { callerOf, clientAt, codeOf, registerAccount, unwrap } from "../../support/accounts.ts";
import { auditOf, insertHolders, remainderOf } from "../../support/directory-deletions.ts";
import { type Flows, openFlows } from "../../support/flows.ts";

/** The withdrawal of the roles needs two transactions. */
const MEMBERS = DIRECTORY_ROLE_HOLDERS_BATCH + 1;
const client = clientAt();
let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

/** A paused directory with a role of a group for every member; `remove`: `between` runs after the first transaction. */
async function pausedDirectory(members = MEMBERS) {
  const { organizationId, signedIn } = await registerAccount(flows);
  const session = await callerOf(flows, signedIn);
  const caller = unwrap(await authorizePermission(flows.deps, session, organizationId, "directory.manage"));
  const save = async (changed: Partial<DirectorySettings>) => {
    const settings = { defaultRole: "member", outsideDomains: "refuse", roleSource: "groups", ...changed } as const;
    unwrap(await putDirectory(flows.deps, { caller, client, settings: { status: "paused", ...settings } }));
  };
  await save({ status: "active" });
  const group = randomUUID();
  await flows.sql`
    insert into directory_groups (id, directory_id, display_name, display_name_key, role, version, created_at,
                                  updated_at)
    select ${group}::uuid, id, 'Admins', 'admins', 'admin', 1, now(), now() from directories
    where organization_id = ${organizationId}`;
  const place = { organizationId, group, address: (name: string) => `${name}@${organizationId}.test` };
  await insertHolders(flows, place, { holders: members, groups: 0, roles: 1 });
  await save({});
  const remove = async (between: () => Promise<void>) => {
    const { database } = flows.deps;
    let transactions = 0;
    const observed: typeof database = {
      ...database,
      transaction: async (name, work) => {
        transactions += 1;
        if (transactions === 2) await between();
        return await database.transaction(name, work);
      },
    };
    return codeOf(await removeDirectory({ ...flows.deps, database: observed }, { caller, client }));
  };
  return { organizationId, save, remove };
}

const STARTED = { fields: "role_source users groups" };
const WHOLE = { records: MEMBERS, managed: MEMBERS, groups: 1, members: MEMBERS, user_count: MEMBERS };

test("Roles that a setting grants again between two transactions of a deletion are withdrawn again", async () => {
  const directory = await pausedDirectory();
  const removed = await directory.remove(async () => {
    const started = { ...WHOLE, status: "paused", role_source: "none", holders: 1 };
    expect(await remainderOf(flows, directory)).toEqual(started);
    await directory.save({ roleSource: "groups" });
    expect(await remainderOf(flows, directory)).toMatchObject({ role_source: "groups", holders: MEMBERS });
  });
  expect(removed).toBe("ok");
  expect(await remainderOf(flows, directory)).toMatchObject({ status: null, holders: 0, managed: 0 });
  expect(await auditOf(flows, directory, "directory.updated")).toEqual([STARTED, { fields: "role_source" }, STARTED]);
  expect((await auditOf(flows, directory, "directory.deleted")).length).toBe(1);
});

test("A directory resumed between two transactions of a deletion keeps its rows; the start has a record", async () => {
  const directory = await pausedDirectory();
  const removed = await directory.remove(() => directory.save({ status: "active", roleSource: "none" }));
  expect(removed).toBe("conflict");
  // The settings withdraw the roles that the deletion left.
  const resumed = { ...WHOLE, status: "active", role_source: "none", holders: 0 };
  expect(await remainderOf(flows, directory)).toEqual(resumed);
  expect(await auditOf(flows, directory, "directory.updated")).toEqual([STARTED, { fields: "status" }]);
  expect(await auditOf(flows, directory, "directory.deleted")).toEqual([]);
});

test("A deletion of one transaction has one record", async () => {
  const directory = await pausedDirectory(1);
  expect(await directory.remove(() => Promise.reject(new Error("the deletion has a second transaction")))).toBe("ok");
  expect(await remainderOf(flows, directory)).toMatchObject({ status: null, holders: 0, managed: 0 });
  expect(await auditOf(flows, directory, "directory.updated")).toEqual([]);
  expect((await auditOf(flows, directory, "directory.deleted")).length).toBe(1);
});
