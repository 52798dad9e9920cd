/** The deletion of a directory beside changes of its settings (G277). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { putDirectory } from "../../../src/flows/directories/administer.ts";
import { removeDirectory } from "../../../src/flows/directories/remove-directory.ts";
import { authorizePermission } from "../../../src/flows/steps/authorization/authorize-member.ts";
import { DIRECTORY_ROLE_HOLDERS_BATCH } from "../../../src/limits/directory-limits.ts";
import type { DirectorySettings } from "../../../src/vocabulary/directory-settings.ts";
import { callerOf, clientAt, codeOf, registerAccount, unwrap } from "../../support/accounts.ts";
import { creationMails, inviteBy } from "../../support/creation-mails.ts";
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
  const { email, organizationId, signedIn } = await registerAccount(flows);
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
  const mails = creationMails(flows, email);
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
    return codeOf(await removeDirectory({ ...mails.deps, database: observed }, { caller, client }));
  };
  /** The members with the first and the last record, whose roles end in different transactions, send an invitation. */
  const invite = async () => {
    const rows = await flows.sql`
      select r.user_id as id from directory_users r join directories d on d.id = r.directory_id
      where d.organization_id = ${organizationId} order by r.id`;
    await inviteBy(flows, organizationId, [rows.at(0)?.id, rows.at(-1)?.id].map(String));
  };
  return { organizationId, save, remove, invite, mails };
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

test("A deletion of several transactions sends one email about what members created (G419)", async () => {
  const directory = await pausedDirectory();
  await directory.invite();
  expect(await directory.remove(() => Promise.resolve())).toBe("ok");
  expect(await directory.mails.kinds()).toEqual(["members_creations"]);
  expect(await directory.mails.foundByOutbox()).toEqual(["members_creations"]);
});

test("A deletion that stops between two transactions sends the email about members until then (G419)", async () => {
  const directory = await pausedDirectory();
  await directory.invite();
  const stopped = directory.remove(() => Promise.reject(new Error("PostgreSQL is away")));
  await expect(stopped).rejects.toThrow("PostgreSQL is away");
  expect(await directory.mails.foundByOutbox()).toEqual(["member_creations"]);
  expect(await directory.remove(() => Promise.resolve())).toBe("ok");
  expect(await directory.mails.kinds()).toEqual(["member_creations", "member_creations"]);
});
