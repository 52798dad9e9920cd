/** Owners of the platform: no directory makes an owner, and one stays (docs/contract.md, sections 5.6 and 14.6). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createDirectoryUser } from "../../../src/flows/directories/write-users.ts";
import { grantPlatformRole } from "../../../src/flows/platform/grant-role.ts";
import { authorizePlatformRole } from "../../../src/flows/steps/authorization/authorize-platform-role.ts";
import { authorizeRoleGrant } from "../../../src/flows/steps/authorization/authorize-role-grant.ts";
import { grantInitialOwner } from "../../../src/flows/steps/roles/grant-initial-owner.ts";
import { changeAccount } from "../../../src/flows/users/change-account.ts";
import { callerOf, clientAt, codeOf, registerAccount, unwrap } from "../../support/accounts.ts";
import { flowDirectory } from "../../support/flow-directory.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { verifySessionsOf } from "../../support/platform.ts";
import { assignPlatformRole } from "../../support/states.ts";

let flows: Flows;
beforeAll(async () => {
  flows = await openFlows();
});
afterAll(() => flows.close());

test("the proof of a directory makes no platform owner, at once and at a start", async () => {
  const { address, callerOf: directoryCaller } = await flowDirectory(flows);
  const email = address("ops");
  const { userId } = await registerAccount(flows);
  await flows.sql`update users set email = ${email}, controlled_at = null where id = ${userId}`;
  const deps = { ...flows.deps, config: { ...flows.deps.config, initialOwnerEmail: email } };
  const body = { schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: email };
  expect(await createDirectoryUser(deps, await directoryCaller(), body)).toMatchObject({ ok: true, value: { userId } });
  expect(await flows.deps.database.run("user.set_platform_role", (sql) => grantInitialOwner(deps, sql))).toBe(false);
  const [user] = await flows.sql`
    select controlled_at is not null as controlled, platform_role from users where id = ${userId}`;
  expect(user).toEqual({ controlled: true, platform_role: null });
});

test("a vouched address leads to no platform role, by a grant or at a start", async () => {
  const { userId, email } = await registerAccount(flows);
  await flows.sql`update users set controlled_at = now(), email_verified_at = now() where id = ${userId}`;
  await flows.sql`update user_emails set vouched = true where user_id = ${userId}`;
  const deps = { ...flows.deps, config: { ...flows.deps.config, initialOwnerEmail: email } };
  const atStart = () => flows.deps.database.run("user.set_platform_role", (sql) => grantInitialOwner(deps, sql));
  const { userId: ownerId, signedIn } = await registerAccount(flows);
  await assignPlatformRole(flows.sql, ownerId, "owner");
  await verifySessionsOf(flows, ownerId);
  const session = { ...(await callerOf(flows, signedIn)), mfaVerifiedAt: flows.clock.now() };
  const caller = unwrap(await authorizeRoleGrant(flows.deps, session));
  const grant = async () =>
    codeOf(await grantPlatformRole(flows.deps, { caller, userId, role: "viewer", client: clientAt() }));
  expect([await atStart(), await grant()]).toEqual([false, "conflict"]);
  await flows.sql`update user_emails set vouched = false where user_id = ${userId}`;
  expect(await grant()).toBe("ok");
  await flows.sql`update users set platform_role = null where id = any(${[userId, ownerId]}::uuid[])`;
});

test("two owners with parallel disablings of each other leave one enabled owner", async () => {
  const owners = await Promise.all(
    ["one", "other"].map(async () => {
      const { userId, signedIn } = await registerAccount(flows);
      await assignPlatformRole(flows.sql, userId, "owner");
      await verifySessionsOf(flows, userId);
      return unwrap(await authorizePlatformRole(flows.deps, await callerOf(flows, signedIn), "owner"));
    }),
  );
  const disable = async (userId: string, caller = owners[0]) => {
    if (!caller) throw new Error("there are two owners");
    return codeOf(await changeAccount(flows.deps, { caller, userId, fields: { disabled: true }, client: clientAt() }));
  };
  const targets = owners.map(({ session }) => session.userId).toReversed();
  const outcomes = await Promise.all(targets.map((target, index) => disable(target, owners[index])));
  expect(outcomes.toSorted()).toEqual(["conflict", "ok"]);
  const [left] = await flows.sql`select id from users where platform_role = 'owner' and disabled_at is null`;
  expect(await disable(left?.id)).toBe("conflict");
});
