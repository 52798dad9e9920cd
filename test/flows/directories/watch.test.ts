/** Warnings about keys, departed users and states of directories over weeks (G186). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes, randomUUID } from "node:crypto";
import { eraseDepartedUsers } from "../../../src/flows/directories/erase-departed-users.ts";
import { warnExpiringKeys } from "../../../src/flows/directories/warn-expiring-keys.ts";
import { countDirectoriesByState } from "../../../src/models/directory/directory.ts";
import { deleteErasedRecords } from "../../../src/models/directory/directory-retention.ts";
import { HOUR_MS, registerAccount } from "../../support/accounts.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { deleteMemberships } from "../../support/states.ts";

const DAY_MS = 24 * HOUR_MS;
let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

async function directory(status = "active") {
  const { email, organizationId } = await registerAccount(flows);
  const [id, at] = [randomUUID(), new Date(flows.clock.now())];
  await flows.sql`
    insert into directories (id, organization_id, status, default_role, outside_domains, role_source, revision,
                             created_at, updated_at)
    values (${id}, ${organizationId}, ${status}, 'member', 'invite', 'groups', 1, ${at}, ${at})`;
  return { id, email, organizationId };
}

/** A key of a service account of the organization that ends after `days`. */
async function keyOf(organizationId: string, days: number, scope = "scim.write") {
  const [account, id, now] = [randomUUID(), randomUUID(), flows.clock.now()];
  await flows.sql`
    insert into service_accounts (id, organization_id, name, created_at)
    values (${account}, ${organizationId}, 'Entra ID', ${new Date(now)})`;
  await flows.sql`
    insert into api_keys (id, service_account_id, key_id, key_hash, scopes, allowed_ips, allowed_referrers, expires_at,
                          created_at)
    values (${id}, ${account}, 'abcdefgh', ${randomBytes(32)}, ${[scope]}, '{}', '{}',
            ${new Date(now + days * DAY_MS)}, ${new Date(now)})`;
  return id;
}

const warningsOf = async (keyId: string) =>
  (
    await flows.sql`
      select metadata from audit_logs where resource_id = ${keyId} and action = 'api_key.expiring' order by timestamp`
  ).map(({ metadata }) => metadata.days);

describe("a key of a directory", () => {
  test("is reported 30, 14, 7 and 1 days before the expiry, once each, by mail and in the audit trail", async () => {
    const { organizationId, email } = await directory();
    const key = await keyOf(organizationId, 40);
    const [short, other] = [await keyOf(organizationId, 10), await keyOf(organizationId, 40, "members.list")];
    const revoked = await keyOf(organizationId, 40);
    await flows.sql`update api_keys set revoked_at = now() where id = ${revoked}`;
    for (let day = 0; day <= 40; day += 1) {
      await Promise.all([warnExpiringKeys(flows.deps), warnExpiringKeys(flows.deps)]);
      flows.clock.advance(DAY_MS);
    }
    expect(await warningsOf(key)).toEqual([30, 14, 7, 1]);
    expect(await warningsOf(short)).toEqual([7, 1]);
    expect([await warningsOf(other), await warningsOf(revoked)]).toEqual([[], []]);
    const mails = (await flows.emailsTo(email)).filter(({ mail }) => mail.kind === "api_key_expiring");
    expect(mails).toHaveLength(6);
    expect(mails[0]?.mail.values).toMatchObject({ key_name: "Entra ID" });
  });
});

describe("a managed user whom the directory deleted", () => {
  async function departed(organizationId: string) {
    const { userId } = await registerAccount(flows);
    const at = new Date(flows.clock.now());
    await flows.sql`update users set managed_by = ${organizationId}, password_hash = null where id = ${userId}`;
    await deleteMemberships(flows.sql, userId);
    await flows.sql`insert into member_removals (organization_id, user_id, removed_at)
      values (${organizationId}, ${userId}, ${at})`;
    return userId;
  }
  const isClosed = async (userId: string) => {
    const [row] = await flows.sql`select deletion_at is not null as closed from users where id = ${userId}`;
    return row?.closed;
  };

  test("is erased after 30 days, unless the user has a credential, a membership or a record", async () => {
    const { organizationId, id } = await directory();
    const [gone, independent, member, recorded] = [
      await departed(organizationId),
      await departed(organizationId),
      await departed(organizationId),
      await departed(organizationId),
    ];
    const at = new Date(flows.clock.now());
    await flows.sql`update users set password_hash = 'x' where id = ${independent}`;
    await flows.sql`insert into members values (${organizationId}, ${member}, 'member', ${at})`;
    await flows.sql`
      insert into directory_users (id, directory_id, user_name, user_name_key, active, document, email_keys, user_id,
                                   link, version, created_at, updated_at)
      values (${randomUUID()}, ${id}, 'u', 'u', false, '{}', '{}', ${recorded}, 'domain', 1, ${at}, ${at})`;
    flows.clock.advance(29 * DAY_MS);
    expect(await eraseDepartedUsers(flows.deps)).toBe(0);
    flows.clock.advance(2 * DAY_MS);
    const requests = await Promise.all([eraseDepartedUsers(flows.deps), eraseDepartedUsers(flows.deps)]);
    expect(requests.toSorted()).toEqual([0, 1]);
    const closed = await Promise.all([gone, independent, member, recorded].map(isClosed));
    expect(closed).toEqual([true, false, false, false]);
    const [deletion] = await flows.sql`
      select erased_at, requested_by, due_at <= now() as due from deletions where subject_id = ${gone}`;
    expect(deletion).toMatchObject({ erased_at: null, requested_by: null });
  });

  test("leaves an inactive record without a link for 30 days, and other records for good", async () => {
    const { id } = await directory();
    const at = new Date(flows.clock.now());
    await flows.sql`update directories set user_count = 3 where id = ${id}`;
    for (const [name, active, link] of [
      ["erased", false, "domain"],
      ["active", true, "domain"],
      ["unlinked", false, "none"],
    ] as const) {
      await flows.sql`
        insert into directory_users (id, directory_id, user_name, user_name_key, active, document, email_keys, link,
                                     version, created_at, updated_at)
        values (${randomUUID()}, ${id}, ${name}, ${name}, ${active}, '{}', '{}', ${link}, 1, ${at}, ${at})`;
    }
    const sweep = (days: number) =>
      flows.deps.database.run("directory_user.sweep", (sql) =>
        deleteErasedRecords(sql, new Date(at.getTime() + days * DAY_MS), 100),
      );
    expect([await sweep(0), await sweep(1)]).toEqual([0, 1]);
    const left = await flows.sql`select user_name from directory_users where directory_id = ${id} order by user_name`;
    expect(left.map(({ user_name }) => user_name)).toEqual(["active", "unlinked"]);
    const [{ user_count: count } = {}] = await flows.sql`select user_count from directories where id = ${id}`;
    expect(count).toBe(2);
  });
});

describe("the states of directories", () => {
  test("are active, silent, refused and paused", async () => {
    await flows.sql`delete from directories`;
    const [active, silent, refused] = [await directory(), await directory(), await directory()];
    await directory("paused");
    const now = flows.clock.now();
    const ago = (ms: number) => new Date(now - ms);
    await flows.sql`update directories set last_request_at = ${ago(HOUR_MS)} where id = ${active.id}`;
    await flows.sql`
      update directories set last_request_at = ${ago(4 * DAY_MS)} where id in (${silent.id}, ${refused.id})`;
    for (let count = 0; count < 20; count += 1) {
      await flows.sql`
        insert into directory_requests (id, directory_id, at, method, path, status, detail, request_id)
        values (${randomUUID()}, ${refused.id}, ${ago(60_000)}, 'POST', '/Users', 409, 'x', 'x')`;
    }
    const count = (refusedRequests: number) =>
      flows.deps.database.run("directory.count", (sql) =>
        countDirectoriesByState(sql, {
          silentBefore: ago(3 * DAY_MS),
          refusedSince: ago(HOUR_MS),
          refusedRequests,
        }),
      );
    expect(await count(20)).toEqual({ active: 1, silent: 1, refused: 1, paused: 1 });
    expect(await count(21)).toEqual({ active: 1, silent: 2, paused: 1 });
  });
});
